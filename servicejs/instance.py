"""One instance of the SDK: a user of an application, and all that is open for them on the page."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

from service_client import AsyncClient, __version__
from service_client.errors import AuthenticationError, ServiceClientError
from service_client.plans import AsyncTransport
from servicejs.accounts import Accounts
from servicejs.errors import SdkError, describe_error
from servicejs.look import Look
from servicejs.options import Options, open_client
from servicejs.page.page import Emit, Page
from servicejs.redirect import redeem_return
from servicejs.screens.screen import Gesture
from servicejs.surface import Surface

T = TypeVar("T")


class Instance:
    """
    What the methods of one instance share: its client, its events, its surfaces and everything that runs for it.

    `start` comes first. An instance whose options or credentials are refused stays refused: it emits `error`, and
    every method raises that error.
    """

    options: Options
    client: AsyncClient
    accounts: Accounts

    def __init__(self, name: str, page: Page, locale: str) -> None:
        self.name = name
        self.locale = locale
        self.accent: str | None = None  # the colour that the page has given the SDK, as #rrggbb
        self.page = page
        self.emit: Emit = partial(page.emit, name)
        self.surfaces: dict[str, Surface] = {}
        self.drafts: dict[str, str] = {}  # of forms that prompts led to, by the functions' names
        self._tasks: set[asyncio.Task[Any]] = set()
        self._refused: Exception | None = None
        self._check: asyncio.Task[None] | None = None

    def start(self, options: dict[str, Any], transport: AsyncTransport | None) -> None:
        """Read the options and start checking the credentials; the result is emitted as `ready` or `error`."""
        try:
            self.options = Options.read(options)
            self.client = open_client(self.options, self.page, self.name, transport)
        except (SdkError, ServiceClientError) as error:
            self._refuse(error)
            return
        self.accounts = Accounts(self.client, self.page, self.emit, self.look, self.options.redirect_url)
        self._check = self.spawn(self._check_credentials())

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Carry out a method, unless the instance was refused; it ends with the instance at the latest."""
        if self._refused is None and self._check is None:
            self._check = self.spawn(self._check_credentials())  # the service was away; by now it may be back
        if self._refused is not None:
            raise self._refused
        return await self.spawn(work())

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start something that ends with the instance at the latest."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def look(self) -> Look:
        """Return what the service's connect pages take over from this one: language, theme and colour."""
        return {"locale": self.locale or None, "theme": self.options.theme, "accent": self.accent}

    def open(self, name: str, early: Sequence[Gesture] = ()) -> Surface:
        """Take charge of a surface that the page opened, and of the gestures that came before there was a screen."""
        surface = Surface(name, self.page, early)
        self.surfaces[name] = surface
        return surface

    def close(self, surface: Surface) -> None:
        """Take a surface away."""
        surface.close()
        self.surfaces.pop(surface.name, None)

    async def destroy(self) -> None:
        """Take all surfaces away, stop everything that is running, and close the connections."""
        for surface in list(self.surfaces.values()):
            self.close(surface)
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if hasattr(self, "client"):
            await self.client.aclose()

    async def _check_credentials(self) -> None:
        """
        Ask the service for something small; its answer tells whether the credentials are valid.

        This is skipped if the service already accepted them for its first screen. Any failure is emitted as `error`;
        all but a refusal of the credentials may have passed by the next call.
        """
        try:
            if not self.options.is_accepted:
                await self.client.apps.list(connected_only=True)
        except AuthenticationError as error:
            self._refuse(error)
            return
        except Exception as error:
            self._check = None
            self.emit("error", describe_error(error))
            return
        self.emit("ready", {"isReady": True, "user_id": self.options.user_id, "version": __version__})
        await redeem_return(self.options, self.accounts, self.page, self.emit)

    def _refuse(self, error: Exception) -> None:
        self._refused = error
        self.emit("error", describe_error(error))
