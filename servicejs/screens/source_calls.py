"""The source functions that a form needs: called side by side, again after a reconnect, and given up with the form."""

import asyncio
from collections.abc import Awaitable, Callable

from service_client.errors import ServiceClientError, ServiceError
from service_client.models import Action, CallResult, Code
from servicejs.errors import SdkError, explain
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.sources import Remedy, Ticket

MOST_AT_ONCE = 4
"""Source functions called side by side; third-party apps limit how fast they may be asked."""


class SourceCalls:
    """
    Calls source functions for the form that `form` returns, and tells it what comes of them.

    `call` sends a ticket on the account in use; `changed` is called after every answer.
    """

    def __init__(
        self,
        form: Callable[[], Form],
        call: Callable[[Ticket], Awaitable[CallResult]],
        changed: Callable[[], None],
    ) -> None:
        self._form = form
        self._call = call
        self._changed = changed
        self._running: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)

    def load(self) -> bool:
        """Send what is due; returns whether anything was."""
        tickets = self._form().due()
        for ticket in tickets:
            self.send(ticket)
        return bool(tickets)

    def send(self, ticket: Ticket | None) -> None:
        """Call a source function in the background, unless there is nothing to call."""
        if ticket is not None:
            task = asyncio.create_task(self._fetch(ticket))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def settled(self) -> None:
        """Wait until no source function is being called any more."""
        while self._running:
            await asyncio.wait(self._running)

    def cancel(self) -> None:
        """Give up what is being called."""
        for task in tuple(self._running):
            task.cancel()

    async def reconnect(self, path: Path, reconnect: Callable[[tuple[str, ...]], Awaitable[None]]) -> None:
        """Have the account reconnected that a field's source function can't be called with; then ask all anew."""
        form = self._form()
        listing = form.listing_for(path, searching=True)
        if listing is None or listing.remedy is None:
            return
        try:
            await reconnect(listing.remedy.functions)
        except (SdkError, ServiceClientError) as error:
            listing.message = explain(error)
        else:
            form.listings.forget()
            self.load()

    async def _fetch(self, ticket: Ticket) -> None:
        try:
            async with self._places:
                result = await self._call(ticket)
            following = self._form().arrive(ticket, result)
        except Exception as error:  # a field says that its call failed, whatever the reason
            self._form().fail(ticket, explain(error), _remedy(error, ticket))
        else:
            for next_ticket in following:
                self.send(next_ticket)
        self._changed()


def _remedy(error: Exception, ticket: Ticket) -> Remedy | None:
    """Reconnecting helps where the service says so; where a permission is missing, for the function that needs it."""
    details = error.envelope.error_details if isinstance(error, ServiceError) else ()
    if not any(detail.action == Action.RECONNECT for detail in details):
        return None
    missing = any(detail.code == Code.MISSING_SCOPE for detail in details)
    return Remedy((ticket.request.function,) if missing else ())
