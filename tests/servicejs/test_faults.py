"""What goes wrong around the SDK: gestures that come twice, odd answers, a page that changes, tokens that end."""

import pytest

from service_client.testing import HttpRequest, Response

from .conftest import Rejected, Sdk, settle


def answering(content: bytes, status: int = 200, kind: str = "application/json") -> Response:
    """Make an answer of any kind."""
    return Response(status, content, {"content-type": kind})


GARBAGE = (
    answering(b"<html>Welcome to the hotel</html>", kind="text/html"),
    answering(b""),
    answering(b"null"),
    answering(b'{"apps": "none"}'),
    answering(b'{"apps": [{"name": 3}], "cursor": ""}'),
    answering(b'{"apps": [' * 2000),
    answering(b"\xff\xfe\x00"),
    answering(b"[]", 204),
    answering(b"Bad gateway", 502, "text/plain"),
)


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda answer: repr(answer.content[:24]))
async def test_garbage_is_told_as_such(sdk: Sdk, garbage: Response) -> None:
    """An answer that no service gives rejects with a stable code, and the marketplace offers to try again."""
    await sdk.start()
    sdk.answer = lambda request: garbage if request.path == "/apps" else None

    with pytest.raises(Rejected) as refused:
        await sdk.call("showApps", apps=[], surface="s", modal=True)

    assert refused.value.code in ("malformed_answer", "unreachable")
    shown = sdk.page.surfaces["s"]
    assert "The apps could not be loaded." in shown
    assert refused.value.error["message"] not in shown  # that is for the page's developers
    sdk.answer = lambda request: None
    await sdk.act("s", "retry")
    assert "Mail" in sdk.page.surfaces["s"]


async def test_a_form_that_the_page_took_away_is_cancelled(sdk: Sdk) -> None:
    """When the page drops the dialog nobody waits for it any more, and what was filled in is kept for the next time."""
    sdk.service.connect("desk", "ann@desk.test")
    await sdk.start()
    filling = sdk.begin("showFunctionUI", functionName="desk-create-ticket", params={}, surface="s")
    await settle()
    await sdk.act("s", "set", "title", value="Typed", kind="change")

    await sdk.call("surfaceGone", surface="s")
    with pytest.raises(Rejected) as refused:
        await filling

    assert "cancelled" == refused.value.code
    assert "Typed" in (sdk.page.drafts["s"] or "")


async def test_a_marketplace_that_the_page_took_away_listens_no_more(sdk: Sdk) -> None:
    """Neither its list nor an attempt to connect goes on, and nothing is painted."""
    await sdk.start()
    await sdk.call("showApps", apps=[], surface="s", modal=True)
    connecting = await sdk.act("s", "connect", "desk", popup="window")

    await sdk.call("surfaceGone", surface="s")
    await connecting

    assert "s" not in sdk.page.surfaces
    assert ["DELETE"] == [request.method for request in sdk.requests if request.method == "DELETE"]
    await sdk.call("disconnectApp", appName="mail", connectedAccountId="1")
    assert "s" not in sdk.page.surfaces


async def test_a_token_that_ends_mid_session_is_replaced_once(sdk: Sdk) -> None:
    """The page is asked for another token, once; neither a call nor the form that is open shows anything of it."""
    valid = {"Bearer first"}

    def answer(request: HttpRequest) -> Response | None:
        if request.headers["Authorization"] in valid:
            return None
        detail = {"field": None, "code": "unauthenticated", "message": "Expired.", "action": None}
        return Response.of_json({"error": "Expired.", "error_details": [detail], "request_id": "r"}, 401)

    sdk.answer = answer
    sdk.page.tokens = ["first", {"token": "second", "expires_at": "2030-01-01T00:15:00Z"}]
    sdk.service.connect("desk", "ann@desk.test")
    await sdk.start(hash=None, asksToken=True)
    filling = sdk.begin("showFunctionUI", functionName="desk-create-ticket", params={"title": "Kept"}, surface="s")
    await settle()
    valid.clear()
    valid.add("Bearer second")

    assert ["desk", "mail"] == [app["name"] for app in await sdk.call("getApps")]
    await sdk.act("s", "submit", kind="submit")
    filled = (await filling)["arguments"]
    result = await sdk.call("invokeFunction", functionName="desk-create-ticket", params=filled)
    assert {"id": 7, "title": "Kept"} == result["output"]
    assert ([], []) == (sdk.page.tokens, sdk.heard("error"))


def refuse_apps(request: HttpRequest) -> Response | None:
    """Answer that the service is away to everybody who asks for one app."""
    away = answering(b'{"error": "Away.", "error_details": [], "request_id": "1"}', 503)
    return away if request.method == "GET" and request.path.startswith("/apps/") else None


async def test_accounts_are_told_though_the_service_is_away_afterwards(sdk: Sdk) -> None:
    """Once an account is connected or disconnected nothing rejects, and the event says what is known."""
    bob = sdk.service.connect("desk", "bob@desk.test")
    await sdk.start()
    connecting = sdk.begin("connectApp", appName="desk", surface="panel", popup="popup")
    await settle()
    sdk.answer = refuse_apps

    ann = sdk.service.finish_connecting("session-1", "Ann's desk")
    assert str(ann.id) == await connecting
    await sdk.call("disconnectApp", appName="desk", connectedAccountId=str(ann.id))

    (payload,) = sdk.heard("app-connected")
    assert ("desk", "Desk", ann.id) == (payload["name"], payload["title"], payload["connected_account_id"])
    assert [ann.id, bob.id] == [each["id"] for each in payload["connected_accounts"]]
    (payload,) = sdk.heard("app-disconnected")
    assert [bob.id] == [each["id"] for each in payload["connected_accounts"]]
