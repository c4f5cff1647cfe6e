"""The page of the example backends in a browser: signing in, the marketplace, and a report in the user's name."""

import re
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.docs.test_backends_page import blocks, section
from tests.examples.processes import host_backend

from .conftest import OpenPage, Troubles
from .product import Demo, allow_access, tickets


def sign_in(page: Page, user_name: str) -> None:
    """Give a name where your own login belongs."""
    page.get_by_label("User name").fill(user_name)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(f"You are signed in as {user_name}")).to_be_visible()


def test_a_user_of_a_backend(profile: BrowserContext, demo: Demo, troubles: Troubles) -> None:
    """The marketplace opens under the page's policy; tests/examples has every backend, without a browser."""
    troubles.expect("401", "409")  # what the page asks before it is allowed to
    before = len(tickets(demo))
    with host_backend("django", demo.base_url, demo.app_key, demo.app_secret) as backend:
        page = profile.new_page()
        page.goto(backend.url)
        sign_in(page, "Zoë of Django")
        page.get_by_role("button", name="Report to Tickets").click()
        expect(page.get_by_role("status").filter(has_text=re.compile("connect", re.IGNORECASE))).to_be_visible()

        page.get_by_role("button", name="Show apps").click()
        with page.expect_popup() as opened:
            page.get_by_role("button", name="Connect Tickets").click()
        allow_access(opened.value)
        expect(page.get_by_role("button", name="Connect Tickets")).to_have_count(0)
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="Report to Tickets").click()
        expect(page.get_by_text(re.compile(r"Ticket \d+ was created"))).to_be_visible()

        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("User name")).to_be_visible()
    assert before + 1 == len(tickets(demo))


def test_a_session_token_in_place_of_the_hash(profile: BrowserContext, open_page: OpenPage, demo: Demo) -> None:
    """As docs/backends.md shows it: the backend's lines make a token, and the page's lines use it."""
    [backend], [lines] = (blocks(section("Session tokens"), language) for language in ("python", "js"))
    with demo.client() as client:
        names: dict[str, Any] = {"client": client}
        exec(backend.replace("https://app.example.com", demo.host_url), names)  # noqa: S102  our own page
        profile.route(
            f"{demo.host_url}/service-token", lambda route: route.fulfill(body=names["service_token"](demo.user_id))
        )
        page = open_page()
        page.evaluate(f"() => {{ const {{ appKey, userId }} = options; {lines} sdk.showApps(); }}")

        expect(page.get_by_role("button", name="Connect Tickets")).to_be_visible()
