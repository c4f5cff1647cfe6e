"""A page in memory: remembers what it was told to do, so that tests on CPython can look."""

import asyncio
from typing import Any

from attrs import define, field

from servicejs.page.page import SessionToken


@define
class MemoryPage:
    """
    What a page would show and have done.

    `surfaces` holds the HTML of the open surfaces, `drafts` what was last kept of their forms, `popups` where each
    popup was sent (None once closed), `closings` what tells that the user closed it, and `events` every
    `(instance, event, payload)` in order.
    """

    surfaces: dict[str, str] = field(factory=dict)
    labels: dict[str, str] = field(factory=dict)
    drafts: dict[str, str | None] = field(factory=dict)
    closed_surfaces: list[str] = field(factory=list)
    popups: dict[str, str | None] = field(factory=dict)
    closings: dict[str, "asyncio.Future[bool]"] = field(factory=dict)
    events: list[tuple[str, str, dict[str, Any]]] = field(factory=list)
    forgotten_parameters: dict[str, str] | None = None
    left_for: str | None = None
    tokens: list[SessionToken] = field(factory=list)
    files: dict[str, bytes] = field(factory=dict)

    def update_surface(self, surface: str, html: str, label: str) -> None:
        """Keep what the surface shows now."""
        self.surfaces[surface] = html
        self.labels[surface] = label

    def close_surface(self, surface: str) -> None:
        """Forget the surface, and remember that it was closed."""
        self.surfaces.pop(surface, None)
        self.closed_surfaces.append(surface)

    def keep_draft(self, surface: str, draft: str | None) -> None:
        """Keep the draft by its surface."""
        self.drafts[surface] = draft

    def navigate_popup(self, popup: str, url: str) -> None:
        """Keep where the popup was sent."""
        self.popups[popup] = url

    def close_popup(self, popup: str) -> None:
        """Remember that the popup is closed."""
        self.popups[popup] = None

    async def popup_closed(self, popup: str) -> bool:
        """Wait until the test says so."""
        self.closings[popup] = asyncio.get_running_loop().create_future()
        return await self.closings[popup]

    def navigate(self, url: str) -> None:
        """Keep where the page went."""
        self.left_for = url

    def forget_parameters(self, parameters: dict[str, str]) -> None:
        """Keep what was taken out of the address."""
        self.forgotten_parameters = parameters

    def emit(self, instance: str, event: str, payload: dict[str, Any]) -> None:
        """Keep the event."""
        self.events.append((instance, event, payload))

    async def fetch_token(self, instance: str) -> SessionToken:
        """Hand out the prepared tokens, one after the other."""
        return self.tokens.pop(0)

    async def fetch_file(self, key: str) -> bytes:
        """Hand out a prepared file."""
        return self.files[key]
