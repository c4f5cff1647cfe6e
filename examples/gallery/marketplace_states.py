"""The states of the marketplace and of the panels around connecting that are worth looking at."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

from service_client.errors import ServiceUnreachableError
from service_client.testing import AsyncMemoryTransport, FakeService, HttpRequest, Response
from servicejs.language import spoken
from servicejs.page.memory_page import MemoryPage
from servicejs.service_js import ServiceJs

OPTIONS = {"appKey": "key", "userId": "ann", "hash": "0" * 64, "baseUrl": "https://service.example"}
SURFACE = "surface"

MarketplaceState = Callable[[], Awaitable[str]]
STATES: dict[str, MarketplaceState] = {}


def state(build: MarketplaceState) -> MarketplaceState:
    """Name a state after the function that builds it."""
    STATES[build.__name__.replace("_", "-")] = build
    return build


class Marketplace:
    """The SDK with a marketplace on a page in memory, and a service of a few apps, one of them with accounts."""

    def __init__(self) -> None:
        self.service = FakeService()
        self.page = MemoryPage()
        self.away = self.busy = False
        self.gate: asyncio.Event | None = None
        self.answered: dict[str, Any] = {"network_code": "200"}  # of a call, in place of what the function says
        self.refusal = ""  # why the newest account needs reconnecting
        self._sdk = ServiceJs(self.page, AsyncMemoryTransport(self._answer))
        for name, title, category, description in (
            ("calendar", "Calendar", "productivity", "Events, guests and free times."),
            ("chat", "Chat <& talk>", "communication", "Messages, channels and calls of a team."),
            ("code", "Code", "development", "Repositories, issues, pull requests and releases, with their reviews."),
            ("desk", "Desk", "support", "Mail from customers, and the answers to it."),
            ("drive", "Drive", "files", "Files, folders and shared links."),
            ("tickets", "Tickets", "projects", "Tickets, projects and comments."),
        ):
            accounts = ["alice@tickets.example", "bob@tickets.example"] if name == "tickets" else []
            self.service.add_app(name, title=title, description=description, accounts=accounts, categories=[category])

    async def _answer(self, request: HttpRequest) -> Response:
        if self.gate is not None:
            await self.gate.wait()
        if self.away:
            raise ServiceUnreachableError("The service could not be reached.", may_have_executed=False)
        if self.busy:
            envelope = {"error": "Too many requests.", "error_details": [], "request_id": "r"}
            return Response.of_json(envelope, 429, {"Retry-After": "150"})
        answer = self.service.handle(request)
        if self.refusal and request.path == "/apps":
            answer = Response.of_json(_refused(json.loads(answer.content), self.refusal))
        if request.method == "POST" and "/functions/" in request.path:
            return Response.of_json(json.loads(answer.content) | self.answered)
        return answer

    async def call(self, method: str, **arguments: Any) -> None:
        """Call a method of the SDK; what it rejects with is shown on the page."""
        message = {"id": 1, "instance": "gallery", "method": method, "arguments": arguments}
        await self._sdk.dispatch(json.dumps(message))
        await self.settle()

    async def act(self, action: str, argument: str = "", value: str | None = None, popup: str | None = None) -> None:
        """Make a gesture, which may have opened a window; what it sets off goes on in the background."""
        about = {"surface": SURFACE, "kind": "click", "action": action, "argument": argument}
        gesture = {**about, "value": value, "popup": popup}
        self._going_on = asyncio.ensure_future(self.call("gesture", **gesture))
        await self.settle()

    async def settle(self) -> None:
        """Let everything run that need not wait for anything outside."""
        for _ in range(60):
            await asyncio.sleep(0)

    async def shown(self) -> str:
        """Return what the page shows, and end everything."""
        html = self.page.surfaces[SURFACE]
        await self.call("destroy")
        return html


def _refused(listed: Any, reason: str) -> Any:
    for app in listed["apps"]:
        for account in app["connected_accounts"][:1]:
            account |= {"state": "reconnect_required", "state_reason": reason}
    return listed


async def opened(*, refusal: str = "") -> Marketplace:
    """Show the marketplace."""
    marketplace = Marketplace()
    marketplace.refusal = refusal
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return marketplace


@state
async def apps() -> str:
    """All apps, those with accounts first."""
    return await (await opened()).shown()


@state
async def needs_reconnecting() -> str:
    """An account that the app refuses."""
    return await (await opened(refusal="Tickets no longer accepts this account's sign-in.")).shown()


@state
async def menu() -> str:
    """What can be done with the accounts of an app."""
    html = await (await opened()).shown()
    return re.sub(r'(<div class="menu"[^>]*) hidden>', r"\1>", html).replace(
        'aria-expanded="false"', 'aria-expanded="true"'
    )


@state
async def nothing_found() -> str:
    """A search that no app matches, not even nearly."""
    marketplace = await opened()
    await marketplace.act("search", value="payroll")
    return await marketplace.shown()


@state
async def found_nearly() -> str:
    """A search with a mistake, which no app matches."""
    marketplace = await opened()
    await marketplace.act("search", value="calandar")
    return await marketplace.shown()


@state
async def found_with_others() -> str:
    """A search that one app matches by its name, and another by what it is for."""
    marketplace = await opened()
    await marketplace.act("search", value="cal")
    return await marketplace.shown()


@state
async def one_category() -> str:
    """The apps of one category."""
    marketplace = await opened()
    await marketplace.act("pick-category", value="files")
    return await marketplace.shown()


@state
async def disconnecting() -> str:
    """The question before an account is disconnected."""
    marketplace = await opened()
    await marketplace.act("ask-disconnect", "1")
    return await marketplace.shown()


@state
async def disconnected() -> str:
    """The notice that an account is gone."""
    marketplace = await opened()
    await marketplace.act("disconnect", "1")
    return await marketplace.shown()


@state
async def no_apps() -> str:
    """A service without apps."""
    marketplace = Marketplace()
    marketplace.service = FakeService()
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def service_away() -> str:
    """The service can't be reached."""
    marketplace = Marketplace()
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    marketplace.away = True
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def asked_to_wait() -> str:
    """The service asks to come back later."""
    marketplace = Marketplace()
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    marketplace.busy = True
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def many_apps() -> str:
    """More apps than are shown at once."""
    marketplace = Marketplace()
    for number in range(100):
        marketplace.service.add_app(f"app{number}", title=f"App {number}")
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def window_blocked() -> str:
    """The browser opened no window: there is a link instead."""
    marketplace = await opened()
    await marketplace.act("connect", "desk")
    return await marketplace.shown()


@state
async def waiting_for_the_window() -> str:
    """The user is signing in in another window."""
    marketplace = await opened()
    await marketplace.act("connect", "desk")
    await marketplace.act("opened")
    return await marketplace.shown()


@state
async def window_closed() -> str:
    """The user seems to have closed the window before the end."""
    marketplace = await opened()
    await marketplace.act("connect", "desk", popup="window")
    marketplace.page.closings["window"].set_result(True)
    await marketplace.settle()
    return await marketplace.shown()


PROMPT = "create a ticket about the broken printer in project Office, high priority"


async def asked(prompt: str, *, app: str = "tickets", type: Literal["query", "mutation"] = "mutation") -> Marketplace:
    """Type a prompt that a function of an app fits, and send it; what else it may mean is in other apps."""
    marketplace = Marketplace()
    text = {"type": "string"}
    properties = {
        "title": {"type": "string", "title": "Title", "description": "What it is about, in a few words."},
        "project": {"type": "string", "title": "Project"},
        "priority": {"type": "string", "title": "Priority", "enum": ["low", "normal", "high"]},
    }
    for name, title, parameters in (
        (f"{app}-create-ticket", "Create a ticket", properties),
        ("code-create-issue", "Open an issue", {"title": text}),
        ("chat-send-message", "Send a message", {"text": text}),
        ("calendar-create-event", "Create an event", {"title": text}),
    ):
        offer = marketplace.service.function(
            name, title=title, type=type, properties=parameters, required=list(parameters)[:2]
        )
        offer(lambda arguments: {"id": 12, "state": "open", "html_url": "https://tickets.example/12", **arguments})
    marketplace.service.predict(
        PROMPT,
        f"{app}-create-ticket",
        {"title": "Broken printer", "priority": "high"},
        alternatives=["code-create-issue", "chat-send-message", "calendar-create-event"],
        evidence={"title": "the broken printer", "priority": "high priority"},
    )
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    await marketplace.act("type-prompt", value=prompt)
    await marketplace.act("ask")
    return marketplace


@state
async def looking() -> str:
    """The service looks for what fits a prompt."""
    marketplace = await opened()
    marketplace.gate = asyncio.Event()
    await marketplace.act("type-prompt", value=PROMPT)
    await marketplace.act("ask")
    return await marketplace.shown()


@state
async def nothing_fits() -> str:
    """No function fits a prompt."""
    return await (await asked("sing me a song")).shown()


@state
async def prompt_too_long() -> str:
    """A prompt of more than the service reads."""
    return await (await asked(f"{PROMPT} and " * 52)).shown()


@state
async def prompt_nearly_too_long() -> str:
    """A prompt of nearly as much as the service reads, in lines."""
    marketplace = await opened()
    await marketplace.act("type-prompt", value=f"{PROMPT}\n" * 49)
    return await marketplace.shown()


@state
async def prompt_failed() -> str:
    """The service can't be reached while it should look."""
    marketplace = await opened()
    marketplace.away = True
    await marketplace.act("type-prompt", value=PROMPT)
    await marketplace.act("ask")
    return await marketplace.shown()


@state
async def prompt_refused() -> str:
    """The service asks to come back later with a prompt."""
    marketplace = await opened()
    marketplace.busy = True
    await marketplace.act("type-prompt", value=PROMPT)
    await marketplace.act("ask")
    return await marketplace.shown()


@state
async def suggested() -> str:
    """A form filled in from a prompt, what else it may have meant, and a value that is missing."""
    marketplace = await asked(PROMPT)
    await marketplace.act("pick-account", value="1")
    await marketplace.act("submit")
    return await marketplace.shown()


@state
async def suggested_without_an_account() -> str:
    """A prompt leads to an app without an account."""
    return await (await asked(PROMPT, app="desk")).shown()


async def sent(type: Literal["query", "mutation"] = "mutation", **answered: Any) -> Marketplace:
    """Complete and send the form that a prompt led to."""
    marketplace = await asked(PROMPT, type=type)
    marketplace.answered |= answered
    await marketplace.act("pick-account", value="1")
    await marketplace.act("set", "project", "Office")
    await marketplace.act("submit")
    return marketplace


CREATED: Final[dict[str, Any]] = {
    "title": "Ticket 12 created",
    "link": "https://tickets.example/12",
    "facts": [
        {"title": "Title", "value": "Broken printer"},
        {"title": "Project", "value": "Office"},
        {"title": "Priority", "value": "high"},
        {"title": "Labels", "value": ["hardware", "second floor"]},
    ],
}


@state
async def done() -> str:
    """What a prompt asked for was done, in the words of the app's connector."""
    return await (await sent(outcome=CREATED)).shown()


@state
async def done_with_one_fact() -> str:
    """Hardly anything is to be said of what was done."""
    return await (await sent(outcome={**CREATED, "link": None, "facts": CREATED["facts"][:1]})).shown()


@state
async def done_with_a_file() -> str:
    """What a prompt asked for is a file, which is no text to read."""
    return await (await sent(output={"content_type": "application/pdf", "base64": "JVBERi0xLjcK" * 1000})).shown()


@state
async def done_with_plain_fields() -> str:
    """What a prompt asked for was done, and the connector has no words for that."""
    return await (await sent()).shown()


@state
async def done_with_nothing_to_show() -> str:
    """What a prompt asked for was done, and the app answered with nothing."""
    return await (await sent(output=None)).shown()


@state
async def done_with_long_texts() -> str:
    """What was made has a title of several lines and values without a blank."""
    title = (
        "Ticket “The printer on the second floor is on fire again, and nobody knows where the extinguisher is” created"
    )
    facts = [
        {"title": "What somebody wrote about it", "value": "It smokes. " * 40},
        {"title": "Fingerprint", "value": "0123456789abcdef" * 12},
        {"title": "Donaudampfschifffahrtsgesellschaft", "value": True},
    ]
    return await (await sent(outcome={**CREATED, "title": title, "facts": facts})).shown()


@state
async def done_badly() -> str:
    """The app refused what a prompt asked for."""
    refused = {"error": {"code": "locked", "message": "The project “Office” is archived. Nothing can be added to it."}}
    return await (await sent(network_code="422", output=refused)).shown()


@state
async def done_with_a_list() -> str:
    """What a prompt asked for is a list, of which this is the second page of three."""
    tickets = [
        {"id": 7 + number, "title": title, "state": "open", "project": {"id": 3, "name": "Office"}, "etag": "x" * 40}
        for number, title in enumerate(("Broken printer", "The projector in room 4 has no cable <b>", "New badge"))
    ]
    marketplace = await sent("query", output={"tickets": tickets}, next_page="more")
    await marketplace.act("page-after")
    return await marketplace.shown()


@state
async def done_with_an_empty_list() -> str:
    """What a prompt asked for is a list without entries."""
    return await (await sent("query", output=[])).shown()


@state
async def connect_first() -> str:
    """A function of an app without an account."""
    marketplace = Marketplace()
    marketplace.service.function("desk-create-ticket")(lambda arguments: {})
    await marketplace.call("create", options=OPTIONS | {"locale": spoken()})
    marketplace._going_on = asyncio.ensure_future(
        marketplace.call("showFunctionUI", functionName="desk-create-ticket", params={}, surface=SURFACE)
    )
    await marketplace.settle()
    return await marketplace.shown()
