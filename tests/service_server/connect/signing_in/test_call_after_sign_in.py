"""A call after the sign-in fills a variable: Jira's site, by the connector as it ships, against an emulator."""

import contextlib
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.emulators.pointed import point
from tests.service_server.connect.connect_pages import assert_accessible
from tests.service_server.connect.signing_in.atlassian import LABS, SHOP, WIKI_ONLY, Atlassian, emulated, served_beside
from tests.service_server.connect.signing_in.attempts import Browser, accounts, hidden
from tests.service_server.processes import RunningService, http

pytestmark = pytest.mark.slow

APP = "emulated_jira"


@pytest.fixture(scope="module")
def running() -> Iterator[Atlassian]:
    """Atlassian."""
    with emulated(Atlassian()) as app:
        yield app


@pytest.fixture(scope="module")
def served(running: Atlassian, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with a copy of the shipped connector that talks to the emulator."""
    folder: Path = tmp_path_factory.mktemp("sites")
    host = urlsplit(running.url).netloc
    replaced = {
        "https://auth.atlassian.com/authorize": f"{running.url}/authorize",
        "https://auth.atlassian.com/oauth/token": f"{running.url}/token",
        "https://api.atlassian.com": running.url,
        "allow_hosts: [api.atlassian.com]": f'allow_hosts: ["{host}"]',
    }
    point("jira", folder / "connectors", replaced)
    with served_beside(running.url, APP, folder) as started:
        yield started


@pytest.mark.browser
def test_the_page_of_the_choice(served: RunningService, running: Atlassian, chromium: Chromium) -> None:
    """In Chromium the page is readable by eye and ear, wants a choice, and goes on to the end with it."""
    running.reset(SHOP, LABS)
    with served.api("nine") as api:
        session = api.post(f"/apps/{APP}/connect_sessions", json={}).json()
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(f"{session['url']}?auth=oauth")
        page.get_by_role("button", name="Sign in with Atlassian").click()
        page.wait_for_url(session["url"])
        page.get_by_role("button", name="Connect").click()  # which does nothing without a choice
        expect(page.get_by_role("heading", name="Choose: Site")).to_be_visible()
        assert_accessible(page)
        page.get_by_role("radio", name="Labs").check()
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_role("heading", name="is connected")).to_be_visible()

    assert ["LABS"] == projects(served, "nine")


def many(count: int) -> list[dict[str, str]]:
    """As many sites, the last of which are found by the word `warehouse`."""
    names = [f"Site {number}" for number in range(count - 2)] + ["Warehouse North", "Warehouse South"]
    return [{"id": f"s-{number}", "name": name, "url": f"https://s{number}.x"} for number, name in enumerate(names)]


@pytest.mark.browser
def test_a_choice_among_hundreds(served: RunningService, running: Atlassian, chromium: Chromium) -> None:
    """Of hundreds of sites some are shown, all are found by their words, and one of those is connected."""
    running.reset(*many(350))
    with served.api("ten") as api:
        session = api.post(f"/apps/{APP}/connect_sessions", json={}).json()
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(f"{session['url']}?auth=oauth")
        page.get_by_role("button", name="Sign in with Atlassian").click()
        page.wait_for_url(session["url"])
        expect(page.get_by_text("100 of 350 are shown")).to_be_visible()
        expect(page.get_by_role("radio")).to_have_count(100)
        page.get_by_role("searchbox", name="Search").fill("nowhere")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing here has these words.")).to_be_visible()
        expect(page.get_by_role("button", name="Connect")).to_be_disabled()
        assert_accessible(page)
        page.get_by_role("searchbox", name="Search").fill("SOUTH ware")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("radio", name="Warehouse South").check()
        expect(page.get_by_role("radio")).to_have_count(1)
        assert_accessible(page)
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_role("heading", name="is connected")).to_be_visible()

    assert ["WAREHOUSE SOUTH"] == projects(served, "ten")


@pytest.fixture
def browse(served: RunningService) -> Iterator[Callable[..., Browser]]:
    """Open browsers of users, each in a connect session of its own."""
    with contextlib.ExitStack() as opened:
        yield lambda user, **options: opened.enter_context(contextlib.closing(Browser(served, APP, user, **options)))


def offered(page: httpx.Response) -> dict[str, str]:
    """The choices that a page offers, by what they show."""
    values = re.findall(r'name="choice" value="([^"]+)" id="([^"]+)"', page.text)
    labels = dict(re.findall(r'<label for="([^"]+)"><bdi>([^<]+)</bdi></label>', page.text))
    return {labels[identifier]: value for value, identifier in values}


def projects(served: RunningService, user: str) -> Any:
    """Call a function with the user's account."""
    with served.api(user) as api:
        answer = api.post(f"/functions/{APP}-list-projects", json={}).json()
    assert "200" == answer["network_code"], answer
    return [each["key"] for each in answer["output"]]


def test_the_only_site_is_taken(served: RunningService, running: Atlassian, browse: Callable[..., Browser]) -> None:
    """Of one site nobody is asked; the second call comes before anything else is."""
    running.reset(SHOP, WIKI_ONLY)
    browser = browse("one")
    shown = browser.sign_in()

    assert "is connected" in shown.text
    assert ["Ada Lovelace"] == accounts(served, APP, "one")
    assert ["SHOP"] == projects(served, "one")
    assert ["/oauth/token/accessible-resources", f"/ex/jira/{SHOP['id']}/rest/api/2/myself"] == running.paths[:2]


def test_the_user_chooses_among_several(
    served: RunningService, running: Atlassian, browse: Callable[..., Browser]
) -> None:
    """Several sites are shown by name; the one that is chosen is called, and until then there is no account."""
    running.reset(SHOP, LABS)
    browser = browse("two")
    shown = browser.sign_in()
    again = browser.look()

    assert {
        "Shop – https://shop.atlassian.net": SHOP["id"],
        "Labs – https://labs.atlassian.net": LABS["id"],
    } == offered(shown)
    assert offered(shown) == offered(again)
    assert ("pending", []) == (browser.status(), accounts(served, APP, "two"))
    assert "is connected" in browser.choose(again, LABS["id"]).text
    assert ["LABS"] == projects(served, "two")
    assert "is connected" in browser.choose(again, SHOP["id"]).text  # sent twice: it stays as it was chosen
    assert ["LABS"] == projects(served, "two")


def test_nothing_else_can_be_chosen(served: RunningService, running: Atlassian, browse: Callable[..., Browser]) -> None:
    """A value that wasn't offered connects nothing, also one that would lead elsewhere."""
    running.reset(SHOP, LABS)
    browser = browse("three")
    shown = browser.sign_in()
    for value in ("", "../../x", WIKI_ONLY["id"]):
        assert "was not connected" in browser.choose(shown, value).text

    assert [] == accounts(served, APP, "three")
    assert "pending" == browser.status()
    assert "is connected" in browser.choose(browser.look(), SHOP["id"]).text


def test_no_other_browser_chooses(served: RunningService, running: Atlassian, browse: Callable[..., Browser]) -> None:
    """The page of the choice belongs to the browser that signed in."""
    running.reset(SHOP, LABS)
    browser = browse("four")
    shown = browser.sign_in()
    with http(served.url) as other:
        form = {**hidden(shown), "choice": SHOP["id"]}

        assert 403 == other.post(browser.session["url"], data=form).status_code
        assert not offered(other.get(browser.session["url"]))
    assert [] == accounts(served, APP, "four")


def test_who_gives_up_has_connected_nothing(
    served: RunningService, running: Atlassian, browse: Callable[..., Browser]
) -> None:
    """Cancelled at the choice, the attempt leaves no account."""
    running.reset(SHOP, LABS)
    browser = browse("five")
    shown = browser.sign_in()
    browser.cancel(shown)

    assert "cancelled" == browser.status()
    assert "is connected" not in browser.choose(shown, SHOP["id"]).text
    assert [] == accounts(served, APP, "five")


@pytest.mark.parametrize(
    ("sites", "faulty", "said"),
    [
        ((), False, "has no Site that this service could use"),
        ((WIKI_ONLY,), False, "has no Site that this service could use"),
        (({**SHOP, "id": "a/../b"},), False, "has no Site that this service could use"),
        ((SHOP,), True, "has a problem at the moment"),
    ],
)
def test_without_a_site_nothing_is_connected(
    sites: tuple[dict[str, Any], ...],
    faulty: bool,
    said: str,
    served: RunningService,
    running: Atlassian,
    browse: Callable[..., Browser],
) -> None:
    """No site, one of another product, an id that is none and an outage are told; trying again is possible."""
    running.reset(*sites)
    running.faulty = faulty
    browser = browse("six")
    shown = browser.sign_in()

    assert said in shown.text
    assert [] == accounts(served, APP, "six")
    assert "pending" == browser.status()


def test_connecting_again_keeps_the_site(
    served: RunningService, running: Atlassian, browse: Callable[..., Browser]
) -> None:
    """Whoever reconnects an account isn't asked for its site once more, as long as there is it."""
    running.reset(SHOP, LABS)
    first = browse("seven")
    first.choose(first.sign_in(), LABS["id"])
    with served.api("seven") as api:
        (account,) = api.get(f"/apps/{APP}").json()["connected_accounts"]
    again = browse("seven", connected_account_id=account["id"])

    assert "is connected again" in again.sign_in().text
    assert ["LABS"] == projects(served, "seven")


def test_connecting_again_keeps_a_site_far_down_the_list(
    served: RunningService, running: Atlassian, browse: Callable[..., Browser]
) -> None:
    """A site that is the last of hundreds can be chosen, and isn't asked for once more either."""
    running.reset(*many(350))
    first = browse("eleven")
    first.sign_in()
    found = first.look("warehouse south")
    first.choose(found, "s-349")
    with served.api("eleven") as api:
        (account,) = api.get(f"/apps/{APP}").json()["connected_accounts"]
    again = browse("eleven", connected_account_id=account["id"])

    assert {"Warehouse South – https://s349.x": "s-349"} == offered(found)
    assert "is connected again" in again.sign_in().text
    assert ["WAREHOUSE SOUTH"] == projects(served, "eleven")


def test_a_redirected_browser_brings_the_code_after_the_choice(
    served: RunningService, running: Atlassian, browse: Callable[..., Browser]
) -> None:
    """In redirect mode the account is finalised with the code that comes after the choice, and with no other."""
    running.reset(SHOP, LABS)
    browser = browse("eight", redirect_url="https://host.test/done")
    shown = browser.sign_in()
    left = browser.choose(shown, SHOP["id"])
    address = unescape(re.findall(r"https://host\.test/done\?[^\"'<> ]+", left.text)[0])
    with served.api("eight") as api:
        wrong = api.post(f"/connect_sessions/{browser.session['id']}/redeem", json={"code": "x" * 43})
        code = httpx.URL(address).params["code"]
        right = api.post(f"/connect_sessions/{browser.session['id']}/redeem", json={"code": code})

    assert not wrong.is_success
    assert right.is_success, right.text
    assert ["SHOP"] == projects(served, "eight")
