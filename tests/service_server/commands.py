"""
Runs programs of this project, each in a process forked from one that has imported them.

Importing takes a second of processor time, which is most of what a command or the start of a service costs, and nearly
every test with a service of its own begins with two or three. The installed commands are run by the tests of `cli/` and
`packaging/`.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing import get_context, process
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NamedTuple

from attrs import frozen

from tests.real_apps.running import ROOT, Running, end

SECONDS = 120
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.service_server.preloaded"])


class Ended(NamedTuple):
    """A command that has ended: its exit status, and what it printed."""

    status: int | None
    output: str
    errors: str


def run_command(arguments: Sequence[str], *, stdin: str, env: Mapping[str, str]) -> Ended:
    """Run a command of `service-server` to its end; after two minutes it is killed, and its status is negative."""
    with tempfile.TemporaryDirectory(prefix="command-") as name:
        folder = Path(name)
        (folder / "input").write_text(stdin)
        streams = (folder / "input", folder / "output", folder / "errors")
        forked = Forked.begin(arguments, env, streams)
        try:
            forked.wait(SECONDS)
        except subprocess.TimeoutExpired:
            forked.kill()
            forked.wait()
        return Ended(forked.poll(), (folder / "output").read_text(), (folder / "errors").read_text())


@contextlib.contextmanager
def forked(arguments: Sequence[str | Path], *, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """
    Run a command of `service-server` that goes on, as `running` does with other programs.

    It is in a process group of its own, of which nothing is left at the end; `env` is added to ours.
    """
    with tempfile.TemporaryDirectory(prefix="forked-") as name:
        output = Path(name, "output")
        output.touch()
        program = Forked.begin([*map(str, arguments)], env or {}, (Path(os.devnull), output, output))
        try:
            yield Running(program, output)
        finally:
            end(program)


@frozen
class Forked:
    """A forked process, with what tests use of `subprocess.Popen`."""

    args: Sequence[str]
    pid: int
    _process: ForkServerProcess

    @classmethod
    def begin(cls, arguments: Sequence[str], env: Mapping[str, str], streams: tuple[Path, Path, Path]) -> "Forked":
        """Fork it: its standard input, output and errors are these files; `env` is added to ours."""
        argv = ("service-server", *arguments)
        begun = _FORKS.Process(target=_become, args=(argv, {**os.environ, **env}, streams))
        begun.start()
        assert begun.pid is not None
        return cls(argv, begun.pid, begun)

    def poll(self) -> int | None:
        """Its exit status, negative for a signal, once it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit status; raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def _become(argv: tuple[str, ...], env: dict[str, str], streams: tuple[Path, Path, Path]) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(env)
    for number, (path, mode) in enumerate(zip(streams, (os.O_RDONLY, _WRITE, _WRITE), strict=True)):
        opened = os.open(path, mode, 0o600)
        os.dup2(opened, number)
        if opened != number:
            os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open as long as the process lives
    sys.argv = list(argv)
    # It is a program, and nobody's worker: those end by themselves when what has begun them does.
    stands_alone: Any = process
    stands_alone._parent_process = None
    from service_server.cli.main import main

    main()
