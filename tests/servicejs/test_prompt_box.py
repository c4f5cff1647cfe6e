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

    @sdk.service.function("mail-send", title="Send a mail", type="mutation", properties=titled)
    def send(arguments: dict[str, Any]) -> str:
        return "sent"

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


async def ask(sdk: Sdk, prompt: str) -> str:
    """Type a prompt, send it, and return what is shown then."""
    await sdk.act("apps", "type-prompt", value=prompt, kind="input")
    await sdk.act("apps", "ask", kind="submit")
    await settle()
    return sdk.page.surfaces["apps"]


def typed(html: str) -> str:
    """Return what the box holds."""
    found = re.search(r'<textarea[^>]* id="prompt"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)
    assert found is not None, html
    return found[1]


def said(html: str) -> str:
    """Return what the box says."""
    found = re.search(r'<p class="prompt-said"[^>]*>(.*?)</p>', html)
    assert found is not None, html
    return found[1]


async def test_a_prompt_becomes_a_form_and_a_call(desk: Sdk) -> None:
    """The form is filled in with its evidence; sent, its function is called, told to the page, and shown."""
    await show(desk)
    form = await ask(desk, PROMPT)
    assert 'value="The printer is broken"' in form
    assert "“the printer is broken”" in form
    assert f"You said: “{PROMPT}”" in form
    assert [] == desk.service.calls

    await desk.act("apps", "submit", kind="submit")
    await settle()

    assert [{"title": "The printer is broken"}] == [call.arguments for call in desk.service.calls]
    shown = desk.page.surfaces["apps"]
    assert "Done in Desk." in shown
    assert "&#34;id&#34;: 7" in shown
    (told,) = desk.heard("function-called")
    assert ("desk-create-ticket", {"title": "The printer is broken"}, None) == (
        told["function"],
        told["arguments"],
        told["connected_account_id"],
    )
    assert "200" == told["result"]["network_code"]

    await desk.act("apps", "back")
    await settle()
    assert ("", "") == (typed(desk.page.surfaces["apps"]), said(desk.page.surfaces["apps"]))


async def test_giving_up_keeps_the_words(desk: Sdk) -> None:
    """Cancel and Escape in the form lead back to the apps and call nothing; what was typed is there, with the focus."""
    await show(desk)
    for action, kind in (("cancel", "click"), ("escape", "escape")):
        await ask(desk, PROMPT)
        await desk.act("apps", action, kind=kind)
        await settle()
        html = desk.page.surfaces["apps"]
        assert PROMPT == typed(html)
        assert re.search(r'<textarea[^>]* data-autofocus="\d+"', html)
    assert [] == desk.service.calls


async def test_what_fits_nothing_asks_for_other_words(desk: Sdk) -> None:
    """Where nothing fits, the box says so and leaves the text; the next key takes the message away."""
    await show(desk)
    html = await ask(desk, "sing")
    assert "Nothing matches that." in said(html)
    assert "sing" == typed(html)

    await desk.act("apps", "type-prompt", value="sing a", kind="input")
    assert "" == said(desk.page.surfaces["apps"])


async def test_alternatives_take_the_forms_place(desk: Sdk) -> None:
    """A button for each function that was nearly chosen opens its form, which offers the way back."""
    await show(desk)
    form = await ask(desk, PROMPT)
    assert re.search(
        r'data-argument="mail-send"><bdi>Send a mail</bdi> <span class="muted"><bdi>Mail</bdi></span>', form
    )

    await desk.act("apps", "choose-alternative", "mail-send")
    await settle()
    form = desk.page.surfaces["apps"]
    assert '<h2 part="title" id="form-title"><bdi>Send a mail</bdi></h2>' in form
    assert 'data-argument="desk-create-ticket"><bdi>Create a ticket' in form

    await desk.act("apps", "choose-alternative", "desk-create-ticket")
    await settle()
    assert 'value="The printer is broken"' in desk.page.surfaces["apps"]
    await desk.act("apps", "choose-alternative", "nothing-offered")
    await settle()
    assert 'value="The printer is broken"' in desk.page.surfaces["apps"]


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
    ("prompt", "title"),
    [
        ("file it", "Send a mail"),
        ("file it at the helpdesk", "Send a mail"),
        ("file it in Desk", "desk-create-ticket"),
        ("Deskに入れて", "desk-create-ticket"),
    ],
)
async def test_connected_apps_come_first(sdk: Sdk, prompt: str, title: str) -> None:
    """A function of a connected app goes before one of an app that isn't, unless the prompt names that app."""

    @sdk.service.function("mail-send", title="Send a mail")
    def send(arguments: dict[str, Any]) -> str:
        return "sent"

    sdk.service.predict(prompt, "desk-create-ticket", alternatives=["mail-send"])
    await show(sdk)

    html = await ask(sdk, prompt)

    assert ("Connect Desk first" in html) == (title == "desk-create-ticket")
    assert ('id="form-title"><bdi>Send a mail<' in html) == (title == "Send a mail")


@pytest.mark.parametrize(("names", "expected"), [((), None), (("mail", "desk"), "mail,desk"), (("mail",), "mail")])
async def test_it_looks_in_the_apps_that_are_shown(desk: Sdk, names: tuple[str, ...], expected: str | None) -> None:
    """A marketplace of some apps predicts only functions of these."""
    await show(desk, *names)

    await ask(desk, PROMPT)

    asked = [request.query for request in desk.requests if request.query.get("predict_function") == "true"]
    assert {expected} == {query.get("app") for query in asked}


async def test_problems_are_said_at_the_box(desk: Sdk) -> None:
    """A service that is away, or refuses, is told in the box, with the seconds to wait where it asks for them."""
    await show(desk)
    desk.is_away = True
    assert "Check your connection and try again." in await ask(desk, PROMPT)
    desk.is_away = False

    def answer(request: HttpRequest) -> Response | None:
        if request.query.get("predict_function") != "true":
            return None
        envelope = {"error": "Too many requests.", "error_details": [], "request_id": "r"}
        return Response.of_json(envelope, 429, {"Retry-After": "60"})

    desk.answer = answer
    html = await ask(desk, PROMPT)
    assert "Too many requests." in html
    assert re.search(r'id="prompt-ask" aria-disabled="true">Try again in \d+ seconds<', html)
    before = len(desk.requests)
    await desk.act("apps", "ask", kind="submit")
    assert before == len(desk.requests)
    assert PROMPT == typed(desk.page.surfaces["apps"])


async def test_a_refused_call_leads_back_to_the_form(desk: Sdk) -> None:
    """What the service refuses stands at its field, the form keeps what was filled in, and it can be sent again."""
    detail = {"field": "title", "code": "format", "message": "Say more.", "action": "fix_field"}
    refusing = [{"error": "Not called.", "error_details": [detail], "request_id": "r"}]

    def answer(request: HttpRequest) -> Response | None:
        return Response.of_json(refusing.pop(), 400) if request.method == "POST" and refusing else None

    desk.answer = answer
    await show(desk)
    await ask(desk, PROMPT)
    await desk.act("apps", "set", "title", value="It smokes", kind="change")
    await desk.act("apps", "submit", kind="submit")
    await settle()
    form = desk.page.surfaces["apps"]
    assert "Say more." in form
    assert 'value="It smokes"' in form
    assert [] == desk.heard("function-called")

    await desk.act("apps", "set", "title", value="It smokes a lot", kind="change")
    await desk.act("apps", "submit", kind="submit")
    await settle()
    assert [{"title": "It smokes a lot"}] == [call.arguments for call in desk.service.calls]


async def test_what_the_app_answers_badly_is_no_success(desk: Sdk) -> None:
    """An executed call that the app refused is shown with its status, and told to the page all the same."""

    def answer(request: HttpRequest) -> Response | None:
        body = {"network_code": "422", "output": {"error": "<no>"}}
        return Response.of_json(body) if request.method == "POST" else None

    desk.answer = answer
    await show(desk)
    await ask(desk, PROMPT)
    await desk.act("apps", "submit", kind="submit")
    await settle()

    shown = desk.page.surfaces["apps"]
    assert "Desk returned an error (422)." in shown
    assert "&lt;no&gt;" in shown
    assert ["422"] == [told["result"]["network_code"] for told in desk.heard("function-called")]


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
        html = await ask(desk, PROMPT)
        await looking.wait()
        assert "Looking for a match…" == said(html)
        assert re.search(r'<textarea[^>]* id="prompt"[^>]* readonly', html)
        await desk.act("apps", action)
        html = desk.page.surfaces["apps"]
        assert (PROMPT, "") == (typed(html), said(html))
        assert 'id="prompt-ask"' in html


async def test_the_length_is_counted_near_the_limit(desk: Sdk) -> None:
    """Near 4,000 characters the box counts what is left; over them it says how many are too many, and sends nothing."""
    await show(desk)
    for length, expected in ((3600, None), (3601, "399 characters left"), (3999, "One character left")):
        await desk.act("apps", "type-prompt", value="😀" * length, kind="input")
        found = re.search(r'id="prompt-left">(.*?)<', desk.page.surfaces["apps"])
        assert expected == (found and found[1])

    html = await ask(desk, "a" * 4002)
    assert "2 characters too many" in html
    assert "Shorten it to 4000 characters." in html
    assert not any("prompt" in request.query for request in desk.requests)


async def test_an_empty_box_asks_for_words(desk: Sdk) -> None:
    """Nothing but blanks sends nothing, and the box says what it is for."""
    await show(desk)

    assert "Say what you want to do." == said(await ask(desk, " \n "))
    assert not any("prompt" in request.query for request in desk.requests)


async def test_the_words_outlive_everything_around_them(desk: Sdk) -> None:
    """Searching, disconnecting and connecting elsewhere leave in the box what was typed."""
    await show(desk)
    await desk.act("apps", "type-prompt", value="half a <sentence", kind="input")
    await desk.act("apps", "ask-disconnect", "1")
    await desk.act("apps", "disconnect", "1")
    connecting = await desk.act("apps", "connect", "desk", popup="popup")
    assert 'id="prompt"' not in desk.page.surfaces["apps"]
    await desk.act("apps", "cancel")
    await connecting
    await settle()

    assert "half a &lt;sentence" == typed(desk.page.surfaces["apps"])


async def test_the_host_page_can_do_without_the_box(desk: Sdk) -> None:
    """`promptBox: false` shows the apps alone; what an old page might send then does nothing."""
    await show(desk, promptBox=False)

    assert 'id="prompt"' not in await ask(desk, PROMPT)
    assert not any("prompt" in request.query for request in desk.requests)


async def test_a_surface_that_is_taken_away_ends_everything(desk: Sdk) -> None:
    """When the host page drops the surface while the form is open, nothing goes on and nothing is called."""
    await show(desk)
    await ask(desk, PROMPT)

    await desk.call("surfaceGone", surface="apps")
    await settle()

    assert {} == desk.page.surfaces
    assert [] == desk.service.calls
    assert [] == [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


async def test_predict_returns_the_function_with_its_arguments(desk: Sdk) -> None:
    """`predict` gives the function, its arguments and the prediction; null where nothing fits."""
    await desk.start()

    found = await desk.call("predict", prompt=PROMPT)

    assert ("desk-create-ticket", {"title": "The printer is broken"}) == (found["name"], found["arguments"])
    assert {"title": "the printer is broken"} == found["prediction"]["evidence"]
    assert ["mail-send"] == [each["name"] for each in found["prediction"]["alternatives"]]
    assert await desk.call("predict", prompt="sing") is None


async def test_predict_looks_where_it_is_told_to(desk: Sdk) -> None:
    """Options narrow what is looked at; with a function's name only its arguments are predicted."""
    await desk.start()

    elsewhere = await desk.call("predict", prompt=PROMPT, apps=["mail"])
    nowhere = await desk.call("predict", prompt=PROMPT, type="query", connectedOnly=True)
    named = await desk.call("predict", prompt=PROMPT, functionName="mail-send")

    assert ("mail-send", None, "mail-send") == (elsewhere["name"], nowhere, named["name"])
    assert {} == named["arguments"]


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
