"""`serve --workers`: several processes on one port, which come and go without a request that fails."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service_server.processes import SERVICE_SERVER, UNLIMITED, RunningService, http, service

pytestmark = pytest.mark.slow

WAIT_SECONDS = 60


@contextlib.contextmanager
def two_workers(folder: Path, *options: str) -> Iterator[RunningService]:
    """A service with two workers, which answer."""
    with service(folder, "--workers", "2", *options, env=UNLIMITED, program=[SERVICE_SERVER]) as started:
        eventually(lambda: len(workers_of(started)) == 2 and answered(started) == 2)
        yield started


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service with two workers for those tests that leave it with two; it keeps idle connections for five seconds."""
    with two_workers(tmp_path_factory.mktemp("workers"), "--keep-alive", "5") as started:
        yield started


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    until = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.05)


def workers_of(served: RunningService) -> set[int]:
    """The processes that serve."""
    pid = served.program.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    # Of one that has ended and is still to be noted nothing is told; the tracker is there beside spawned ones.
    return {child for child, command in commands.items() if command and b"resource_tracker" not in command}


def answered(served: RunningService) -> int:
    """How many workers have said that they answer."""
    return served.program.output().count('"worker.answers"')


def is_there(pid: int) -> bool:
    """Whether a process lives."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_worker_that_is_killed_is_replaced(lasting: RunningService) -> None:
    """The other one serves meanwhile."""
    killed, other = sorted(workers_of(lasting))
    have_answered = answered(lasting)
    os.kill(killed, signal.SIGKILL)
    with http(lasting.url) as client:
        for _ in range(20):
            assert 200 == client.get("/health", headers={"Connection": "close"}).status_code
    eventually(lambda: answered(lasting) == have_answered + 1)

    assert other in workers_of(lasting)
    assert killed not in workers_of(lasting)
    assert '"worker.replaced"' in lasting.program.output()


def test_workers_are_relieved_without_a_request_that_fails(lasting: RunningService) -> None:
    """Neither on connections that stay open nor on new ones, while requests come all the time."""
    before, relieved, failures = workers_of(lasting), threading.Event(), list[object]()
    asked = [0, 0]

    def ask(number: int, headers: dict[str, str]) -> None:
        with lasting.api(f"user-{number}") as client:
            # Without a pause they would take the processors from the workers that are being started.
            while not relieved.wait(0.01):
                try:
                    response = client.get("/apps?connected_only=true", headers=headers)
                    if response.status_code != 200:
                        failures.append(response.text)
                except Exception as failure:
                    failures.append(failure)
                asked[number % 2] += 1

    askers = [threading.Thread(target=ask, args=(n, {"Connection": "close"} if n % 2 else {})) for n in range(4)]
    for asker in askers:
        asker.start()
    lasting.program.process.send_signal(signal.SIGHUP)
    eventually(lambda: '"worker.all_relieved"' in lasting.program.output())
    eventually(lambda: not any(map(is_there, before)))
    relieved.set()
    for asker in askers:
        asker.join()

    assert [] == failures
    assert min(asked) > 0
    assert 2 == len(workers_of(lasting))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)])
def test_all_end_with_the_one_that_watches(tmp_path: Path, number: signal.Signals, status: int) -> None:
    """However that ends; when it is told to, as a single process does."""
    with two_workers(tmp_path) as served:
        workers = workers_of(served)
        served.program.process.send_signal(number)

        assert status == served.program.process.wait(WAIT_SECONDS)
        eventually(lambda: not any(map(is_there, workers)))


def test_what_keeps_workers_from_being_begun_is_told(tmp_path: Path) -> None:
    """Once, with the reason, and not again and again; a port that is taken before anything is begun."""
    broken = tmp_path / "connectors" / "broken"
    broken.mkdir(parents=True)
    (broken / "connector.yaml").write_text("name: [")
    options = ("--workers", "2", "--connectors", str(tmp_path / "connectors"))
    with pytest.raises(Exception, match="The service could not be started"):  # noqa: SIM117
        with service(tmp_path / "data", *options, program=[SERVICE_SERVER]):
            pass
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Exception, match="Cannot listen on port"):  # noqa: SIM117
        with service(tmp_path, "--workers", "2", port=taken.getsockname()[1], program=[SERVICE_SERVER]):
            pass
