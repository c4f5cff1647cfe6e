"""
One process or several that serve on one port: begun, replaced when they end, and relieved one after the other.

Workers are forked from a process that has imported all that they run, and share what that takes. Once SIGHUP has asked
for new ones they are begun by the service's command instead (`handing_over.py`): it may be a newer release by then.
"""

import contextlib
import gc
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import structlog
from attrs import define, field

from service_server.cli.handing_over import CommandProcess, Place
from service_server.settings import Settings

LEAVE = signal.SIGUSR1
"""What tells a worker that another one has taken over."""
START_SECONDS = 120.0
"""How long a worker may take until it answers; one that takes longer is taken for stuck."""
LONGEST_PAUSE_SECONDS = 30.0
SHORT_LIFE_SECONDS = 60.0
ENDING_SECONDS = 5.0
"""What workers get on top of what calls have, before they are killed."""
_LOOK_SECONDS = 1.0

_LOG = structlog.get_logger(__name__)
_TOLD_BY = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, LEAVE)
# uvicorn imports some modules only when it serves. Forks share them only if they are named here.
_SHARED = ("service_server.cli.serving", "uvicorn.lifespan.off")


class WorkersFailed(Exception):
    """No worker could be begun; each has said why."""


@define(eq=False)
class Worker:
    """One process; `ready` is read when it answers."""

    process: BaseProcess | CommandProcess
    ready: Connection
    answers: bool = False
    begun_at: float = field(factory=time.monotonic)

    @property
    def age(self) -> float:
        """For how many seconds it has been there."""
        return time.monotonic() - self.begun_at

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.process.pid is not None and self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, number)


def run_service(
    settings: Settings,
    place: Place,
    ready: Callable[[], None] = lambda: None,
    watcher: int | None = None,
) -> None:
    """Serve in this process, and say so once it answers; a worker ends with its watcher."""
    gc.disable()  # until it serves: everything made before that stays
    from service_server.cli.serving import run_event_loop, serve  # takes a second, and the watcher doesn't need it

    run_event_loop(serve(settings, place, ready, watcher))


def work_forked(settings: Settings, place: Place, ready: Connection) -> None:
    """Be a worker that has all of its watcher's memory, and shall have nothing else of it."""
    signal.set_wakeup_fd(-1)
    for number in _TOLD_BY:
        signal.signal(number, signal.SIG_DFL)
    ignore_terminal()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _TOLD_BY)
    parent = multiprocessing.parent_process()
    watcher = None if parent is None else parent.sentinel
    kept = {0, 1, 2, *place.numbers.values(), ready.fileno(), watcher or 2}
    # Close the pipes of older workers too: left open here, they would tell those workers that the watcher is alive.
    for descriptor in {int(each.name) for each in Path("/proc/self/fd").iterdir()} - kept:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    from service_server.cli.failures import told

    try:
        run_service(settings, place, lambda: ready.send(True), watcher)
    except Exception as error:
        message = told(error)
        if message is None:
            raise
        _LOG.error("worker.failed", reason=message)
        sys.exit(1)


def ignore_terminal() -> None:
    """Leave SIGHUP, which a terminal sends to every process, to the watcher."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


class Supervisor:
    """
    Watches over the workers; `ready` is called once, when the first one answers.

    `serving` are those that take requests, `leaving` those that have been relieved and answer what is still asked on
    their connections.
    """

    def __init__(
        self,
        count: int,
        settings: Settings,
        place: Place,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        self._count = count
        self._ready = ready
        self._settings, self._place = settings, place
        self._forks = sys.platform == "linux"
        self._ending_seconds = settings.shutdown_seconds + ENDING_SECONDS
        self._serving: list[Worker] = []
        self._leaving: list[Worker] = []
        self._to_relieve: deque[Worker] = deque()
        self._relief: Worker | None = None
        self._begin_at = 0.0
        self._pause = 1.0
        self._has_answered = False
        self._told: list[signal.Signals] = []

    def run(self) -> None:
        """Watch until SIGTERM or SIGINT; raises WorkersFailed when no worker can be begun."""
        with self._hearing() as heard:
            if self._forks:
                _import_what_is_shared()
            try:
                while not {signal.SIGTERM, signal.SIGINT} & set(self._told):
                    if signal.SIGHUP in self._told:
                        self._told.remove(signal.SIGHUP)
                        self._forks = False
                        self._to_relieve = deque(self._serving)
                    self._replenish()
                    self._relieve()
                    self._look(heard)
            finally:
                self._end()

    @contextlib.contextmanager
    def _hearing(self) -> Iterator[socket.socket]:
        """Note signals; the socket can be read once there is one."""
        heard, told = socket.socketpair()
        told.setblocking(False)
        signal.set_wakeup_fd(told.fileno())
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda given, _: self._told.append(signal.Signals(given)))
        with heard, told:
            yield heard
            signal.set_wakeup_fd(-1)

    def _all(self) -> list[Worker]:
        return [*self._serving, *self._leaving, *([self._relief] if self._relief else [])]

    def _begin(self) -> Worker:
        receiving, sending = multiprocessing.Pipe(duplex=False)
        if not self._forks:
            with sending:
                return Worker(CommandProcess(self._place, sending), receiving)
        given = (self._settings, self._place, sending)
        process = multiprocessing.get_context("fork").Process(target=work_forked, args=given, name="worker")
        # A fork has its watcher's handlers until it sets its own: a signal that came before that would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, _TOLD_BY)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _TOLD_BY)
        sending.close()
        return Worker(process, receiving)

    def _replenish(self) -> None:
        """Begin workers where some are missing, not too often when they end at once."""
        if time.monotonic() < self._begin_at:
            return
        while len(self._serving) < self._count:
            self._serving.append(self._begin())

    def _relieve(self) -> None:
        """Put a new worker in the place of an old one, and then go on to the next."""
        relief = self._relief
        if relief is not None and relief.answers:
            old = self._to_relieve.popleft()
            self._serving.remove(old)
            self._serving.append(relief)
            self._leaving.append(old)
            old.tell(LEAVE)
            self._relief = None
            if not self._to_relieve:
                _LOG.info("worker.all_relieved")
        while self._to_relieve and self._to_relieve[0] not in self._serving:  # it has ended by itself
            self._to_relieve.popleft()
        if self._relief is None and self._to_relieve:
            self._relief = self._begin()

    def _look(self, heard: socket.socket) -> None:
        """Wait a moment for anything to happen, and take note of it."""
        workers = self._all()
        unready = {each.ready: each for each in workers if not (each.answers or each.ready.closed)}
        sentinels = [each.process.sentinel for each in workers]
        for happened in wait([heard, *unready, *sentinels], timeout=_LOOK_SECONDS):
            if happened is heard:
                heard.recv(4096)
            elif happened in unready:
                self._take_note(unready[happened])
        for worker in workers:
            if not worker.process.is_alive():
                self._ended(worker)
            elif not worker.answers and worker.age > START_SECONDS:
                _LOG.error("worker.silent", pid=worker.process.pid)
                worker.ready.close()
                worker.process.kill()

    def _take_note(self, worker: Worker) -> None:
        try:
            worker.answers = bool(worker.ready.recv())
        except EOFError:
            worker.ready.close()  # it is ending; its pipe could be read over and over until it has
            return
        _LOG.info("worker.answers", pid=worker.process.pid)
        if not self._has_answered:
            self._has_answered = True
            self._ready()

    def _ended(self, worker: Worker) -> None:
        worker.process.join()
        worker.ready.close()
        status = worker.process.exitcode
        if worker in self._leaving:
            self._leaving.remove(worker)
            return
        if worker is self._relief:
            self._relief = None
            self._to_relieve.clear()
            _LOG.error("worker.not_relieved", status=status)
            return
        self._serving.remove(worker)
        if not self._has_answered:
            raise WorkersFailed("The service could not be started; why stands above.")
        _LOG.error("worker.replaced", pid=worker.process.pid, status=status)
        lived_short = worker.age < SHORT_LIFE_SECONDS
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS) if lived_short else 1.0
        self._begin_at = time.monotonic() + (self._pause if lived_short else 0.0)

    def _end(self) -> None:
        """Have every worker end, and kill the one that does not."""
        workers = self._all()
        for worker in workers:
            worker.tell(signal.SIGTERM)
        until = time.monotonic() + self._ending_seconds
        for worker in workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                _LOG.error("worker.killed", pid=worker.process.pid)
                worker.process.kill()
                worker.process.join()


def _import_what_is_shared() -> None:
    """Import what workers run, and leave all of it out of every search for garbage, which would copy it."""
    gc.disable()
    for name in _SHARED:
        import_module(name)
    with contextlib.suppress(ImportError):  # it is not made for every platform
        import_module("uvloop")
    gc.collect()
    gc.freeze()
