"""Turns the names that a prompt gives into ids, by asking the app's source functions in the user's account."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import structlog
from attrs import evolve, field, frozen

from service_client.models import Function, Source, ValueChoice
from service_server.answers.reader import is_light
from service_server.answers.side_process import SideProcess, TooMuchWork
from service_server.catalog.catalog import Catalog
from service_server.errors import ServiceError
from service_server.invoke import CallRequest, JsonBody
from service_server.invoke.idempotency import IdempotentInvoker
from service_server.json_texts.json_text import JsonText
from service_server.predict.label_matching import BETWEEN_NAMES, Match
from service_server.predict.source_values import (
    NotYet,
    entries_of,
    fitting,
    matches_in,
    source_arguments,
    take,
)
from service_server.predict.values import ArgumentPrediction, put_at
from service_server.prediction.wanted_names import Wanted, defaults_of, wanted_of
from service_server.store import Accounts, DatabaseAway

MOST_SOURCES = 3
"""Source functions that are asked for one prediction."""
MOST_PAGES = 3
MOST_CHOICES = 5
SECONDS = 5.0
"""How long a prediction waits for all of them together."""

_SIGNS = "#@ "
_HTTP_OK = range(200, 300)

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Asker:
    """
    For whom names are resolved, and in which account: if `connected_account_id` is None, in the app's only one.

    `allows` says whether the caller's credentials may call a function, by its name and type.
    """

    application_id: int
    user_id: str
    request_id: str
    connected_account_id: int | None = None
    allows: Callable[[str, str], bool] = field(default=lambda name, kind: True)


@frozen(kw_only=True)
class Resolved:
    """A prediction with ids for the names that were clear; `choices` are what the other names may mean, by path."""

    prediction: ArgumentPrediction
    choices: dict[str, tuple[ValueChoice, ...]] = field(factory=dict)


class NameResolver:
    """Resolves names for predictions."""

    def __init__(
        self, catalog: Catalog, accounts: Accounts, invoker: IdempotentInvoker, side_process: SideProcess
    ) -> None:
        self._catalog = catalog
        self._accounts = accounts
        self._invoker = invoker
        self._side_process = side_process

    async def resolve(self, asker: Asker, function: Function, prediction: ArgumentPrediction) -> Resolved:
        """
        Return the prediction with ids for its names, as far as the user's account tells them.

        What the named things are listed by may be left unsaid where it has a default, or where there is only one.
        It comes back unchanged if no account is connected, if several are and none was named, or if no source answers
        in time. `function` has its meta. At most three source functions are called, all of them queries. They run like
        any call: within the app's budget, in the log, and to the end even if nobody waits any longer.
        """
        wanted = [each for each in wanted_of(function, prediction) if self._may_ask(asker, each.source)]
        if not wanted:
            return Resolved(prediction=prediction)
        account_id = await self._account(asker, function.app_name)
        if account_id is None:
            return Resolved(prediction=prediction)
        asker = evolve(asker, connected_account_id=account_id)
        matches: dict[str, list[Match]] = {}
        arguments = deepcopy(prediction.arguments)
        try:
            async with asyncio.timeout(SECONDS):
                await self._resolve_all(asker, wanted[:MOST_SOURCES], defaults_of(function), arguments, matches)
        except TimeoutError:
            _LOG.info("names.not_in_time", function=function.name)
        return _resolved(function, prediction, wanted, arguments, matches)

    def _may_ask(self, asker: Asker, source: Source) -> bool:
        definition = self._catalog.function(source.function)
        return definition is not None and definition.type == "query" and asker.allows(definition.name, "query")

    async def _account(self, asker: Asker, app_name: str) -> int | None:
        accounts = await self._accounts.of_user(asker.application_id, asker.user_id, app_name)
        if asker.connected_account_id is not None:
            accounts = [account for account in accounts if account.id == asker.connected_account_id]
        return accounts[0].id if len(accounts) == 1 and accounts[0].state == "active" else None

    async def _resolve_all(
        self,
        asker: Asker,
        wanted: Sequence[Wanted],
        defaults: Mapping[str, Any],
        arguments: dict[str, Any],
        matches: dict[str, list[Match]],
    ) -> None:
        """Ask side by side what can be asked now, then what needs those answers: members come after their project."""
        waiting = list(wanted)
        while waiting:
            ready: list[tuple[Wanted, dict[str, Any]]] = []
            for each in waiting:
                others = {other.path for other in waiting if other is not each}
                try:
                    ready.append((each, source_arguments(each.source, {**defaults, **arguments}, others)))
                except NotYet:
                    continue
            if not ready:
                return
            waiting = [each for each in waiting if all(each is not one for one, _ in ready)]
            async with asyncio.TaskGroup() as group:
                for each, given in ready:
                    group.create_task(self._resolve_one(asker, each, given, arguments, matches))

    async def _resolve_one(
        self,
        asker: Asker,
        wanted: Wanted,
        given: dict[str, Any],
        arguments: dict[str, Any],
        matches: dict[str, list[Match]],
    ) -> None:
        if not wanted.name:
            await self._take_the_only(asker, wanted, given, arguments)
            return
        is_list = wanted.schema.get("type") == "array"
        names = BETWEEN_NAMES.split(wanted.name) if is_list else [wanted.name]
        names = [name for name in names if name.strip()][:MOST_CHOICES]
        found: list[Match] = []
        if wanted.source.search is not None and len(names) == 1:
            searched = {**given, wanted.source.search: names[0].strip(_SIGNS)}
            pages, complete = await self._pages(asker, wanted.source, searched, most=1)
            found = await self._matches(wanted.source, names, pages, complete=complete)
        if not any(each.entry or each.alternatives for each in found):
            pages, complete = await self._pages(asker, wanted.source, given, most=MOST_PAGES)
            found = await self._matches(wanted.source, names, pages, complete=complete)
        values = [each.entry.value for each in found if each.entry is not None]
        value = fitting(wanted.schema, values if is_list else values[0]) if values else None
        if value is not None:
            put_at(arguments, wanted.path.split("."), value)
        elif values:
            found = []  # the app lists a value that its own function doesn't take
        elif any(each.alternatives for each in found):
            take(arguments, wanted.path)  # "project: Office" was taken for an id
        matches[wanted.path] = found

    async def _take_the_only(
        self, asker: Asker, wanted: Wanted, given: dict[str, Any], arguments: dict[str, Any]
    ) -> None:
        """Take the only entry of a list as the argument; a page that is long to read has several."""
        pages, complete = await self._pages(asker, wanted.source, given, most=1)
        output = pages[0].value() if complete and is_light(pages[0].text) else None
        entries = entries_of(wanted.source, output) if isinstance(output, list) else []
        value = fitting(wanted.schema, entries[0].value) if len(entries) == 1 else None
        if value is not None:
            put_at(arguments, wanted.path.split("."), value)

    async def _matches(
        self, source: Source, names: Sequence[str], pages: Sequence[JsonText], *, complete: bool
    ) -> list[Match]:
        if all(is_light(page.text) for page in pages):
            return matches_in(source, names, pages, complete=complete)
        try:
            return await self._side_process.run(matches_in, source, names, pages, complete=complete)
        except TooMuchWork:
            return []

    async def _pages(
        self, asker: Asker, source: Source, given: Mapping[str, Any], *, most: int
    ) -> tuple[list[JsonText], bool]:
        """Return the pages that a source function lists, and whether they are all; a refusal ends the list."""
        definition = self._catalog.function(source.function)
        if definition is None:
            return [], False
        found: list[JsonText] = []
        next_page = ""
        for _ in range(most):
            call = CallRequest(
                application_id=asker.application_id,
                user_id=asker.user_id,
                connector=self._catalog.connectors[definition.app_name],
                function=definition,
                body=JsonBody({**given, **({"next_page": next_page} if next_page else {})}),
                connected_account_id=asker.connected_account_id,
                request_id=asker.request_id,
            )
            try:
                executed, _ = await self._invoker.call(call, None)
            except (ServiceError, DatabaseAway) as refusal:
                _LOG.info("names.refused", function=source.function, reason=type(refusal).__name__)
                return found, False
            result = executed.result
            if int(result.network_code) not in _HTTP_OK or not isinstance(result.output, JsonText):
                return found, False
            found.append(result.output)
            if not result.next_page or result.next_page == next_page:
                return found, True
            next_page = result.next_page
        return found, False


def _resolved(
    function: Function,
    prediction: ArgumentPrediction,
    wanted: Sequence[Wanted],
    arguments: dict[str, Any],
    matches: Mapping[str, Sequence[Match]],
) -> Resolved:
    evidence = dict(prediction.evidence)
    choices: dict[str, tuple[ValueChoice, ...]] = {}
    for each in wanted:
        found = matches.get(each.path, ())
        alternatives = [entry for one in found for entry in one.alternatives]
        if any(one.entry is not None for one in found):
            evidence[each.path] = each.name
        elif alternatives:
            evidence.pop(each.path, None)
        if alternatives:
            several = tuple(ValueChoice(value=entry.value, label=entry.label) for entry in alternatives[:MOST_CHOICES])
            choices[each.path] = several
    missing = tuple(name for name in function.parameters.required if name not in arguments)
    return Resolved(
        prediction=evolve(prediction, arguments=arguments, evidence=evidence, missing=missing), choices=choices
    )
