"""The marketplace: what it lists, and what its buttons do."""

import re

import pytest

from service_client.testing import HttpRequest, Response

from .conftest import Rejected, Sdk, settle


def titles(sdk: Sdk, surface: str = "apps") -> list[str]:
    """Return the titles of the listed apps."""
    return re.findall(r"<h3[^>]*><bdi>([^<]*)</bdi></h3>", sdk.page.surfaces[surface])


async def show(sdk: Sdk, *names: str, modal: bool = True) -> None:
    """Start an instance and show the marketplace."""
    await sdk.start()
    await sdk.call("showApps", apps=list(names), surface="apps", modal=modal)
    await settle()


async def test_all_pages_are_listed(sdk: Sdk) -> None:
    """Without names every app is shown, from all pages of the service, those with accounts first."""
    sdk.service.page_size = 1
    sdk.service.add_app("zeta", title="Zeta")

    await show(sdk)

    assert ["Mail", "Desk", "Zeta"] == titles(sdk)


async def test_a_long_list_is_shown_in_parts(sdk: Sdk) -> None:
    """Of a thousand apps a part is shown, more on demand, and a search finds those that are not shown."""
    for number in range(1000):
        sdk.service.add_app(f"app{number:03}", title=f"App {number:03}")
    await show(sdk)
    assert 60 == len(titles(sdk))
    assert "Show 942 more apps" in sdk.page.surfaces["apps"]

    await sdk.act("apps", "show-more")
    assert 120 == len(titles(sdk))
    await sdk.act("apps", "search", value="app 999")
    assert ["App 999"] == titles(sdk)


async def test_named_apps_are_listed_in_their_order(sdk: Sdk) -> None:
    """With names only those are shown, once each, and described; what the shell adds to gestures does no harm."""
    sdk.service.add_app("drive", title="Drive", description="Files & folders.")
    await show(sdk, "mail", "drive", "mail")
    assert ["Mail", "Drive"] == titles(sdk)
    described = '<p class="app-description" part="app-description"><bdi>Files &amp; folders.</bdi></p>'
    assert described in sdk.page.surfaces["apps"]

    await sdk.act("apps", "search", value="drive", accent="#3353d4")
    assert ["Drive"] == titles(sdk)


@pytest.mark.parametrize(
    ("apps", "code", "words"),
    [
        (["mail", "nothing", "no"], "unknown_app", "'nothing', 'no'"),
        *[(apps, "invalid_argument", "apps must be a list of texts") for apps in ("mail", [1], [""], {})],
    ],
)
async def test_what_is_no_list_of_apps_shows_nothing(sdk: Sdk, apps: object, code: str, words: str) -> None:
    """A name that is no app is a clear error, as is anything but names, and no marketplace stays open for it."""
    await sdk.start()

    with pytest.raises(Rejected, match=words) as rejected:
        await sdk.call("showApps", apps=apps, surface="apps", modal=True)

    assert code == rejected.value.code
    assert {"apps"} == set(sdk.page.closed_surfaces)


def lists(sdk: Sdk) -> tuple[list[str], list[str]]:
    """Return the titles of the apps that were found, and of those that are near."""
    found, _, near = sdk.page.surfaces["apps"].partition('id="near"')
    title = r'<h3 id="app-[^>]*><bdi>([^<]*)</bdi></h3>'
    return re.findall(title, found), re.findall(title, near)


async def test_a_category_and_a_search_narrow_the_list(sdk: Sdk) -> None:
    """A category to its apps, a search to titles in any case; below them stands what is near, mistakes too."""
    for name, title, description, category in (
        ("calendar", "Calendar", "Events and guests.", "files"),
        ("calls", "Call centre", "Queues and agents.", "sales"),
        ("chat", "Chat", "Messages and calls.", "files"),
        ("hub", "Hub", "Contacts, deals and notes.", "sales"),
        ("till", "Till", "Money in the shop.", "files"),
    ):
        categories = [category, "sales"] if category == "files" else [category]
        sdk.service.add_app(name, title=title, description=description, categories=categories)
    await show(sdk)
    assert ["All categories", "Files and documents", "Sales and contacts"] == re.findall(
        r"<option[^>]*>([^<]*)</option>", sdk.page.surfaces["apps"]
    )

    for search, found, near in (
        ("CALL", ["Call centre"], ["Chat"]),
        ("calandar", [], ["Calendar"]),
        ("money", [], ["Till"]),
        ("xyzzy", [], []),
    ):
        await sdk.act("apps", "search", value=search)
        assert (found, near) == lists(sdk)
        assert (not found) == (f"No app matches “{search}”." in sdk.page.surfaces["apps"])
    await sdk.act("apps", "search", value="")
    await sdk.act("apps", "pick-category", value="files")
    assert ["Calendar", "Chat", "Till"] == titles(sdk)
    await sdk.act("apps", "search", value="ti")
    assert ["Till"] == titles(sdk)
    await sdk.act("apps", "search", value="hub")
    assert ([], ["Hub"]) == lists(sdk)


async def test_connecting_happens_in_place(sdk: Sdk) -> None:
    """Connect shows the panel in the marketplace, then the list with the new account, and emits `app-connected`."""
    await show(sdk, modal=False)
    connecting = await sdk.act("apps", "connect", "desk", popup="popup")
    assert "Waiting for you to finish" in sdk.page.surfaces["apps"]

    sdk.service.finish_connecting("session-1", "Ann's desk")
    await connecting
    await settle()

    assert "Ann&#39;s desk" in sdk.page.surfaces["apps"]
    assert "Desk is connected." in sdk.page.surfaces["apps"]
    assert ["desk"] == [payload["name"] for payload in sdk.heard("app-connected")]


async def test_cancelling_leads_back_to_the_list(sdk: Sdk) -> None:
    """Escape while connecting ends that, not the marketplace; once more closes it."""
    await show(sdk)
    connecting = await sdk.act("apps", "connect", "desk", popup="popup")

    await sdk.act("apps", "escape", kind="escape")
    await connecting
    await settle()
    assert ["Mail", "Desk"] == titles(sdk)
    assert "Connecting Desk was cancelled." in sdk.page.surfaces["apps"]

    await sdk.act("apps", "escape", kind="escape")
    assert {} == sdk.page.surfaces


async def test_disconnecting_asks_first(sdk: Sdk) -> None:
    """One click asks, Keep takes it back; only the confirmation disconnects, and only that account."""
    await show(sdk)
    await sdk.act("apps", "ask-disconnect", "1")
    assert "Disconnect this account?" in sdk.page.surfaces["apps"]
    await sdk.act("apps", "keep")
    assert "Disconnect this account?" not in sdk.page.surfaces["apps"]
    assert not any(request.method == "DELETE" for request in sdk.requests)

    await sdk.act("apps", "ask-disconnect", "1")
    await sdk.act("apps", "disconnect", "1")

    html = sdk.page.surfaces["apps"]
    assert ("ann@old.test is disconnected from Mail." in html, 'id="account-1"' in html) == (True, False)
    assert 'id="account-2"' in html
    assert [1] == [payload["connected_account_id"] for payload in sdk.heard("app-disconnected")]


async def test_an_account_that_needs_it_is_reconnected_in_place(sdk: Sdk) -> None:
    """The row says why; Reconnect opens a session for that very account, and the panel says whose it is."""
    bodies = []
    replaced = {b'"active"': b'"reconnect_required"', b'"state_reason":null': b'"state_reason":"Refused <today>."'}

    def answer(request: HttpRequest) -> Response | None:
        response = sdk.service.handle(request)
        if request.method == "POST":
            bodies.append(request.json)
        content = response.content.replace(b": ", b":")
        for before, after in replaced.items():
            content = content.replace(before, after)
        return Response(response.status, content, response.headers)

    sdk.answer = answer
    await show(sdk, "mail")
    assert "Needs reconnecting" in sdk.page.surfaces["apps"]
    assert "Refused &lt;today&gt;." in sdk.page.surfaces["apps"]

    await sdk.act("apps", "reconnect", "2", popup="popup")

    assert [{"connected_account_id": 2}] == bodies
    assert re.search(r"<h2[^>]*>Reconnect Mail</h2>", sdk.page.surfaces["apps"])
    assert "You sign in there as ann@new.test, never on this page." in sdk.page.surfaces["apps"]


async def test_a_failed_list_offers_to_try_again(sdk: Sdk) -> None:
    """When the service is away the call rejects, the marketplace says so, and trying again lists the apps."""
    await sdk.start()
    sdk.is_away = True
    with pytest.raises(Rejected) as rejected:
        await sdk.call("showApps", surface="apps", modal=True)
    await settle()
    assert "unreachable" == rejected.value.code
    shown = sdk.page.surfaces["apps"]
    assert "The apps could not be loaded." in shown
    assert "Check your connection and try again." in shown
    assert rejected.value.error["message"] not in shown  # that is for the page's developers

    await sdk.act("apps", "retry")
    assert "The apps could not be loaded." in sdk.page.surfaces["apps"]
    sdk.is_away = False
    await sdk.act("apps", "retry")

    assert ["Mail", "Desk"] == titles(sdk)


async def test_changes_made_elsewhere_are_shown(sdk: Sdk) -> None:
    """An account that a method disconnects disappears from an open marketplace; an old button then does no harm."""
    await show(sdk)

    await sdk.call("disconnectApp", appName="mail", connectedAccountId="1")
    await settle()
    assert 'id="account-1"' not in sdk.page.surfaces["apps"]

    await sdk.act("apps", "disconnect", "1")
    assert "This account is no longer connected." in sdk.page.surfaces["apps"]


@pytest.mark.parametrize(("modal", "closes"), [(True, True), (False, False)])
async def test_only_a_modal_can_be_closed(sdk: Sdk, modal: bool, closes: bool) -> None:
    """Inside a container of the host page there is nothing to close."""
    await show(sdk, modal=modal)
    assert closes == ('data-action="close"' in sdk.page.surfaces["apps"])

    await sdk.act("apps", "close")

    assert closes == ("apps" not in sdk.page.surfaces)
