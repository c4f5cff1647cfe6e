"""What differs between the databases that the service runs on; each kind has a module of its own."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeAlias

from attrs import frozen

from service_server.store.engines import AsyncConnection, AsyncEngine
from service_server.store.prepared import Arguments, DriverStatement

Group: TypeAlias = tuple[DriverStatement, Sequence[Arguments]]
"""Runs of one statement that follow each other."""


class Driver(Protocol):
    """Runs prepared statements on the database's own driver, on connections of its own."""

    async def fetch(self, statement: DriverStatement, arguments: Arguments) -> Sequence[Sequence[Any]]:
        """Read what a statement finds."""

    async def commit(self, groups: Sequence[Group], *, durable: bool) -> None:
        """
        Write all of it in one transaction or, when that raises, nothing.

        What is `durable` is then on the disk; the rest survives the process, but perhaps not the machine. If nobody
        knows whether a commit got through, DatabaseAway is raised, and not as passing.
        """

    async def close(self) -> None:
        """Close every connection."""


@frozen
class Connections:
    """
    The connections: for single reads, for transactions, and the driver's for what every call needs.

    On a database that takes one transaction at a time, each holds `turn`.
    """

    readers: AsyncEngine
    writers: AsyncEngine
    driver: Driver
    turn: AbstractAsyncContextManager[None]

    async def close(self) -> None:
        """Close every connection."""
        await self.driver.close()
        for engine in (self.readers, self.writers):
            await engine.dispose()


class Listener(Protocol):
    """Is told what other processes announce, on a database that passes it on."""

    def hears_all(self) -> None:
        """From now on everything is heard; what was announced before may have been missed."""

    def heard(self, announcement: str) -> None:
        """Another process, or this one, has announced something."""

    def hears_nothing(self) -> None:
        """From now on nothing is heard."""


class Presence(Protocol):
    """The sign by which other processes see that this one is alive; it vanishes with the process, however that ends."""

    async def show(self, process_id: str) -> None:
        """Be seen as alive under this id from now on; raises DatabaseAway."""

    def is_shown(self) -> bool:
        """Whether the sign still stands, as far as can be seen from here."""

    async def wait_until_lost(self, seconds: float) -> None:
        """Return when the sign may have been lost, or after so many seconds."""

    async def gone(self, connection: AsyncConnection, process_ids: Sequence[str]) -> list[str]:
        """Those of the processes that are dead; none of them can come back before the transaction ends."""

    def forget(self, process_ids: Sequence[str]) -> None:
        """Clear away what processes that are gone have left beside the database."""

    async def end(self) -> None:
        """Take the sign down."""


class Partitions(Protocol):
    """The partitions of the tables that a database divides by time."""

    async def make_ahead(self, connection: AsyncConnection, name: str, seconds: float) -> int:
        """Make those of the time to come, each for so many seconds; returns how many. Raises DatabaseBusy."""

    async def drop_before(self, connection: AsyncConnection, name: str, moment: float) -> int | None:
        """Drop the oldest, if it ended before a moment; returns about how many rows it had. Raises DatabaseBusy."""


class DatabaseKind(Protocol):
    """One kind of database. `name` says which database it is, without its password."""

    @property
    def name(self) -> str:
        """Which database this is, as messages may say it."""

    @property
    def partitions(self) -> Partitions | None:
        """The partitions of the log; None where it is not divided."""

    def prepare(self) -> None:
        """Prepare the place of the database before it is opened for the first time; raises OSError."""

    def connections(self) -> Connections:
        """Connections for the service."""

    def looking(self) -> AsyncEngine:
        """Connections for looking at the schema, which wait for nobody."""

    def changing_schema(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """
        A connection for changing the schema; only one process has it at a time.

        Raises DatabaseBusy while others hold what is needed, soon enough that nobody queues behind it for long.
        """

    async def take_turn(self, connection: AsyncConnection, name: str) -> None:
        """Wait until no other transaction is in a turn of this name; the turn ends with the transaction."""

    async def announce(self, connection: AsyncConnection, announcement: str) -> None:
        """Tell every process that listens, once the transaction is committed."""

    def translated(self, error: Exception) -> Exception:
        """The error as the service knows it: DatabaseAway, or one without the values that users sent."""

    def presence(self, listener: Listener | None) -> Presence:
        """The sign of life of one process; `listener` is told what others announce, if the database passes it on."""
