"""A call after the sign-in fills a variable: Jira's site, by the connector as it ships, against an emulator."""

import contextlib
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.accessibility import assert_page_accessible
from tests.service_server.connect.connect_pages import press, shows
from tests.service_server.connect.signing_in.atlassian import LABS, SHOP, WIKI_ONLY, Atlassian, emulated, served_beside
from tests.service_server.connect.signing_in.attempts import Browser, accounts, call, names
from tests.service_server.connecting import given_values
from tests.service_server.processes import RunningService, http

pytestmark = pytest.mark.slow

APP = "emulated_jira"
Browse = Callable[..., Browser]


@pytest.fixture(scope="module")
def running() -> Iterator[Atlassian]:
    """Atlassian."""
    with emulated(Atlassian()) as app:
        yield app


@pytest.fixture(scope="module")
def served(running: Atlassian, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with a copy of the shipped connector that talks to the emulator."""
    hosts = f'allow_hosts: ["{urlsplit(running.url).netloc}"]'
    replaced = {"https://api.atlassian.com": running.url, "allow_hosts: [api.atlassian.com]": hosts}
    with served_beside(running.url, "jira", tmp_path_factory.mktemp("sites"), replaced) as started:
        yield started


@pytest.fixture
def atlassian(running: Atlassian) -> Atlassian:
    """Atlassian as it is at its start, with two sites."""
    running.reset(SHOP, LABS)
    return running


@pytest.fixture
def browse(served: RunningService) -> Iterator[Browse]:
    """Open browsers of users, each in a connect session of its own."""
    with contextlib.ExitStack() as opened:
        yield lambda user, **options: opened.enter_context(contextlib.closing(Browser(served, APP, user, **options)))


def many(count: int) -> list[dict[str, str]]:
    """As many sites, the last of which are found by the word `warehouse`."""
    called = [f"Site {number}" for number in range(count - 2)] + ["Warehouse North", "Warehouse South"]
    return [{"id": f"s-{number}", "name": name, "url": f"https://s{number}.x"} for number, name in enumerate(called)]


def offered(page: httpx.Response) -> dict[str, str]:
    """The choices that a page offers, by what they show."""
    values = re.findall(r'name="choice" value="([^"]+)" id="([^"]+)"', page.text)
    labels = dict(re.findall(r'<label for="([^"]+)"><bdi>([^<]+)</bdi></label>', page.text))
    return {labels[identifier]: value for value, identifier in values}


def projects(served: RunningService, user: str) -> Any:
    """What a function answers for the user's account: the projects of its site."""
    answer = call(served, user, f"{APP}-list-projects").json()
    assert "200" == answer["network_code"], answer
    return [each["key"] for each in answer["output"]]


@pytest.mark.browser
def test_a_choice_among_hundreds(served: RunningService, atlassian: Atlassian, chromium: Chromium) -> None:
    """Readable by eye and ear: it wants a choice, shows some, finds all by their words, and connects one of those."""
    atlassian.reset(*many(350))
    with served.api("ten") as api:
        session = api.post(f"/apps/{APP}/connect_sessions", json={}).json()
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(f"{session['url']}?auth=oauth")
        press(page, "Sign in with Atlassian")
        page.wait_for_url(session["url"])
        expect(page.get_by_text("100 of 350 are shown")).to_be_visible()
        expect(page.get_by_role("radio")).to_have_count(100)
        press(page, "Connect")  # which does nothing without a choice
        shows(page, "Choose: Site")
        page.get_by_role("searchbox", name="Search").fill("nowhere")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing here has these words.")).to_be_visible()
        expect(page.get_by_role("button", name="Connect")).to_be_disabled()
        assert_page_accessible(page)
        page.get_by_role("searchbox", name="Search").fill("SOUTH ware")
        press(page, "Search")
        page.get_by_role("radio", name="Warehouse South").check()
        expect(page.get_by_role("radio")).to_have_count(1)
        assert_page_accessible(page)
        press(page, "Connect")
        shows(page, "is connected")

    assert ["WAREHOUSE SOUTH"] == projects(served, "ten")


def test_the_only_site_is_taken(served: RunningService, atlassian: Atlassian, browse: Browse) -> None:
    """Of one site nobody is asked; the second call comes before anything else is."""
    atlassian.reset(SHOP, WIKI_ONLY)

    assert "is connected" in browse("one").sign_in().text
    assert ["Ada Lovelace"] == names(served, APP, "one")
    assert ["SHOP"] == projects(served, "one")
    assert ["/oauth/token/accessible-resources", f"/ex/jira/{SHOP['id']}/rest/api/2/myself"] == atlassian.paths[:2]


@pytest.mark.usefixtures("atlassian")
def test_the_user_chooses_among_several(served: RunningService, browse: Browse) -> None:
    """They are shown by name; only what was offered can be chosen, only here, once; until then there is no account."""
    browser = browse("two")
    shown = browser.sign_in()
    assert {
        "Shop – https://shop.atlassian.net": SHOP["id"],
        "Labs – https://labs.atlassian.net": LABS["id"],
    } == offered(shown)
    for value in ("", "../../x", WIKI_ONLY["id"]):
        assert "was not connected" in browser.choose(shown, value).text
    with http(served.url) as other:
        form = {**given_values(shown.text), "choice": SHOP["id"]}
        assert 403 == other.post(browser.session["url"], data=form).status_code
        assert not offered(other.get(browser.session["url"]))
    again = browser.look()
    assert offered(shown) == offered(again)
    assert ("pending", []) == (browser.status(), names(served, APP, "two"))

    for value in (LABS["id"], SHOP["id"]):  # sent twice, it stays as it was chosen
        assert "is connected" in browser.choose(again, value).text
        assert ["LABS"] == projects(served, "two")


@pytest.mark.usefixtures("atlassian")
def test_who_gives_up_has_connected_nothing(served: RunningService, browse: Browse) -> None:
    """Cancelled at the choice, the attempt leaves no account."""
    browser = browse("five")
    shown = browser.sign_in()
    browser.cancel(shown)

    assert "cancelled" == browser.status()
    assert "is connected" not in browser.choose(shown, SHOP["id"]).text
    assert [] == names(served, APP, "five")


@pytest.mark.parametrize(
    ("sites", "faulty", "said"),
    [
        ((WIKI_ONLY,), False, "has no Site that this service could use"),
        ((SHOP,), True, "has a problem at the moment"),
    ],
)
def test_without_a_site_nothing_is_connected(
    served: RunningService,
    atlassian: Atlassian,
    browse: Browse,
    sites: tuple[dict[str, Any], ...],
    faulty: bool,
    said: str,
) -> None:
    """A site of another product and an outage are told; trying again is possible."""
    atlassian.reset(*sites, faulty=faulty)
    browser = browse("six")

    assert said in browser.sign_in().text
    assert ("pending", []) == (browser.status(), names(served, APP, "six"))


def test_connecting_again_keeps_the_site(served: RunningService, atlassian: Atlassian, browse: Browse) -> None:
    """Whoever reconnects an account isn't asked for its site once more, also if it is the last of hundreds."""
    atlassian.reset(*many(350))
    first = browse("eleven")
    first.sign_in()
    found = first.look("warehouse south")
    first.choose(found, "s-349")
    (account,) = accounts(served, APP, "eleven")
    again = browse("eleven", connected_account_id=account["id"])

    assert {"Warehouse South – https://s349.x": "s-349"} == offered(found)
    assert "is connected again" in again.sign_in().text
    assert ["WAREHOUSE SOUTH"] == projects(served, "eleven")


@pytest.mark.usefixtures("atlassian")
def test_a_redirected_browser_brings_the_code_after_the_choice(served: RunningService, browse: Browse) -> None:
    """In redirect mode the account is finalised with the code that comes after the choice, and with no other."""
    browser = browse("eight", redirect_url="https://host.test/done")
    left = browser.choose(browser.sign_in(), SHOP["id"])
    address = unescape(re.findall(r"https://host\.test/done\?[^\"'<> ]+", left.text)[0])
    with served.api("eight") as api:
        wrong, right = (
            api.post(f"/connect_sessions/{browser.session['id']}/redeem", json={"code": code})
            for code in ("x" * 43, httpx.URL(address).params["code"])
        )

    assert not wrong.is_success
    assert right.is_success, right.text
    assert ["SHOP"] == projects(served, "eight")
