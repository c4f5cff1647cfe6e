"""The Function Calls log and, separately, the refused calls."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from attrs import evolve, frozen
from litestar import Request, Response, get
from litestar.params import FromPath

from service_server.administration.call_filters import FILTER_NAMES, read_filter
from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.console.failures import Refused, not_found
from service_server.console.guard import needs
from service_server.console.visit import Visit, visit
from service_server.store import Call, CallFilter, Page, Refusal
from service_server.store.call_ids import moment_of

PAGE_SIZE = 50
_ID = re.compile(r"[0-9a-f]{12,32}")

Entry = TypeVar("Entry", Call, Refusal)


@frozen
class AskedCalls:
    """What a list was asked for, as texts, so that the form can show it again; an empty one stands for everything."""

    filters: Mapping[str, str]
    before: str

    def __getitem__(self, name: str) -> str:
        """The text of a filter."""
        return self.filters[name]

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered out."""
        return any(self.filters.values())

    @property
    def details(self) -> bool:
        """Whether one of the filters that are seldom needed is used."""
        return any(self.filters[name] for name in ("code", "since", "until", "request"))

    def query(self, **others: str) -> str:
        """The query of an address with these filters, and others."""
        values = {**self.filters, **others}
        return urlencode({name: value for name, value in values.items() if value})


@get("/console/calls", include_in_schema=False, **needs(Permission.SEE))
async def list_calls(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Executed calls, newest first."""
    current = await visit(request)
    asked, matching = _asked(current.query)
    page = await current.service.calls.calls(limit=PAGE_SIZE, before=asked.before or None, matching=matching)
    return await _page(current, "calls.html", asked, page)


@get("/console/calls/refused", include_in_schema=False, **needs(Permission.SEE))
async def list_refusals(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Calls that were not executed, newest first."""
    current = await visit(request)
    asked, matching = _asked({**current.query, "outcome": ""}, refused=True)  # it has no outcome
    page = await current.service.calls.refusals(limit=PAGE_SIZE, before=asked.before or None, matching=matching)
    return await _page(current, "refusals.html", asked, page)


@get("/console/calls/{call_id:str}", include_in_schema=False, **needs(Permission.SEE))
async def show_call(request: Request[Any, Any, Any], call_id: FromPath[str]) -> Response[bytes]:
    """One executed call."""
    current = await visit(request)
    service = current.service
    call = await service.calls.get(call_id)
    if call is None:
        raise not_found("call")
    if current.may(Permission.SEE_CONTENTS):
        await service.audit.add(current.actor.does("call.read", call.id, function=call.function_name))
    else:
        call = without_contents(call)
    return current.page(
        "call.html",
        call=call,
        account=await service.accounts.get(call.account_id),
        application=await service.applications.get(call.application_id),
    )


def without_contents(call: Call) -> Call:
    """A call as those see it who may not see what it was given and what it answered."""
    return evolve(call, arguments=None, output=None)


CALL_ROUTES = [list_calls, list_refusals, show_call]


def _asked(query: Mapping[str, str], *, refused: bool = False) -> tuple[AskedCalls, CallFilter]:
    """Read the query; one that none of our pages links to is refused, not reinterpreted."""
    before = query.get("before", "")
    asked = AskedCalls({name: query.get(name, "") for name in FILTER_NAMES}, before)
    if before and not _ID.fullmatch(before):
        raise Refused(400, "That can't be listed", "The address is not one that the console made.")
    try:
        return asked, read_filter(asked.filters, refused=refused)
    except AdministrationError as error:
        raise Refused(400, "That can't be listed", str(error)) from error


async def _page(current: Visit, template: str, asked: AskedCalls, page: Page[Entry]) -> Response[bytes]:
    applications = await current.service.applications.everyone()
    return current.page(
        template,
        asked=asked,
        entries=page.entries,
        older=None if page.older is None else asked.query(before=page.older),
        searched_to=moment_of(page.older) if page.cut and page.older else None,
        applications=applications,
        names={each.id: each.name for each in applications},
    )
