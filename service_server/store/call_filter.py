"""Which rows of the log to list: conditions, and which of them have an index with their rows newest first."""

from collections.abc import Iterator
from typing import Any, Literal, cast

from attrs import frozen
from sqlalchemy import ColumnElement, Table, and_, func, text

from service_server.store.call_ids import first_id
from service_server.store.tables import CALLS, HAS_FAILED, HAS_SUCCEEDED, IS_UNFINISHED

CallOutcome = Literal["started", "finished", "unknown"]


@frozen(eq=False)
class Condition:
    """
    One condition on rows: as it is, and written so that no index is taken for it.

    An `indexed` one has just its rows, newest first, in an index; the others can only be tried on row after row.
    """

    plain: ColumnElement[bool]
    tried: ColumnElement[bool]
    indexed: bool = False


@frozen(kw_only=True)
class CallFilter:
    """
    Which calls to list; None matches everything.

    `succeeded` tells finished calls whose network code is a 2xx from the other finished ones, `code_class` is the first
    digit of the network code. `since` and `until` are moments in seconds since 1970: calls that began from the one on
    and before the other. `code` is that of a refusal.
    """

    request_id: str | None = None
    user_id: str | None = None
    function_name: str | None = None
    app_name: str | None = None
    application_id: int | None = None
    outcome: CallOutcome | None = None
    succeeded: bool | None = None
    code_class: str | None = None
    code: str | None = None
    since: float | None = None
    until: float | None = None

    def conditions(self, table: Table) -> list[Condition]:
        """The conditions on rows of the calls, or on the refused calls, which have no outcomes."""
        found = list(self._equal(table))
        if table is CALLS:
            found += self._on_outcome()
        return found

    def period(self, table: Table) -> list[ColumnElement[bool]]:
        """The conditions on the time, which ids begin with."""
        bounds = []
        if self.since is not None:
            bounds.append(table.c.id >= first_id(self.since))
        if self.until is not None:
            bounds.append(table.c.id < first_id(self.until))
        return bounds

    def _equal(self, table: Table) -> Iterator[Condition]:
        for name in ("request_id", "user_id", "function_name", "app_name", "application_id"):
            value = getattr(self, name)
            if value is None:
                continue
            if name in table.c:
                column = table.c[name]
                nothing: Any = 0 if name == "application_id" else ""
                yield Condition(column == value, func.coalesce(column, nothing) == value, indexed=True)
            else:  # refusals name the function only, which begins with its app
                begins = table.c.function_name.startswith(f"{value}-", autoescape=True)
                yield Condition(begins, begins)
        if self.code is not None and "code" in table.c:
            yield Condition(table.c.code == self.code, table.c.code == self.code)

    def _on_outcome(self) -> Iterator[Condition]:
        outcome, code = func.coalesce(CALLS.c.outcome, ""), func.coalesce(CALLS.c.network_code, "")
        if self.outcome is not None:
            is_it = outcome == self.outcome
            if self.outcome == "finished":
                yield Condition(is_it, is_it)
            else:
                yield Condition(_as_written(IS_UNFINISHED), outcome != "finished", indexed=True)
                yield Condition(is_it, is_it)
        if self.succeeded:
            yield Condition(_as_written(HAS_SUCCEEDED), and_(outcome == "finished", code.like("2%")))
        if self.succeeded is False or self.code_class not in (None, "2"):
            failed = and_(outcome == "finished", code.not_like("2%"))
            yield Condition(_as_written(HAS_FAILED), failed, indexed=True)
        if self.code_class is not None:
            of_class = code.like(f"{self.code_class}%")
            yield Condition(of_class, of_class)


def _as_written(condition: str) -> ColumnElement[bool]:
    """A condition in its very words, without which a database doesn't use the index that has them."""
    return cast(ColumnElement[bool], text(condition))  # a typed one is compared with 1 on SQLite, and finds no index


EVERY_CALL = CallFilter()
