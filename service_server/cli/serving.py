"""Runs the ASGI server in this very process, so that ending the process ends the service."""

import asyncio
import contextlib
import gc
import json
import signal
import socket
from collections.abc import Coroutine, Iterator
from typing import Any

import structlog
import typer
import uvicorn
from attrs import evolve

from service_server.app import service_application
from service_server.cli.administration import upgrade_database
from service_server.cli.http_protocol import LimitedHttpProtocol
from service_server.cli.logs import configure_logging, level_of
from service_server.cli.options import (
    DEFAULT_DATA_DIRECTORY,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_MODEL_DIRECTORY,
    LIMITS_HELP,
    AllowHosts,
    ConnectorDirectories,
    DatabaseUrl,
    DataDirectory,
    Host,
    KeepAlive,
    LogLevel,
    ModelDirectory,
    Port,
    PublicUrl,
    TrustedProxies,
    settings_for,
    trusted_proxies,
)
from service_server.settings import InvalidSetting, Settings

BACKLOG = 1024
CLOSING_SECONDS = 2.0
"""What may follow on the time that calls have to end: giving them up, last answers, the database."""

serve_cli = typer.Typer()

_log = structlog.get_logger(__name__)


@serve_cli.command("serve", epilog=LIMITS_HELP)
def serve_command(
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
    connectors: ConnectorDirectories = None,
    allow_host: AllowHosts = None,
    model_dir: ModelDirectory = DEFAULT_MODEL_DIRECTORY,
    trusted_proxy: TrustedProxies = None,
    keep_alive: KeepAlive = DEFAULT_KEEP_ALIVE,
    log_level: LogLevel = "info",
) -> None:
    """Run the service."""
    configure_logging(level_of(log_level))
    if problem := listening_problem(host, port):
        raise InvalidSetting(
            f"Cannot listen on port {port} of {host}: {problem}. Choose others with --port and --host."
        )
    port = port or free_port(host=host)
    url = public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    settings = evolve(
        settings_for(data_dir, database, url, connectors, allow_host, model_directory=model_dir),
        keep_alive_seconds=keep_alive,
        trusted_proxies=trusted_proxies(trusted_proxy),
    )
    upgrade_database(settings)
    typer.echo(json.dumps({"url": settings.public_url}))
    run_event_loop(serve(settings, host, port))


class _Server(uvicorn.Server):
    """Leaves signals to `serve`: by itself it would end the process before the service has closed its database."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing."""
        yield


async def serve(settings: Settings, host: str, port: int, ready: asyncio.Event | None = None) -> None:
    """
    Serve until SIGTERM or SIGINT, then have what is under way answered, within `settings.shutdown_seconds`.

    `ready` is set once the port answers.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as limit, service_application(settings) as application:
            server = _Server(
                uvicorn.Config(
                    application,
                    host=host,
                    port=port,
                    backlog=BACKLOG,
                    http=LimitedHttpProtocol,
                    lifespan="off",
                    ws="none",
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    proxy_headers=True,
                    forwarded_allow_ips=list(settings.trusted_proxies),
                    timeout_keep_alive=settings.keep_alive_seconds,
                    timeout_graceful_shutdown=1,  # for answers to leave: the application has ended all else before
                )
            )
            told_to_end = asyncio.Event()
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, told_to_end.set)
            serving = asyncio.create_task(server.serve())
            await _answering(host, port, serving)
            # What is there by now stays. To look through it for garbage again and again would keep everybody waiting.
            gc.collect()
            gc.freeze()
            if ready is not None:
                ready.set()
            await _either(serving, told_to_end)
            limit.reschedule(loop.time() + settings.shutdown_seconds + CLOSING_SECONDS)
            await application.close()
            server.should_exit = True
            await serving
    except TimeoutError:
        if not limit.expired():
            raise
        _log.error("the service could not close everything in time; the next start, or another process, clears up")


async def _either(serving: "asyncio.Task[None]", told_to_end: asyncio.Event) -> None:
    waiting = asyncio.create_task(told_to_end.wait())
    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


def run_event_loop(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:  # not made for this platform
        asyncio.run(main)
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main)


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


def listening_problem(host: str, port: int) -> str | None:
    """Why nothing can listen on the port, in the system's words; None when it can."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            candidate.bind((host, port))
    except OSError as error:
        return error.strerror or str(error)
    return None
