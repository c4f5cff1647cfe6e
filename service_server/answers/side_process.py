"""
A separate process for work that would block the event loop, on which everybody waits.

A thread would not do: while it computes in Python or C it holds the interpreter's lock, and so blocks the loop. The
process starts when it is first needed and ends when it has been idle for a while. It has no credentials in its
environment, a memory limit, and a time limit for each task.
"""

import asyncio
import contextlib
import gc
import heapq
import itertools
import os
import pickle
import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, BinaryIO, ParamSpec, Self, TypeVar

import structlog

MEMORY_BYTES = 1024**3
TASK_SECONDS = 30.0
IDLE_SECONDS = 60.0
_LENGTH_BYTES = 8
_BUFFER_BYTES = 1024**2
_MODULE = "service_server.answers.side_process"

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_LOG = structlog.get_logger(__name__)


class TooMuchWork(Exception):
    """A task took more time or memory than allowed, or failed; the reason names no data."""


class SideProcess:
    """
    Runs functions in the process, one at a time; the smallest of those that wait is next.

    So an ordinary list of a few hundred kilobytes does not wait behind lists of several megabytes.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._is_busy = False
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Future[None] | None = None

    async def run(
        self, function: Callable[Parameters, Result], *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Result:
        """
        Run a function of a module; it, its arguments and its result must be picklable.

        Raises:
            TooMuchWork: when it did not finish.
        """
        # Each copy of some megabytes takes some ms, so others get a turn between any two.
        await asyncio.sleep(0)
        task = pickle.dumps((function, arguments, named), protocol=5)
        await asyncio.sleep(0)
        await self._turn(len(task))
        try:
            return await self._answer(task)  # type: ignore[no-any-return]
        finally:
            self._pass_on()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
        if self._ending is not None:
            await self._ending

    async def close(self) -> None:
        """End the process; what it was doing is lost."""
        process, self._process = self._process, None
        if self._idle is not None:
            self._idle.cancel()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _turn(self, size: int) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (size, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._is_busy = False
        if self._process is not None:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_idle)

    def _end_idle(self) -> None:
        self._ending = asyncio.ensure_future(self.close())

    async def _answer(self, task: bytes) -> Any:
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with asyncio.timeout(TASK_SECONDS):
                process = self._process = self._process or await _started()
                assert process.stdin is not None  # noqa: S101  both are pipes
                assert process.stdout is not None  # noqa: S101
                process.stdin.write(len(task).to_bytes(_LENGTH_BYTES))
                process.stdin.write(task)
                await asyncio.sleep(0)
                length = int.from_bytes(await process.stdout.readexactly(_LENGTH_BYTES))
                answer = await process.stdout.readexactly(length)
                await asyncio.sleep(0)
                succeeded, result = pickle.loads(answer)  # noqa: S301  of our own code
                await asyncio.sleep(0)
        except BaseException as failure:
            # Whatever it was doing, its answer must not be taken for the answer to the next task.
            await self.close()
            if isinstance(failure, asyncio.IncompleteReadError | OSError | TimeoutError):
                _LOG.warning("side_process.interrupted", reason=type(failure).__name__)
                raise TooMuchWork(type(failure).__name__) from None
            raise
        if not succeeded:
            _LOG.warning("side_process.failed", reason=result)
            raise TooMuchWork(result)
        return result


async def _started() -> asyncio.subprocess.Process:
    environment = {
        name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH") if name in os.environ
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", _MODULE),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        limit=_BUFFER_BYTES,
    )
    assert process.stdout is not None  # noqa: S101  it is a pipe
    try:
        if await process.stdout.readexactly(1) != b"\x01":
            _LOG.warning("side_process.unlimited", reason="its memory can't be limited here")
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    return process


def main() -> None:
    """Do one task after another until standard input ends."""
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may get between the answers
    # A stop signal to the whole service is for the parent, which has calls to finish.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers.write(bytes([_limit_memory()]))
    answers.flush()
    with contextlib.suppress(AttributeError, OSError):  # not on every platform
        os.nice(5)  # short work elsewhere goes first
    gc.disable()
    while _do_one(tasks, answers):
        gc.collect()


def _limit_memory() -> bool:
    """Take no more memory than a task may need, or than this process was allowed; False where that can't be had."""
    try:
        import resource

        _, allowed = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY_BYTES if allowed == resource.RLIM_INFINITY else min(allowed, MEMORY_BYTES)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, AttributeError, ValueError, OSError):  # not on every platform
        return False
    return True


def _do_one(tasks: BinaryIO, answers: BinaryIO) -> bool:
    length = tasks.read(_LENGTH_BYTES)
    if len(length) < _LENGTH_BYTES:
        return False
    try:
        function, arguments, named = pickle.loads(tasks.read(int.from_bytes(length)))  # noqa: S301  from our parent
        answer = pickle.dumps((True, function(*arguments, **named)), protocol=5)
    except Exception as failure:
        answer = pickle.dumps((False, type(failure).__name__))
    answers.write(len(answer).to_bytes(_LENGTH_BYTES))
    answers.write(answer)
    answers.flush()
    return True


if __name__ == "__main__":
    main()
