"""
Workers that are begun after SIGHUP: by the same command as the service was, whatever release is installed by then.

Two releases have to agree on little: the command line and the environment, which are the operator's, and one variable
that says which sockets are handed over.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from multiprocessing.connection import Connection
from pathlib import Path

from attrs import frozen

from service_server.cli.listening import FOR_OPERATORS, bound, bound_beside
from service_server.cli.metrics_port import MetricsPort, bound_metrics_port

VARIABLE = "SERVICE_HANDED_OVER"


@frozen(kw_only=True)
class Place:
    """Where a service is asked: by users, by operators if they have an address of their own, and by Prometheus."""

    listener: socket.socket
    operators: socket.socket | None = None
    metrics: MetricsPort | None = None

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of its sockets."""
        found = {"listener": self.listener.fileno()}
        if self.operators is not None:
            found["operators"] = self.operators.fileno()
        if self.metrics is not None:
            found["metrics"] = self.metrics.listener.fileno()
        return found


@contextlib.contextmanager
def taken(
    host: str, port: int, admin_host: str, admin_port: int | None, metrics_host: str, metrics_port: int | None
) -> Iterator[Place]:
    """Take the ports; raises InvalidSetting."""
    with (
        bound(host, port) as listener,
        bound_beside(admin_host, admin_port, FOR_OPERATORS) as operators,
        bound_metrics_port(metrics_host, metrics_port) as metrics,
    ):
        yield Place(listener=listener, operators=operators, metrics=metrics)


@frozen(kw_only=True)
class HandedOver:
    """What a worker has of the process that watches over it: `watcher` can be read once that has ended."""

    place: Place
    ready: Connection
    watcher: socket.socket

    def answers(self) -> None:
        """Say that connections are answered."""
        self.ready.send(True)


def handed_over(environment: MutableMapping[str, str]) -> HandedOver | None:
    """What this process was handed, if it is such a worker; processes that it begins are none."""
    text = environment.pop(VARIABLE, None)
    if text is None:
        return None
    given = json.loads(text)
    for number in given["numbers"].values():
        os.set_inheritable(number, False)
    # An address of the operators, or of the figures, that only the newer release has been told of is not there.
    sockets = {name: socket.socket(fileno=number) for name, number in given["numbers"].items() if name != "ready"}
    metrics = sockets.get("metrics")
    return HandedOver(
        place=Place(
            listener=sockets["listener"],
            operators=sockets.get("operators"),
            metrics=None if metrics is None else MetricsPort(metrics, Path(given["metrics_folder"])),
        ),
        ready=Connection(given["numbers"]["ready"], readable=False),
        watcher=sockets["watcher"],
    )


class CommandProcess:
    """A worker that is begun by the service's own command; has what the supervisor uses of a process."""

    def __init__(self, place: Place, ready: Connection) -> None:
        self._watching, watcher = socket.socketpair()
        numbers = {**place.numbers, "ready": ready.fileno(), "watcher": watcher.fileno()}
        folder = None if place.metrics is None else str(place.metrics.folder)
        told = json.dumps({"numbers": numbers, "metrics_folder": folder})
        with watcher:
            self._process = subprocess.Popen(  # noqa: S603 (the command that began this very process)
                [sys.executable, *sys.orig_argv[1:]],
                env={**os.environ, VARIABLE: told},
                pass_fds=list(numbers.values()),
            )

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """Can be read once it has ended, since its end of the pair is closed then."""
        return self._watching.fileno()

    @property
    def exitcode(self) -> int | None:
        """Its status, once it has ended."""
        return self._process.returncode

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end, no longer than so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
