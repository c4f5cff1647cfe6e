"""The Function Calls log and, separately, the refused calls."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get
from litestar.params import FromPath

from service_server.console.failures import Refused, not_found
from service_server.console.visit import Visit, visit
from service_server.store import Call, CallFilter, Refusal

PAGE_SIZE = 50
_ID = re.compile(r"[0-9a-f]{32}")
_OUTCOMES = {
    "succeeded": CallFilter(succeeded=True),
    "failed": CallFilter(succeeded=False),
    "unknown": CallFilter(outcome="unknown"),
    "started": CallFilter(outcome="started"),
}

Entry = TypeVar("Entry", Call, Refusal)


@frozen(kw_only=True)
class AskedCalls:
    """What a list was asked for, so that the form can show it again; an empty text stands for everything."""

    function: str
    user: str
    application: str
    outcome: str
    before: str

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered out."""
        return any((self.function, self.user, self.application, self.outcome))

    def older_than(self, entry: str) -> str:
        """The query for the page that follows an entry."""
        values = {"function": self.function, "user": self.user, "application": self.application}
        values |= {"outcome": self.outcome, "before": entry}
        return urlencode({name: value for name, value in values.items() if value})


@get("/console/calls", include_in_schema=False)
async def list_calls(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Executed calls, newest first."""
    current = await visit(request)
    asked, matching = _asked(current.query)
    calls = await current.service.calls.calls(limit=PAGE_SIZE + 1, before=asked.before or None, matching=matching)
    return await _page(current, "calls.html", asked, calls)


@get("/console/calls/refused", include_in_schema=False)
async def list_refusals(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Calls that were not executed, newest first."""
    current = await visit(request)
    asked, matching = _asked({**current.query, "outcome": ""})  # a refused call has no outcome
    refusals = await current.service.calls.refusals(limit=PAGE_SIZE + 1, before=asked.before or None, matching=matching)
    return await _page(current, "refusals.html", asked, refusals)


@get("/console/calls/{call_id:str}", include_in_schema=False)
async def show_call(request: Request[Any, Any, Any], call_id: FromPath[str]) -> Response[bytes]:
    """One executed call."""
    current = await visit(request)
    service = current.service
    call = await service.calls.get(call_id)
    if call is None:
        raise not_found("call")
    return current.page(
        "call.html",
        call=call,
        account=await service.accounts.get(call.account_id),
        application=await service.applications.get(call.application_id),
    )


CALL_ROUTES = [list_calls, list_refusals, show_call]


def _asked(query: Mapping[str, str]) -> tuple[AskedCalls, CallFilter]:
    """Read the query; one that none of our pages links to is refused, not reinterpreted."""
    asked = AskedCalls(
        function=query.get("function", "").strip(),
        user=query.get("user", ""),
        application=query.get("application", ""),
        outcome=query.get("outcome", ""),
        before=query.get("before", ""),
    )
    if (
        (asked.before and not _ID.fullmatch(asked.before))
        or (asked.application and not re.fullmatch(r"[0-9]{1,18}", asked.application))
        or (asked.outcome and asked.outcome not in _OUTCOMES)
    ):
        raise Refused(400, "That can't be listed", "The address is not one that the console made.")
    outcome = _OUTCOMES.get(asked.outcome, CallFilter())
    return asked, CallFilter(
        application_id=int(asked.application) if asked.application else None,
        user_id=asked.user or None,
        function_name=asked.function or None,
        outcome=outcome.outcome,
        succeeded=outcome.succeeded,
    )


async def _page(current: Visit, template: str, asked: AskedCalls, entries: list[Entry]) -> Response[bytes]:
    shown = entries[:PAGE_SIZE]
    applications = await current.service.applications.everyone()
    return current.page(
        template,
        asked=asked,
        entries=shown,
        older=asked.older_than(shown[-1].id) if len(entries) > PAGE_SIZE else None,
        applications=applications,
        names={each.id: each.name for each in applications},
    )
