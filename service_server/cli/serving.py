"""Runs the ASGI server in this very process, so that ending the process ends the service."""

import asyncio
import logging
import signal
import socket
import sys

import structlog
from granian.constants import Interfaces
from granian.server.embed import Server

from service_server.app import service_application
from service_server.settings import Settings

BACKLOG = 1024
LOG_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure_logging(level: str) -> None:
    """Write one JSON object a line to standard error, so that standard output stays the command's own."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


async def serve(settings: Settings, host: str, port: int, ready: asyncio.Event | None = None) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is set once the port answers."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with service_application(settings) as application:
        server = Server(
            application,
            address=host,
            port=port,
            interface=Interfaces.ASGINL,
            backlog=BACKLOG,
            websockets=False,
            log_enabled=False,
        )
        serving = asyncio.create_task(server.serve())
        await _answering(host, port, serving)
        if ready is not None:
            ready.set()
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not serving.done():
            server.stop()  # type: ignore[no-untyped-call]  # granian's
        await serving


async def _answering(host: str, port: int, serving: "asyncio.Task[None]") -> None:
    """Wait until the port takes connections."""
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not bound
    while True:
        if serving.done():
            serving.result()
            raise OSError(f"the server on {host}:{port} ended before it answered")
        try:
            _, writer = await asyncio.open_connection(target, port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return


def free_port(preferred: int = 0, host: str = "127.0.0.1") -> int:
    """The preferred port if nobody has it, else any free one."""
    for port in (preferred, 0):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind((host, port))
            except OSError:
                continue
            number: int = candidate.getsockname()[1]
            return number
    raise OSError("no free port")


def in_use(host: str, port: int) -> bool:
    """Whether someone else listens on the port."""
    try:
        return free_port(port, host) != port
    except OSError:
        return True
