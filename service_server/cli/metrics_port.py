"""The port on which Prometheus fetches the metrics of all workers."""

import contextlib
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from service_server.cli.listening import FOR_METRICS, bound


@frozen
class MetricsPort:
    """
    A bound socket, shared by all workers, and a folder in which each of them has a socket for the others.

    Whichever worker is asked asks the others, so that one address has the figures of all.
    """

    listener: socket.socket
    folder: Path


@contextlib.contextmanager
def bound_metrics_port(host: str, port: int | None) -> Iterator[MetricsPort | None]:
    """Take the port, if there is one; raises InvalidSetting."""
    if port is None:
        yield None
        return
    # Not in the data directory: the address of such a socket may have no more than a hundred characters.
    with (
        bound(host, port, FOR_METRICS) as listener,
        tempfile.TemporaryDirectory(prefix="service-metrics-") as folder,
    ):
        yield MetricsPort(listener, Path(folder))
