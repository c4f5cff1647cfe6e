"""The source functions that a form needs: called side by side, again after a remedy, and given up with the form."""

import asyncio
from collections.abc import Awaitable, Callable

from service_client.errors import ServiceClientError, ServiceError
from service_client.models import Action, CallResult, Code, ErrorDetail
from servicejs.errors import SdkError, explain
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.sources import Listing, Remedy, Ticket
from servicejs.screens.countdown import count_down, wait_of

MOST_AT_ONCE = 4
"""Source functions called side by side; third-party apps limit how fast they may be asked."""


class SourceCalls:
    """
    Calls source functions for a `form`, and passes it their answers; another form may take its place.

    `call` sends a ticket on the account in use; `changed` is called after every answer.
    """

    def __init__(
        self,
        form: Form,
        call: Callable[[Ticket], Awaitable[CallResult]],
        changed: Callable[[], None],
    ) -> None:
        self.form = form
        self._call = call
        self._changed = changed
        self._running: set[asyncio.Task[None]] = set()
        self._counting: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)

    def load(self) -> bool:
        """Send what is due; returns whether anything was."""
        tickets = self.form.sources.due()
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
        """Cancel the calls and countdowns that are running."""
        for task in (*self._running, *self._counting):
            task.cancel()

    async def remedy(self, path: Path, apply: Callable[[Remedy], Awaitable[Remedy | None]]) -> None:
        """
        Apply the remedy for a field's source function, then ask for everything again.

        `apply` returns None once that is done, or the remedy to use instead.
        """
        form = self.form
        listing = form.sources.listing_for(path, searching=True)
        if listing is None or listing.remedy is None:
            return
        try:
            listing.remedy = await apply(listing.remedy)
        except (SdkError, ServiceClientError) as error:
            listing.message = explain(error)
        else:
            if listing.remedy is None:
                form.sources.forget()
                self.load()

    async def _fetch(self, ticket: Ticket) -> None:
        try:
            async with self._places:
                result = await self._call(ticket)
            following = self.form.arrive(ticket, result)
        except Exception as error:  # a field says that its call failed, whatever the reason
            listing = self.form.fail(ticket, explain(error), _remedy(error, ticket))
            if listing is not None and listing.state == "failed" and (wait := wait_of(error)):
                self._count_down(listing, wait)
        else:
            for next_ticket in following:
                self.send(next_ticket)
        self._changed()

    def _count_down(self, listing: Listing, seconds: float) -> None:
        generation = listing.generation

        def tell(left: int) -> None:
            if listing.generation == generation:  # nobody has asked again since
                listing.wait = left
                self._changed()

        task = asyncio.create_task(count_down(seconds, tell))
        self._counting.add(task)
        task.add_done_callback(self._counting.discard)


def _remedy(error: Exception, ticket: Ticket) -> Remedy | None:
    """Return the remedy that the service names; if a permission is missing, for the function that needs it."""
    details = error.envelope.error_details if isinstance(error, ServiceError) else ()
    match next((detail for detail in details if detail.action), None):
        case ErrorDetail(action=Action.CONNECT):
            return Remedy("connect")
        case ErrorDetail(action=Action.PICK_ACCOUNT):
            return Remedy("pick_account")
        case ErrorDetail(action=Action.RECONNECT):
            missing = any(detail.code == Code.MISSING_SCOPE for detail in details)
            return Remedy("reconnect", (ticket.request.function,) if missing else ())
        case _:
            return None
