"""Connecting an account: in a popup, in a blocked one, in the same window."""

import asyncio
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client.models import ConnectedAccount
from service_client.testing import HttpRequest, Response
from servicejs import redirect
from servicejs.redirect import read_return

from .conftest import OPTIONS, Rejected, Sdk, settle

CONNECT_PAGE = "http://service.test/connect/session-1"


async def begin(sdk: Sdk, popup: str | None = "popup") -> "asyncio.Task[str]":
    """Start an instance and let it connect the desk as far as it goes by itself."""
    await sdk.start()
    connecting = sdk.begin("connectApp", appName="desk", surface="panel", popup=popup)
    await settle()
    return connecting


def asked(sdk: Sdk, method: str, path: str) -> bool:
    """Tell whether the service got a request."""
    return any((method, path) == (request.method, request.path) for request in sdk.requests)


async def test_how_connecting_goes_is_told(sdk: Sdk) -> None:
    """From the marketplace and from `connectApp` alike: begun, given up, failed with the reason, or connected."""
    await sdk.start()
    await sdk.call("showApps", apps=[], surface="apps", modal=True)
    connecting = await sdk.act("apps", "connect", "desk", popup="one")
    await sdk.act("apps", "escape", kind="escape")
    await connecting
    state = {"status": "failed", "connected_account_id": None, "error": "Mail said no."}
    sdk.answer = lambda request: Response.of_json(state) if "/connect_sessions/" in request.path else None
    with pytest.raises(Rejected):
        await sdk.call("connectApp", appName="mail", connectedAccountId="1", surface="s", popup="two")
    sdk.answer = lambda request: None
    connecting = sdk.begin("connectApp", appName="desk", surface="s", popup="three")
    await settle()
    sdk.service.finish_connecting("session-3")
    await connecting

    told = [(event, payload) for _, event, payload in sdk.page.events if event.startswith("connect-")]
    desk, mail = ({"app": app, "connected_account_id": account} for app, account in (("desk", None), ("mail", 1)))
    error = told[3][1]["error"]
    assert [
        ("connect-started", desk),
        ("connect-cancelled", desk),
        ("connect-started", mail),
        ("connect-failed", mail | {"error": error}),
        ("connect-started", desk),
    ] == told
    assert ("connect_failed", "Mail could not be connected: Mail said no.") == (error["code"], error["message"])
    assert 1 == len(sdk.heard("app-connected"))


async def test_a_connected_account_resolves_and_is_told(sdk: Sdk) -> None:
    """The popup goes to the connect page; a network that comes and goes doesn't end it; the event says it all."""
    connecting = await begin(sdk)
    assert {"popup": CONNECT_PAGE} == sdk.page.popups
    assert "Waiting for you to finish" in sdk.page.surfaces["panel"]
    assert "Connect Desk" == sdk.page.labels["panel"]
    sdk.is_away = True
    await asyncio.sleep(0.02)
    assert not connecting.done()

    account = sdk.service.finish_connecting("session-1", "Ann's desk")
    sdk.is_away = False

    assert str(account.id) == await connecting
    (payload,) = sdk.heard("app-connected")
    assert ("desk", account.id) == (payload["name"], payload["connected_account_id"])
    assert ["Ann's desk"] == [each["display_name"] for each in payload["connected_accounts"]]
    assert ({}, {"popup": None}) == (sdk.page.surfaces, sdk.page.popups)
    assert not asked(sdk, "DELETE", "/connect_sessions/session-1")


async def test_the_window_can_be_opened_again(sdk: Sdk) -> None:
    """Open again sends the new window to the same page and closes the old one."""
    connecting = await begin(sdk)

    await sdk.act("panel", "open-again", popup="second")

    assert {"popup": None, "second": CONNECT_PAGE} == sdk.page.popups
    sdk.service.finish_connecting("session-1")
    await connecting
    assert {"popup": None, "second": None} == sdk.page.popups


async def test_a_window_that_seems_closed_is_told(sdk: Sdk) -> None:
    """It may be opened again, after which the first one counts no more; the account arrives even if it was open."""
    connecting = await begin(sdk)
    first = sdk.page.closings["popup"]
    first.set_result(True)
    await settle()
    assert "The window seems to be closed." in sdk.page.surfaces["panel"]

    await sdk.act("panel", "open-again", popup="second")
    assert "Waiting for you to finish" in sdk.page.surfaces["panel"]
    sdk.page.closings["second"].set_result(False)  # given up, not closed
    await settle()
    assert "Waiting for you to finish" in sdk.page.surfaces["panel"]
    account = sdk.service.finish_connecting("session-1")

    assert str(account.id) == await connecting


async def test_nobody_watches_a_window_that_was_replaced(sdk: Sdk) -> None:
    """Its closing is no news, and nothing waits for it once connecting has ended."""
    connecting = await begin(sdk)
    await sdk.act("panel", "open-again", popup="second")
    await settle()
    assert sdk.page.closings["popup"].cancelled()
    sdk.service.finish_connecting("session-1")
    await connecting
    await settle()

    assert sdk.page.closings["second"].cancelled()


@pytest.mark.parametrize(
    ("status", "error", "code", "words"),
    [
        ("cancelled", None, "cancelled", "Desk was cancelled"),
        ("expired", None, "expired", "Desk took too long"),
        ("failed", "The key is not valid.", "connect_failed", "Desk could not be connected: The key is not valid."),
    ],
)
async def test_sessions_that_end_otherwise_reject(sdk: Sdk, status: str, error: str, code: str, words: str) -> None:
    """However the session ends at the service, the rejection says so."""
    state = {"status": status, "connected_account_id": None, "error": error}
    sdk.answer = lambda request: Response.of_json(state) if "/connect_sessions/" in request.path else None
    connecting = await begin(sdk)

    with pytest.raises(Rejected, match=words) as rejected:
        await connecting

    assert code == rejected.value.code
    assert ({}, {"popup": None}) == (sdk.page.surfaces, sdk.page.popups)


@pytest.mark.parametrize(("app", "code"), [("nothing", "unknown_app"), ("", "invalid_argument")])
async def test_what_the_page_opened_in_vain_is_closed(sdk: Sdk, app: str, code: str) -> None:
    """When connecting cannot even begin, its surface and its window are taken away again."""
    await sdk.start()

    with pytest.raises(Rejected) as rejected:
        await sdk.call("connectApp", appName=app, surface="panel", popup="popup")

    assert code == rejected.value.code
    assert {"panel"} == set(sdk.page.closed_surfaces)
    assert {"popup": None} == sdk.page.popups


@pytest.mark.parametrize("where", ["option", "argument"])
async def test_redirect_mode_leaves_the_page(sdk: Sdk, where: str) -> None:
    """For the connect page, with account and functions in the session; nothing resolves any more."""
    account = sdk.service.connect("desk", "Ann's desk")
    redirect = {"redirectUrl": "http://host.test/back"}
    await sdk.start(**(redirect if where == "option" else {}))
    wanted: dict[str, Any] = {"connectedAccountId": str(account.id), "functions": ["desk-create-ticket"]}
    connecting = sdk.begin("connectApp", appName="desk", **wanted, **(redirect if where == "argument" else {}))
    await settle()

    assert CONNECT_PAGE == sdk.page.left_for
    (body,) = [request.json for request in sdk.requests if request.method == "POST"]
    expected = {"redirect_url": "http://host.test/back", "connected_account_id": account.id}
    assert expected | {"functions": ["desk-create-ticket"]} == body
    assert not connecting.done()
    await sdk.call("destroy")
    with pytest.raises(Rejected):
        await connecting


async def test_coming_back_finishes_connecting(sdk: Sdk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is redeemed, the address cleaned and the account told, though the service is away for a while then."""
    monkeypatch.setattr(redirect, "PAUSES", (0.0, 0.0, 0.0))
    away: list[Response] = []
    redeemed = []

    def answer(request: HttpRequest) -> Response | None:
        if request.path.endswith("/redeem"):
            redeemed.append((request.path, request.json))
            away.extend([Response.of_json({}, 502)] * 5)  # more than a client asks by itself
            account: ConnectedAccount = sdk.service.connect("desk", "Ann's desk")
            return Response.of_json({"status": "connected", "connected_account_id": account.id, "error": None})
        return away.pop() if away and "connected_only" in request.url else None

    sdk.answer = answer
    await come_back(sdk)

    assert ([("/connect_sessions/s-1/redeem", {"code": "c-1"})], []) == (redeemed, away)
    assert (["desk"], []) == ([payload["name"] for payload in sdk.heard("app-connected")], sdk.heard("error"))
    assert {"connect_session": "s-1", "code": "c-1"} == sdk.page.forgotten_parameters


@pytest.mark.parametrize("is_kept", [True, False])
async def test_coming_back_waits_for_a_service_that_is_away(
    sdk: Sdk, monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    """The code is redeemed once the service answers, also if it was already, and the answer to that got lost."""
    monkeypatch.setattr(redirect, "PAUSES", (0.0, 0.0, 0.0))
    account: ConnectedAccount = sdk.service.connect("desk", "Ann's desk")
    connected = Response.of_json({"status": "connected", "connected_account_id": account.id, "error": None})
    answers = [Response.of_json({}, 503), Response.of_json({}, 502), refusal(400) if is_kept else connected]

    def answer(request: HttpRequest) -> Response | None:
        if request.path.endswith("/redeem"):
            assert sdk.page.forgotten_parameters is None
            return answers.pop(0)
        return connected if request.path == "/connect_sessions/s-1" else None

    sdk.answer = answer
    await come_back(sdk)

    assert (["desk"], []) == ([payload["name"] for payload in sdk.heard("app-connected")], sdk.heard("error"))
    assert ([], {"connect_session": "s-1", "code": "c-1"}) == (answers, sdk.page.forgotten_parameters)


@pytest.mark.parametrize("case", ["bad code", "away for long", "refused by the app"])
async def test_coming_back_in_vain_is_told(sdk: Sdk, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """A code that is no good, a service that stays away and an app that refuses: an error says which."""
    monkeypatch.setattr(redirect, "PAUSES", (0.0, 0.0))
    state = {"status": "failed", "connected_account_id": None, "error": "Mail said no."}
    redeeming, code = {
        "bad code": (refusal(400), "format"),
        "away for long": (Response.of_json({}, 502), "unreachable"),
        "refused by the app": (Response.of_json(state), "connect_failed"),
    }[case]

    def answer(request: HttpRequest) -> Response | None:
        if request.path.endswith("/redeem"):
            return redeeming
        pending = {"status": "pending", "connected_account_id": None, "error": None}
        return Response.of_json(pending) if request.path == "/connect_sessions/s-1" else None

    sdk.answer = answer
    await come_back(sdk)

    (told,) = sdk.heard("error")
    assert (code, []) == (told["code"], sdk.heard("app-connected"))
    assert {"connect_session": "s-1", "code": "c-1"} == sdk.page.forgotten_parameters


async def test_a_session_of_somebody_else_is_left_alone(sdk: Sdk) -> None:
    """A code that the service does not know for this user changes nothing: it may be another instance's."""
    sdk.answer = lambda request: refusal(404) if "redeem" in request.path else None
    await sdk.call("create", options=options_at("http://host.test/?connect_session=s-1&code=c-1"))
    await settle()

    assert (1, [], []) == (len(sdk.heard("ready")), sdk.heard("error"), sdk.heard("app-connected"))
    assert sdk.page.forgotten_parameters is None


async def come_back(sdk: Sdk) -> None:
    """Start an instance on the page that the user comes back to, and wait until it has told how that went."""
    await sdk.call("create", options=options_at("http://host.test/back?tab=2&connect_session=s-1&code=c-1#top"))
    async with asyncio.timeout(30):
        while not sdk.heard("app-connected") + sdk.heard("error"):  # noqa: ASYNC110  it waits between its tries
            await asyncio.sleep(0.01)


def refusal(status: int) -> Response:
    """Return the service's answer to a code that is no good (400), or to somebody else's session."""
    code = {400: "format", 404: "unknown_connect_session"}[status]
    details = [{"field": None, "code": code, "message": "No.", "action": None}]
    return Response.of_json({"error": "No.", "error_details": details, "request_id": ""}, status)


def options_at(location: str) -> dict[str, str]:
    """Return the options of an instance on a page with this address."""
    return OPTIONS | {"location": location}


PAIRS = st.lists(st.tuples(st.sampled_from(["tab", "q", "ü", ""]), st.text(st.characters(codec="utf-8"))))


@given(before=PAIRS, after=PAIRS)
def test_who_comes_back_is_seen_in_any_address(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> None:
    """Whatever else stands in the page's address, the session and its code are read."""
    query = urlencode([*before, ("connect_session", "s"), ("code", "c"), *after])

    returned = read_return(f"http://host.test/page?{query}#part")

    assert ("s", "c") == (returned.session, returned.code)


@pytest.mark.parametrize("query", ["", "?", "?code=c", "?connect_session=s", "?connect_session=&code=c", "?q=code=c"])
def test_other_addresses_bring_nobody_back(query: str) -> None:
    """Without both a session and a code the page was just opened."""
    assert read_return(f"http://host.test/{query}") is None
