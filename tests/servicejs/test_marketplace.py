"""The marketplace: what it lists, and what its buttons do."""

import re

import pytest

from .conftest import Rejected, Sdk, settle


def titles(sdk: Sdk, surface: str = "apps") -> list[str]:
    """Return the titles of the listed apps."""
    return re.findall(r"<h3[^>]*><bdi>([^<]*)</bdi></h3>", sdk.page.surfaces[surface])


async def show(sdk: Sdk, *names: str, modal: bool = True) -> None:
    """Start an instance and show the marketplace."""
    await sdk.start()
    await sdk.call("showApps", apps=list(names), surface="apps", modal=modal)
    await settle()


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
