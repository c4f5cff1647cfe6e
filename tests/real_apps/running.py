"""Starts programs that tests talk to, on free loopback ports, and ends them with everything they started."""

import contextlib
import itertools
import json
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
POLL_SECONDS = 0.02
_PORTS_OF_A_WORKER = 1_000
_OFFSETS = itertools.count(secrets.randbelow(_PORTS_OF_A_WORKER))

Answer = TypeVar("Answer")


class DidNotStart(Exception):
    """A program ended, or said nothing, before it was ready; the message carries what it printed."""


class EndedEarly(Exception):
    """A program that tests talk to has ended; the message carries what it printed."""


class Program(Protocol):
    """What tests do with a process; `subprocess.Popen` is one."""

    @property
    def args(self) -> Any:
        """What it was begun with."""

    @property
    def pid(self) -> int:
        """Its number."""

    def poll(self) -> int | None:
        """Its exit status, negative for a signal, once it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit status; raises `subprocess.TimeoutExpired`."""

    def send_signal(self, number: int, /) -> None:
        """Send it a signal."""

    def kill(self) -> None:
        """End it at once."""

    def terminate(self) -> None:
        """Ask it to end."""


@frozen
class Running:
    """A started program and where its output goes."""

    process: Program
    output_path: Path

    def output(self) -> str:
        """What it has printed so far, standard output and errors together."""
        return self.output_path.read_text(errors="replace")

    def wait_until(self, ready: Callable[[], Answer | None]) -> Answer:
        """Ask `ready` again and again until it gives something; raises `DidNotStart`."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            ended = self.process.poll()
            answer = ready()
            if answer is not None:
                return answer
            if ended is not None:
                raise DidNotStart(f"{self.process.args!r} ended with {ended}:\n{self.output()}")
            time.sleep(POLL_SECONDS)
        raise DidNotStart(f"{self.process.args!r} was not ready after {START_SECONDS} s:\n{self.output()}")

    def goes_on(self) -> None:
        """Raise `EndedEarly` if it has ended."""
        ended = self.process.poll()
        if ended is not None:
            raise EndedEarly(f"{self.process.args!r} ended with {ended}:\n{self.output()}")

    def first_json_line(self, key: str = "") -> dict[str, Any]:
        """The first line of output that is a JSON object, and has the key; raises `DidNotStart`."""
        return self.wait_until(lambda: next((line for line in self.json_lines() if not key or key in line), None))

    def json_lines(self) -> list[dict[str, Any]]:
        """The whole lines of output so far that are JSON objects."""
        return list(_read_json_lines(self.output()))

    def answers(self, url: str) -> None:
        """Wait until `url` answers anything at all; raises `DidNotStart`, and `EndedEarly` if another answered."""
        self.wait_until(lambda: _status_of(url))
        self.goes_on()


@contextlib.contextmanager
def running(
    command: Sequence[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> Iterator[Running]:
    """Run a program in a process group of its own; `env` is added to ours. The whole group is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="running-") as folder:
        output_path = Path(folder, "output")
        with output_path.open("wb") as output:
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=cwd,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield Running(process, output_path)
        finally:
            end(process)


def free_port() -> int:
    """
    A loopback port that nobody listens on at this moment, and that this process has not been given before.

    It lies below those that systems give to outgoing connections (from 32768 on in Linux), and no two workers look
    in the same part of what is below: a program that is slow to start finds its port free when it comes to listen.
    """
    first = first_port(os.environ.get("PYTEST_XDIST_WORKER", ""))
    for _ in range(_PORTS_OF_A_WORKER):
        port = first + next(_OFFSETS) % _PORTS_OF_A_WORKER
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise DidNotStart(f"none of {_PORTS_OF_A_WORKER} ports is free")


def first_port(worker: str) -> int:
    """Where the ports of one of pytest's workers begin (`gw0` and so on; empty: of what runs without any)."""
    # From the twelfth worker on, two share a part.
    part = int(worker.removeprefix("gw")) % 11 + 1 if worker else 0
    return 20_000 + part * _PORTS_OF_A_WORKER


def end(process: Program) -> None:
    """Ask a process and its group to end, and see to it that nothing of it is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read_json_lines(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines(keepends=True):
        if line.startswith("{") and line.endswith("\n"):
            with contextlib.suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    yield value


def _status_of(url: str) -> int | None:
    # Loopback only: a proxy from the environment must not be asked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=5) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return None
