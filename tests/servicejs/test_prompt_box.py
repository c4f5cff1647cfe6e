"""The box in which users say what they want to do: from the words to the call and back."""

import asyncio
import re
from typing import Any

import pytest

from service_client.testing import AsyncMemoryTransport, HttpRequest, Response

from .conftest import Rejected, Sdk, settle

PROMPT = "write down that the printer is broken"


@pytest.fixture
def desk(sdk: Sdk) -> Sdk:
    """A desk with an account, one function that the prompt means, and one that it nearly means."""
    sdk.service.connect("desk", "Ann's desk")
    titled = {"title": {"type": "string", "title": "Title"}, "urgent": {"type": "boolean", "title": "Urgent"}}

    @sdk.service.function("desk-create-ticket", title="Create a ticket", type="mutation", properties=titled)
    def create_ticket(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"id": 7, **arguments}

    sdk.service.function("mail-send", title="Send a mail", type="mutation", properties=titled)(lambda _: "sent")
    sdk.service.predict(
        PROMPT,
        "desk-create-ticket",
        {"title": "The printer is broken"},
        alternatives=["mail-send"],
        evidence={"title": "the printer is broken"},
    )
    return sdk


async def show(sdk: Sdk, *names: str, **more: Any) -> None:
    """Start an instance and show the marketplace."""
    await sdk.start()
    await sdk.call("showApps", apps=list(names), surface="apps", modal=True, **more)
    await settle()


async def act(sdk: Sdk, action: str, argument: str = "", **more: Any) -> str:
    """Do something, and return what is shown then."""
    await sdk.act("apps", action, argument, **more)
    await settle()
    return sdk.page.surfaces["apps"]


async def ask(sdk: Sdk, prompt: str = PROMPT) -> str:
    """Type a prompt, send it, and return what is shown then."""
    await act(sdk, "type-prompt", value=prompt, kind="input")
    return await act(sdk, "ask", kind="submit")


def box(html: str) -> tuple[str, str]:
    """Return what the box holds, and what it says."""
    typed = re.search(r'<textarea[^>]* id="prompt"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)
    said = re.search(r'<p class="prompt-said"[^>]*>(.*?)</p>', html)
    assert typed is not None, html
    assert said is not None, html
    return typed[1], said[1]


def predictions(sdk: Sdk) -> list[dict[str, str]]:
    """What the service was asked to predict."""
    return [request.query for request in sdk.requests if request.query.get("predict_function") == "true"]


async def test_a_prompt_becomes_a_form_and_a_call(desk: Sdk) -> None:
    """Filled in with its evidence, called, told and shown; given up, it leads back to what was typed."""
    await show(desk)
    for action, kind in (("cancel", "click"), ("escape", "escape")):
        form = await ask(desk)
        assert 'value="The printer is broken"' in form
        assert "“the printer is broken”" in form
        assert f"You said: “{PROMPT}”" in form
        html = await act(desk, action, kind=kind)
        assert PROMPT == box(html)[0]
        assert re.search(r'<textarea[^>]* data-autofocus="\d+"', html)
    await ask(desk)
    assert [] == desk.service.calls
    shown = await act(desk, "submit", kind="submit")

    given = {"title": "The printer is broken"}
    assert [given] == [call.arguments for call in desk.service.calls]
    assert "Done in Desk." in shown
    assert "&#34;id&#34;: 7" in shown
    (told,) = desk.heard("function-called")
    assert ("desk-create-ticket", given, None, "200") == (
        *(told[name] for name in ("function", "arguments", "connected_account_id")),
        told["result"]["network_code"],
    )
    assert ("", "") == box(await act(desk, "back"))


async def test_the_box_says_what_helps(desk: Sdk) -> None:
    """Where nothing fits, nothing is typed, or too much; the next key takes the message away, and nothing is sent."""
    await show(desk)
    typed, said = box(await ask(desk, "sing"))
    assert ("sing", True) == (typed, "Nothing matches that." in said)
    assert "" == box(await act(desk, "type-prompt", value="sing a", kind="input"))[1]
    assert 1 == len(predictions(desk))

    assert "Say what you want to do." == box(await ask(desk, " \n "))[1]
    for length, expected in ((3600, None), (3601, "399 characters left"), (3999, "One character left")):
        html = await act(desk, "type-prompt", value="😀" * length, kind="input")
        found = re.search(r'id="prompt-left">(.*?)<', html)
        assert expected == (found and found[1])
    html = await ask(desk, "a" * 4002)
    assert "2 characters too many" in html
    assert "Shorten it to 4000 characters." in html
    assert 1 == len(predictions(desk))


async def test_a_form_left_by_mistake_comes_back(desk: Sdk) -> None:
    """With the same words, and after another function was looked at; cancelled or sent it is over."""
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="The printer burns", kind="change")
    assert PROMPT == box(await act(desk, "escape", kind="escape"))[0]

    form = await ask(desk)
    assert 'value="The printer burns"' in form
    assert "What you filled in before is back." in form
    assert "Suggested from" not in form
    await act(desk, "choose-alternative", "mail-send")
    assert 'value="The printer burns"' in await act(desk, "choose-alternative", "desk-create-ticket")
    await act(desk, "cancel")
    assert 'value="The printer is broken"' in await ask(desk)


async def test_a_form_that_was_refused_comes_back(desk: Sdk) -> None:
    """The service is away when the form is sent; whoever leaves it then and asks again goes on from there."""
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="The printer burns", kind="change")
    desk.is_away = True
    refused = await act(desk, "submit", kind="submit")
    assert "can’t be reached" in refused
    assert "Suggested from" not in refused
    desk.is_away = False
    await act(desk, "escape", kind="escape")

    form = await ask(desk)
    assert 'value="The printer burns"' in form
    assert "What you filled in before is back." in form


async def test_alternatives_take_the_forms_place(desk: Sdk) -> None:
    """A button for each function that was nearly chosen opens its form, which offers the way back."""
    await show(desk)
    offered = r'data-argument="mail-send"><bdi>Send a mail</bdi> <span class="muted"><bdi>Mail</bdi></span>'
    assert re.search(offered, await ask(desk))

    form = await act(desk, "choose-alternative", "mail-send")
    assert '<h2 part="title" id="form-title"><bdi>Send a mail</bdi></h2>' in form
    assert 'data-argument="desk-create-ticket"><bdi>Create a ticket' in form
    for chosen in ("desk-create-ticket", "nothing-offered"):
        assert 'value="The printer is broken"' in await act(desk, "choose-alternative", chosen)


async def test_an_app_without_an_account_is_connected_first(sdk: Sdk) -> None:
    """Where the app has no account the user connects one, and the filled form follows."""
    sdk.service.predict("file it", "desk-create-ticket", {"title": "It"})
    await show(sdk)
    assert "Connect Desk first" in await ask(sdk, "file it")

    await sdk.act("apps", "connect", popup="popup")
    sdk.service.finish_connecting("session-1", "Ann's desk")
    async with asyncio.timeout(30):
        while 'value="It"' not in sdk.page.surfaces["apps"]:  # noqa: ASYNC110  it polls, too
            await asyncio.sleep(0.001)


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        ("file it at the helpdesk", 'id="form-title"><bdi>Send a mail<'),
        ("file it in Desk", "Connect Desk first"),
        ("Deskに入れて", "Connect Desk first"),
    ],
)
async def test_connected_apps_come_first(sdk: Sdk, prompt: str, shown: str) -> None:
    """A function of a connected app goes before one of an app that isn't, unless the prompt names that app."""
    sdk.service.function("mail-send", title="Send a mail")(lambda _: "sent")
    sdk.service.predict(prompt, "desk-create-ticket", alternatives=["mail-send"])
    await show(sdk)

    assert shown in await ask(sdk, prompt)


@pytest.mark.parametrize(("names", "expected"), [((), None), (("mail", "desk"), "mail,desk")])
async def test_it_looks_in_the_apps_that_are_shown(desk: Sdk, names: tuple[str, ...], expected: str | None) -> None:
    """A marketplace of some apps predicts only functions of these."""
    await show(desk, *names)
    await ask(desk)

    assert [expected] == [query.get("app") for query in predictions(desk)]


async def test_problems_are_said_at_the_box(desk: Sdk) -> None:
    """A service that is away, or refuses, is told in the box, with the seconds to wait where it asks for them."""
    await show(desk)
    desk.is_away = True
    assert "Check your connection and try again." in await ask(desk)
    desk.is_away = False
    envelope = {"error": "Too many requests.", "error_details": [], "request_id": "r"}
    limited = Response.of_json(envelope, 429, {"Retry-After": "60"})
    desk.answer = lambda request: limited if "predict_function" in request.query else None
    html = await ask(desk)
    assert "Too many requests." in html
    assert re.search(r'id="prompt-ask" aria-disabled="true">Try again in \d+ seconds<', html)
    before = len(desk.requests)

    assert PROMPT == box(await act(desk, "ask", kind="submit"))[0]
    assert before == len(desk.requests)


async def test_what_is_refused_is_no_success(desk: Sdk) -> None:
    """The service's refusal stands at its field, to be mended; that of the app is shown with its status, and told."""
    detail = {"field": "title", "code": "format", "message": "Say more.", "action": "fix_field"}
    envelope = {"error": "Not called.", "error_details": [detail], "request_id": "r"}
    called = {"network_code": "422", "output": {"error": "<no>"}}
    answers = [Response.of_json(called), Response.of_json(envelope, 400)]
    desk.answer = lambda request: answers.pop() if request.method == "POST" else None
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="It smokes", kind="change")
    form = await act(desk, "submit", kind="submit")
    assert "Say more." in form
    assert 'value="It smokes"' in form
    assert [] == desk.heard("function-called")

    await act(desk, "set", "title", value="It smokes a lot", kind="change")
    shown = await act(desk, "submit", kind="submit")
    assert "Desk returned an error (422)." in shown
    assert "&lt;no&gt;" in shown
    (told,) = desk.heard("function-called")
    assert ({"title": "It smokes a lot"}, "422") == (told["arguments"], told["result"]["network_code"])


@pytest.mark.parametrize(("action", "kind"), [("mend", "click"), ("escape", "escape")])
async def test_what_an_app_refused_is_sent_anew_from_its_form(desk: Sdk, action: str, kind: str) -> None:
    """The form is as it was filled in, and says why; as another call it has another idempotency key."""
    called = {"network_code": "422", "output": {"message": "Too short."}}
    answers = [Response.of_json(called)]
    desk.answer = lambda request: answers.pop() if answers and request.method == "POST" else None
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="It smokes", kind="change")
    assert "Back to the form" in await act(desk, "submit", kind="submit")

    form = await act(desk, action, kind=kind)
    assert 'value="It smokes"' in form
    assert "Desk returned an error (422). Too short." in form
    assert "Suggested from" not in form
    assert "Done in Desk." in await act(desk, "submit", kind="submit")
    keys = [request.headers["Idempotency-Key"] for request in desk.requests if request.method == "POST"]
    assert 2 == len(set(keys)) == len(keys)
    assert ("", "") == box(await act(desk, "back"))


@pytest.mark.parametrize(("code", "error"), [("504", "timed_out"), ("502", "outcome_unknown")])
async def test_what_may_have_been_done_is_not_said_to_have_failed(desk: Sdk, code: str, error: str) -> None:
    """No whole answer came: the user is told to look before sending it again; the words stay for whoever goes back."""
    called = {"network_code": code, "output": {"error": error, "reason": "the app did not answer in time"}}
    desk.answer = lambda request: Response.of_json(called) if request.method == "POST" else None
    await show(desk)
    await ask(desk)
    shown = await act(desk, "submit", kind="submit")

    assert "Desk gave no whole answer, so this may have been done." in shown
    assert "returned an error" not in shown
    assert (PROMPT, "") == box(await act(desk, "back"))


async def test_a_form_outlives_a_service_that_is_away(desk: Sdk) -> None:
    """Whoever sends it offline finds it as it was filled in, with the reason, and sends it again later."""
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="It smokes", kind="change")
    desk.is_away = True
    form = await act(desk, "submit", kind="submit")
    assert 'value="It smokes"' in form
    assert "Check your connection and try again." in form

    desk.is_away = False
    assert "Done in Desk." in await act(desk, "submit", kind="submit")
    assert [{"title": "It smokes"}] == [call.arguments for call in desk.service.calls]


async def test_a_form_outlives_the_users_session(desk: Sdk) -> None:
    """Who was signed out meanwhile finds the form as filled in, with words that help, and sends it again."""
    refusal = {"error": "Send App-Key.", "error_details": [], "request_id": "r"}
    await show(desk)
    await ask(desk)
    await act(desk, "set", "title", value="It smokes", kind="change")
    desk.answer = lambda request: Response.of_json(refusal, 401)
    form = await act(desk, "submit", kind="submit")
    assert 'value="It smokes"' in form
    assert "Sign in to it again in another tab" in form
    assert "App-Key" not in form

    desk.answer = lambda request: None
    assert "Done in Desk." in await act(desk, "submit", kind="submit")


async def test_what_is_sent_again_is_done_once(desk: Sdk) -> None:
    """A form whose answer was lost keeps its idempotency key; filled in otherwise, it is another call."""
    refusal = {"error": "The service stopped before it answered.", "error_details": [], "request_id": "r"}
    await show(desk)
    await ask(desk)
    desk.answer = lambda request: Response.of_json(refusal, 503)
    for title in ("It smokes", "It smokes", "It burns"):
        await act(desk, "set", "title", value=title, kind="change")
        await act(desk, "submit", kind="submit")

    keys = [request.headers["Idempotency-Key"] for request in desk.requests if request.method == "POST"]
    assert 32 == len(keys[0])
    assert {keys[0], keys[-1]} == set(keys)
    assert keys[0] != keys[-1]


async def test_looking_can_be_stopped(desk: Sdk, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the service looks the box says so, sends nothing twice, and Stop or Escape end it; the modal stays."""
    looking = asyncio.Event()

    async def never(transport: AsyncMemoryTransport, request: HttpRequest) -> Response:
        looking.set()
        await asyncio.Event().wait()
        raise AssertionError

    await show(desk)
    monkeypatch.setattr(AsyncMemoryTransport, "send", never)
    for action in ("stop-asking", "escape"):
        looking.clear()
        html = await ask(desk)
        await looking.wait()
        assert "Looking for a match…" == box(html)[1]
        assert re.search(r'<textarea[^>]* id="prompt"[^>]* readonly', html)
        html = await act(desk, action)
        assert (PROMPT, "") == box(html)
        assert 'id="prompt-ask"' in html


async def test_the_host_page_can_do_without_the_box(desk: Sdk) -> None:
    """`promptBox: false` shows the apps alone; what an old page might send then does nothing."""
    await show(desk, promptBox=False)

    assert 'id="prompt"' not in await ask(desk)
    assert [] == predictions(desk)


async def test_a_surface_that_is_taken_away_ends_everything(desk: Sdk) -> None:
    """When the host page drops the surface while the form is open, nothing goes on and nothing is called."""
    await show(desk)
    await ask(desk)
    await desk.call("surfaceGone", surface="apps")
    await settle()

    assert {} == desk.page.surfaces
    assert [] == desk.service.calls
    assert [] == [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


async def test_predict_returns_the_function_with_its_arguments(desk: Sdk) -> None:
    """Null where nothing fits; options narrow what is looked at; of a named function only arguments are predicted."""
    await desk.start()

    found = await desk.call("predict", prompt=PROMPT)
    assert ("desk-create-ticket", {"title": "The printer is broken"}) == (found["name"], found["arguments"])
    assert {"title": "the printer is broken"} == found["prediction"]["evidence"]
    assert ["mail-send"] == [each["name"] for each in found["prediction"]["alternatives"]]
    assert await desk.call("predict", prompt="sing") is None
    assert await desk.call("predict", prompt=PROMPT, type="query", connectedOnly=True) is None
    for narrowed in ({"apps": ["mail"]}, {"functionName": "mail-send"}):
        found = await desk.call("predict", prompt=PROMPT, **narrowed)
        assert "mail-send" == found["name"]
    assert {} == found["arguments"]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({}, "invalid_argument"),
        ({"prompt": 1}, "invalid_argument"),
        ({"prompt": "x", "type": "other"}, "invalid_argument"),
        ({"prompt": "x", "apps": "desk"}, "invalid_argument"),
        ({"prompt": "x", "functionName": "mail-send", "apps": ["mail"]}, "invalid_argument"),
        ({"prompt": " "}, "prompt_required"),
        ({"prompt": "x", "apps": ["nothing"]}, "unknown_app"),
        ({"prompt": "x", "functionName": "mail-nothing"}, "unknown_function"),
    ],
)
async def test_predict_rejects_what_makes_no_sense(desk: Sdk, values: dict[str, Any], code: str) -> None:
    """Wrong options are refused before anything is sent, the rest by the service."""
    await desk.start()

    with pytest.raises(Rejected) as rejected:
        await desk.call("predict", **values)

    assert code == rejected.value.code
