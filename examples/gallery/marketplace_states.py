"""The states of the marketplace and of the panels around connecting that are worth looking at."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from service_client.errors import ServiceUnreachable
from service_client.testing import AsyncMemoryTransport, FakeService, HttpRequest, Response
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
        self._sdk = ServiceJs(self.page, AsyncMemoryTransport(self._answer))
        for name, title, category in (
            ("calendar", "Calendar", "productivity"),
            ("chat", "Chat <& talk>", "communication"),
            ("code", "Code", "development"),
            ("desk", "Desk", "support"),
            ("drive", "Drive", "files"),
            ("tickets", "Tickets", "projects"),
        ):
            accounts = ["alice@tickets.example", "bob@tickets.example"] if name == "tickets" else []
            self.service.add_app(name, title=title, accounts=accounts, categories=[category])

    def _answer(self, request: HttpRequest) -> Response:
        if self.away:
            raise ServiceUnreachable("The service could not be reached.", may_have_executed=False)
        if self.busy:
            envelope = {"error": "Too many requests.", "error_details": [], "request_id": "r"}
            return Response.of_json(envelope, 429, {"Retry-After": "150"})
        return self.service.handle(request)

    async def call(self, method: str, **arguments: Any) -> None:
        """Call a method of the SDK; what it rejects with is shown on the page."""
        message = {"id": 1, "instance": "gallery", "method": method, "arguments": arguments}
        await self._sdk.dispatch(json.dumps(message))
        await self.settle()

    async def act(self, action: str, argument: str = "", value: str | None = None) -> None:
        """Make a gesture; what it sets off goes on in the background."""
        gesture = {"surface": SURFACE, "action": action, "argument": argument, "value": value, "kind": "click"}
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


async def opened() -> Marketplace:
    """Show the marketplace."""
    marketplace = Marketplace()
    await marketplace.call("create", options=OPTIONS)
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return marketplace


@state
async def apps() -> str:
    """All apps, those with accounts first."""
    return await (await opened()).shown()


@state
async def nothing_found() -> str:
    """A search that no app matches."""
    marketplace = await opened()
    await marketplace.act("search", value="mail")
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
    await marketplace.call("create", options=OPTIONS)
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def service_away() -> str:
    """The service can't be reached."""
    marketplace = Marketplace()
    await marketplace.call("create", options=OPTIONS)
    marketplace.away = True
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def asked_to_wait() -> str:
    """The service asks to come back later."""
    marketplace = Marketplace()
    await marketplace.call("create", options=OPTIONS)
    marketplace.busy = True
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return await marketplace.shown()


@state
async def many_apps() -> str:
    """More apps than are shown at once."""
    marketplace = Marketplace()
    for number in range(100):
        marketplace.service.add_app(f"app{number}", title=f"App {number}")
    await marketplace.call("create", options=OPTIONS)
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
async def connect_first() -> str:
    """A function of an app without an account."""
    marketplace = Marketplace()
    marketplace.service.function("desk-create-ticket")(lambda arguments: {})
    await marketplace.call("create", options=OPTIONS)
    marketplace._going_on = asyncio.ensure_future(
        marketplace.call("showFunctionUI", functionName="desk-create-ticket", params={}, surface=SURFACE)
    )
    await marketplace.settle()
    return await marketplace.shown()
