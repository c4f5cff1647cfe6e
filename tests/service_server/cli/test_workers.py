"""`serve --workers`: several processes on one port, which begin and end together, and replace each other."""

import contextlib
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from service_server.cli import workers as supervising
from tests.service_server.cli.worker_processes import have_ended, workers_of
from tests.service_server.processes import RunningService, http, service
from tests.service_server.waiting import wait_until

pytestmark = pytest.mark.slow

WAIT_SECONDS = 60


@contextlib.contextmanager
def two_workers(folder: Path) -> Iterator[RunningService]:
    """A service with two workers, which answer."""
    with service(folder, "--workers", "2") as started:
        wait_until(lambda: answered(started) == 2)
        yield started


def answered(served: RunningService) -> int:
    """How many workers have said that they answer."""
    return served.program.output().count('"worker.answers"')


def test_a_worker_that_is_killed_is_replaced_and_all_end_when_told_to(tmp_path: Path) -> None:
    """The other one serves meanwhile; the command ends with 0, as a single process does."""
    with two_workers(tmp_path) as served:
        killed, other = workers_of(served)
        os.kill(killed, signal.SIGKILL)
        with http(served.url) as client:
            for _ in range(20):
                assert 200 == client.get("/health", headers={"Connection": "close"}).status_code
        wait_until(lambda: answered(served) == 3)
        workers = workers_of(served)
        served.program.process.terminate()

        assert 0 == served.program.process.wait(WAIT_SECONDS)
        assert '"worker.replaced"' in served.program.output()
        assert (2, {other}) == (len(workers), workers & {killed, other})
        assert have_ended(workers)


def test_all_end_with_the_one_that_watches(tmp_path: Path) -> None:
    """Even where it had no time to tell them."""
    with two_workers(tmp_path) as served:
        workers = workers_of(served)
        served.program.process.kill()

        assert -signal.SIGKILL == served.program.process.wait(WAIT_SECONDS)
        wait_until(lambda: have_ended(workers))


def test_what_keeps_workers_from_being_begun_is_told(tmp_path: Path) -> None:
    """Once, with the reason, and not again and again; a port that is taken before anything is begun."""
    broken = tmp_path / "connectors" / "broken"
    broken.mkdir(parents=True)
    (broken / "connector.yaml").write_text("name: [")
    options = ("--workers", "2", "--connectors", str(tmp_path / "connectors"))
    with pytest.raises(Exception, match="The service could not be started"):  # noqa: SIM117
        with service(tmp_path / "data", *options):
            pass
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Exception, match="Cannot listen on port"):  # noqa: SIM117
        with service(tmp_path, "--workers", "2", port=taken.getsockname()[1]):
            pass


@define
class Dying:
    """A worker's process that takes its time to end when it is killed, with its pipe closed at once."""

    pipe: Connection
    sentinel: socket.socket
    kills: list[float] = field(factory=list)
    pid: int = 0

    def is_alive(self) -> bool:
        """It has not ended."""
        return True

    def kill(self) -> None:
        """It is told to end at once."""
        self.pipe.close()
        self.kills.append(time.monotonic())


def test_a_silent_worker_that_dies_slowly_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watcher looks at it now and then, not as fast as it can, and says so as often."""
    monkeypatch.setattr(supervising, "_LOOK_SECONDS", 0.1)
    receiving, sending = multiprocessing.Pipe(duplex=False)
    settings: Any = SimpleNamespace(shutdown_seconds=0)
    place: Any = None
    supervisor = supervising.Supervisor(1, settings, place)
    long_ago = time.monotonic() - supervising.START_SECONDS - 1
    until = time.monotonic() + 0.5
    with contextlib.closing(receiving), contextlib.ExitStack() as opened:
        heard, sentinel = map(opened.enter_context, socket.socketpair())
        process: Any = Dying(sending, sentinel)
        supervisor._serving.append(supervising.Worker(process, receiving, begun_at=long_ago))
        while time.monotonic() < until:
            supervisor._look(heard)

    assert 1 <= len(process.kills) <= 6
