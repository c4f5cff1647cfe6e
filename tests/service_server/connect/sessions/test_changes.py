"""Those who wait for a connect session: woken by what is announced, by looking only where nothing is heard."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from attrs import Factory, define
from structlog.testing import capture_logs

from service_server.connect.sessions.changes import Changes
from service_server.store import ConnectSessions, Database, DatabaseAway, Listener, Processes
from tests.service_server.databases import EmptyDatabases
from tests.service_server.store.databases import opened, pending_session
from tests.service_server.waiting import until

LONG = 30  # seconds within which anything happens


@define
class Looks:
    """What a look finds, and how often one was taken."""

    ended: set[str] = Factory(set)
    away: bool = False
    count: int = 0

    async def __call__(self, session_ids: Sequence[str]) -> list[str]:
        """Take a look."""
        self.count += 1
        if self.away:
            raise DatabaseAway("as asked")
        return [each for each in session_ids if each in self.ended]


@pytest.fixture
def looks() -> Looks:
    """Looks at sessions of which none has ended yet."""
    return Looks()


@pytest.fixture
def changes(looks: Looks) -> Changes:
    """Those of a process that may look as often as it can."""
    changes = Changes(poll_seconds=0.001)
    changes.look_at(looks)
    return changes


async def looks_cease(looks: Looks) -> None:
    """Wait until for a while no more looks are taken."""
    count = -1
    async with asyncio.timeout(LONG):
        while count != looks.count:
            count = looks.count
            await asyncio.sleep(0.05)


async def test_nobody_looks_while_all_is_heard(changes: Changes, looks: Looks) -> None:
    """What is announced wakes those who wait for it, and no others."""
    changes.hears_all()
    with changes.watching("here") as here, changes.watching("there") as there:
        await looks_cease(looks)
        changes.heard("here")

        assert (True, False) == (here.is_set(), there.is_set())
    assert 0 == looks.count


@pytest.mark.parametrize("hears_again", [False, True])
async def test_who_hears_nothing_looks(changes: Changes, looks: Looks, hears_again: bool) -> None:
    """Until nobody waits any more, or all is heard again; once more then, as something may have been announced."""
    if hears_again:
        changes.hears_all()
    with changes.watching("session") as ended:
        changes.hears_nothing()
        await until(lambda: looks.count > 2)
        assert not ended.is_set()
        if hears_again:
            changes.hears_all()
        looks.ended.add("session")
        await asyncio.wait_for(ended.wait(), LONG)
        if hears_again:
            await looks_cease(looks)
    await looks_cease(looks)


async def test_what_was_missed_is_read_once_the_database_answers(changes: Changes, looks: Looks) -> None:
    """A look that fails is taken again, also where everything is heard by now; that it failed is told once a minute."""
    looks.away = True
    with changes.watching("session") as ended, capture_logs() as logged:
        changes.hears_all()
        await until(lambda: looks.count > 2)
        looks.away = False
        looks.ended.add("session")
        await asyncio.wait_for(ended.wait(), LONG)

    assert ["connect.sessions_not_read"] == [line["event"] for line in logged]


@contextlib.asynccontextmanager
async def another(url: str, listener: Listener) -> AsyncIterator[Database]:
    """A process on the database that listens."""
    async with opened(url) as database, Processes(database, listener, look_seconds=0.05).serving():
        yield database


@pytest.mark.postgresql
async def test_a_session_that_has_fallen_silent_is_replaced(
    empty_on_postgresql: EmptyDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a network swallows everything and closes nothing, the process asks and listens again."""
    monkeypatch.setattr("service_server.store.postgresql._SILENCE_SECONDS", 0.2)
    with empty_on_postgresql.new(tmp_path) as url:
        server = url.rpartition("@")[2].partition("/")[0]
        async with relay(server) as (port, fall_silent):
            changes = Changes(poll_seconds=LONG)
            async with another(url.replace(server, f"127.0.0.1:{port}"), changes) as here, opened(url) as there:
                changes.look_at(ConnectSessions(here).ended_of)
                session = await pending_session(there)
                with changes.watching(session.id) as ended:
                    fall_silent()
                    await ConnectSessions(there).finish(session.id, "cancelled")
                    await asyncio.wait_for(ended.wait(), LONG)


@contextlib.asynccontextmanager
async def relay(server: str) -> AsyncIterator[tuple[int, Callable[[], None]]]:
    """A way to a server by another port; when it is told to fall silent, sessions that listen carry no more."""
    host, _, port = server.partition(":")
    listening: set[asyncio.Event] = set()
    tasks: set[asyncio.Task[None] | None] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silent: asyncio.Event) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if b"LISTEN" in data:
                    listening.add(silent)
                if not silent.is_set():
                    writer.write(data)
                    await writer.drain()
        # The end is carried on: the server finds by itself that nobody is there any more, if only after a while.
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        silent = asyncio.Event()
        there_reader, there_writer = await asyncio.open_connection(host, port)
        await asyncio.gather(carry(reader, there_writer, silent), carry(there_reader, writer, silent))

    def fall_silent() -> None:
        assert listening
        for silent in listening:
            silent.set()

    relaying = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield relaying.sockets[0].getsockname()[1], fall_silent
    finally:
        relaying.close()
        await asyncio.wait_for(asyncio.gather(*(task for task in tasks if task)), LONG)
