"""The page as a Pyodide worker reaches it: messages to the shell, which does what they say."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from servicejs.errors import SdkError
from servicejs.exact_numbers import json_for_page
from servicejs.page.page import SessionToken
from servicejs.service_js import ServiceJs


class WorkerPage:
    """Tells the shell what to do by JSON messages; `ask` takes such a message, too, and returns the shell's answer."""

    def __init__(self, post: Callable[[str], object], ask: Callable[[str], Awaitable[Any]]) -> None:
        self._post = post
        self._ask = ask

    def update_surface(self, surface: str, html: str, label: str) -> None:
        """Show `html` in a surface."""
        self._tell("updateSurface", surface=surface, html=html, label=label)

    def close_surface(self, surface: str) -> None:
        """Take a surface away."""
        self._tell("closeSurface", surface=surface)

    def keep_draft(self, surface: str, draft: str | None) -> None:
        """Keep what is filled in."""
        self._tell("keepDraft", surface=surface, draft=draft)

    def navigate_popup(self, popup: str, url: str) -> None:
        """Send a popup to `url`."""
        self._tell("navigatePopup", popup=popup, url=url)

    def close_popup(self, popup: str) -> None:
        """Close a popup."""
        self._tell("closePopup", popup=popup)

    async def popup_closed(self, popup: str) -> bool:
        """Wait until the shell has seen that a popup is closed."""
        return bool(await self._ask(json.dumps({"do": "awaitClosed", "popup": popup})))

    def navigate(self, url: str) -> None:
        """Leave the page for `url`."""
        self._tell("navigate", url=url)

    def forget_parameters(self, parameters: dict[str, str]) -> None:
        """Take parameters out of the page's address."""
        self._tell("forgetParameters", parameters=parameters)

    def emit(self, instance: str, event: str, payload: dict[str, Any]) -> None:
        """Pass on an event."""
        self._tell("emit", instance=instance, event=event, payload=payload)

    async def fetch_token(self, instance: str) -> SessionToken:
        """Ask the host page for a session token."""
        answer = json.loads(await self._ask(json.dumps({"do": "fetchToken", "instance": instance})))
        if "error" in answer:
            raise SdkError("token_failed", f"The page's token function failed: {answer['error']}")
        token: SessionToken = answer.get("token", "")  # JSON leaves out what is undefined
        return token

    async def fetch_file(self, key: str) -> Any:
        """Get a file that the user has chosen, as a File of the browser."""
        return await self._ask(json.dumps({"do": "fetchFile", "key": key}))

    def started(self) -> None:
        """Tell the shell that Python is running."""
        self._tell("started")

    def _tell(self, do: str, **values: Any) -> None:
        self._post(json_for_page({"do": do, **values}))


def start(post: Callable[[str], object], ask: Callable[[str], Awaitable[Any]]) -> Callable[[str], None]:
    """Start the SDK in a worker: `post` sends a text to the page; the returned function takes the page's messages."""
    page = WorkerPage(post, ask)
    page.started()
    service_js = ServiceJs(page)
    answering: set[asyncio.Task[None]] = set()

    async def answer(message: str) -> None:
        post(await service_js.dispatch(message))

    def receive(message: str) -> None:
        task = asyncio.ensure_future(answer(message))
        answering.add(task)  # the loop itself holds tasks only weakly
        task.add_done_callback(answering.discard)

    return receive
