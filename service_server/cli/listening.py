"""Ports of this machine: the one to listen on, and which are free."""

import contextlib
import socket
from collections.abc import Iterator

from service_server.settings import InvalidSetting

BACKLOG = 1024
FOR_USERS = "--port and --host"
FOR_OPERATORS = "--admin-port and --admin-host"
FOR_METRICS = "--metrics-port and --metrics-host"


def bound(host: str, port: int, options: str = FOR_USERS) -> socket.socket:
    """
    Take a port for one process, or several that accept in turn; 0 takes a free one. `options` choose another one.

    Connections are refused until somebody listens, and until then another program may take the port as well.

    Raises:
        InvalidSetting: when it can't be, in the system's words.
    """
    taken = socket.socket(_family(host))
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if taken.family == socket.AF_INET6:
        taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # or IPv4 addresses would look like its own
    try:
        taken.bind((host, port))
        return taken
    except OSError as error:
        taken.close()
        raise _not_ours(host, port, error, options) from None


@contextlib.contextmanager
def bound_beside(host: str, port: int | None, options: str) -> Iterator[socket.socket | None]:
    """Take another port, if one is asked for; raises as `bound`."""
    if port is None:
        yield None
        return
    with bound(host, port, options) as taken:
        yield taken


def listen(taken: socket.socket, options: str) -> None:
    """
    Have connections to a bound port wait to be accepted.

    Raises:
        InvalidSetting: when another socket listens there by now. uvloop takes it as it is, and hears nothing there.
    """
    try:
        taken.listen(BACKLOG)
    except OSError as error:
        host, port = taken.getsockname()[:2]
        raise _not_ours(host, port, error, options) from None


def free_port(preferred: int = 0, host: str = "127.0.0.1") -> int:
    """The preferred port if nobody has it, else any free one."""
    for port in (preferred, 0):
        with socket.socket(_family(host)) as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind((host, port))
            except OSError:
                continue
            number: int = candidate.getsockname()[1]
            return number
    raise OSError("no free port")


def _not_ours(host: str, port: int, error: OSError, options: str) -> InvalidSetting:
    return InvalidSetting(
        f"Cannot listen on port {port} of {host}: {error.strerror or error}. Choose others with {options}."
    )


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
