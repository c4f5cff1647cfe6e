"""The Function Calls log and, separately, the refused calls."""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get
from litestar.response import Stream

from service_server.administration.call_export import EXPORT_FORMATS, MEDIA_TYPES, export
from service_server.administration.call_filters import FILTER_NAMES, read_filter
from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.console.failures import Refused
from service_server.console.guard import needs
from service_server.console.pages import file_headers
from service_server.console.visit import Visit, visit
from service_server.store import Call, CallFilter, Page, Refusal
from service_server.store.call_ids import is_place, moment_of

PAGE_SIZE = 50

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


@get("/console/calls/export", include_in_schema=False, **needs(Permission.SEE))
async def export_calls(request: Request[Any, Any, Any]) -> Stream:
    """All calls that fit the filters, as a file that is made while it is sent."""
    current = await visit(request)
    refused, contents = current.query.get("list") == "refused", current.query.get("contents") == "yes"
    asked, matching = _asked(current.query, refused=refused)
    form = current.query.get("format", "jsonl")
    if form not in EXPORT_FORMATS:
        raise Refused(400, "That can't be exported", f"A file is one of {', '.join(EXPORT_FORMATS)}.")
    if contents:
        current.actor.check(Permission.SEE_CONTENTS)
    filters = {name: text for name, text in asked.filters.items() if text}
    await current.service.audit.add(current.actor.does("calls.exported", "", filters=filters, contents=contents))
    log = current.service.calls
    if refused:
        pieces = export(log.each_refusal(matching), Refusal, form, contents=False)
    else:
        pieces = export(log.each(matching, contents=contents), Call, form, contents=contents)
    name = f"{'refused-' if refused else ''}calls.{form}"
    return Stream(
        pieces,
        media_type=MEDIA_TYPES[form],
        headers={**file_headers(), "Content-Disposition": f'attachment; filename="{name}"'},
    )


CALL_ROUTES = [list_calls, list_refusals, export_calls]


def _asked(query: Mapping[str, str], *, refused: bool = False) -> tuple[AskedCalls, CallFilter]:
    """Read the query; one that none of our pages links to is refused, not reinterpreted."""
    before = query.get("before", "")
    asked = AskedCalls({name: query.get(name, "") for name in FILTER_NAMES}, before)
    if before and not is_place(before):
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
