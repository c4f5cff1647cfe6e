"""How many calls there were, how they ended and how long they took: sums by hour and by day, for charts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import define, frozen
from sqlalchemy import Select, func, select, text

from service_server.store.database import Database
from service_server.store.tables import CALL_COUNTS

HOUR_SECONDS, DAY_SECONDS = 3600, 24 * 3600

Counted: TypeAlias = tuple[int, str, str]
"""What is counted together: the calls of an hour (in seconds since 1970), of an app, of a function."""

# In place of a function: all of the app. Charts read these, which are few.
_WHOLE_APP = ""
_SUMS = ("executed", "failed", "refused", "app_ms", "service_ms")
# Every process adds what it has counted.
_ADD = text(
    "INSERT INTO call_counts "
    "(seconds, begins_at, app_name, function_name, executed, failed, refused, app_ms, service_ms) "
    "VALUES (:seconds, :begins_at, :app_name, :function_name, :executed, :failed, :refused, :app_ms, :service_ms) "
    "ON CONFLICT (seconds, begins_at, app_name, function_name) DO UPDATE SET "
    "executed = call_counts.executed + excluded.executed, failed = call_counts.failed + excluded.failed, "
    "refused = call_counts.refused + excluded.refused, app_ms = call_counts.app_ms + excluded.app_ms, "
    "service_ms = call_counts.service_ms + excluded.service_ms"
)


@define
class Sums:
    """Calls that were executed, how many of them failed, those that were refused, and the time of the executed ones."""

    executed: int = 0
    failed: int = 0
    refused: int = 0
    app_ms: float = 0.0
    service_ms: float = 0.0

    def add(self, other: "Sums") -> None:
        """Count others as well."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def failed_share(self) -> float:
        """0 to 1."""
        return self.failed / self.executed if self.executed else 0.0

    @property
    def mean_app_ms(self) -> float:
        """At the app, of one executed call."""
        return self.app_ms / self.executed if self.executed else 0.0

    @property
    def mean_service_ms(self) -> float:
        """In the service, of one executed call."""
        return self.service_ms / self.executed if self.executed else 0.0

    @property
    def mean_ms(self) -> float:
        """Of one executed call, altogether."""
        return self.mean_app_ms + self.mean_service_ms


@frozen
class Periods:
    """How long a chart's periods are (an hour or a day), when the first of them begins, and how many they are."""

    seconds: int
    first: int
    number: int

    @classmethod
    def until(cls, moment: float, seconds: int, number: int) -> "Periods":
        """So many, of which the last one is under way at a moment."""
        return cls(seconds, int(moment) // seconds * seconds - (number - 1) * seconds, number)

    @property
    def begins(self) -> Sequence[int]:
        """When each begins."""
        return range(self.first, self.first + self.number * self.seconds, self.seconds)


class CallCounts:
    """The sums of all processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, counted: Mapping[Counted, Sums]) -> None:
        """Add what a process has counted, to hours and days, in one transaction."""
        rows: dict[tuple[int, int, str, str], Sums] = {}
        for (hour, app_name, function_name), sums in counted.items():
            for seconds in (HOUR_SECONDS, DAY_SECONDS):
                for name in (function_name, _WHOLE_APP):
                    key = (seconds, hour // seconds * seconds, app_name, name)
                    rows.setdefault(key, Sums()).add(sums)
        if not rows:
            return
        # In the order of the keys: processes that lock the same rows, each in its own order, would block each other.
        values = [
            {"seconds": key[0], "begins_at": key[1], "app_name": key[2], "function_name": key[3]}
            | {name: getattr(sums, name) for name in _SUMS}
            for key, sums in sorted(rows.items(), key=lambda row: row[0])
        ]
        async with self._database.write() as connection:
            await connection.execute(_ADD, values)

    async def by_app(self, periods: Periods, app_name: str | None = None) -> dict[tuple[int, str], Sums]:
        """The sums of each period and app; of one app only, if it is named."""
        query = _summed(periods, "begins_at", "app_name").where(CALL_COUNTS.c.function_name == _WHOLE_APP)
        if app_name is not None:
            query = query.where(CALL_COUNTS.c.app_name == app_name)
        async with self._database.read() as connection:
            return {(row[0], row[1]): _sums_of(row[2:]) for row in await connection.execute(query)}

    async def by_function(self, periods: Periods) -> dict[tuple[str, str], Sums]:
        """The sums of all the periods together, of each app and function."""
        query = _summed(periods, "app_name", "function_name").where(CALL_COUNTS.c.function_name != _WHOLE_APP)
        async with self._database.read() as connection:
            found = await connection.execute(query)
            return {(row[0], row[1]): _sums_of(row[2:]) for row in found}


def _sums_of(row: Sequence[Any]) -> Sums:
    """PostgreSQL adds whole numbers up to decimals."""
    executed, failed, refused, app_ms, service_ms = row
    return Sums(int(executed), int(failed), int(refused), float(app_ms), float(service_ms))


def _summed(periods: Periods, *names: str) -> Select[Any]:
    """The sums within periods, by columns."""
    columns = [CALL_COUNTS.c[name] for name in names]
    counts = [func.sum(CALL_COUNTS.c[name]) for name in ("executed", "failed", "refused")]
    times = [func.sum(CALL_COUNTS.c[name]) for name in ("app_ms", "service_ms")]
    return (
        select(*columns, *(func.coalesce(each, 0) for each in counts), *times)
        .where(
            CALL_COUNTS.c.seconds == periods.seconds,
            CALL_COUNTS.c.begins_at >= periods.first,
            CALL_COUNTS.c.begins_at < periods.first + periods.number * periods.seconds,
        )
        .group_by(*columns)
    )
