"""Runs the ASGI server in this very process, so that ending the process ends the service."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
import uvicorn

from service_server.app import service_application
from service_server.cli.handing_over import Place
from service_server.cli.http_protocol import LimitedHttpProtocol
from service_server.cli.listening import BACKLOG, FOR_OPERATORS, FOR_USERS, listen
from service_server.cli.quiet_server import QuietServer
from service_server.cli.watching import watched
from service_server.cli.workers import LEAVE
from service_server.rest.gateway import Application, Gateway
from service_server.settings import Settings

CLOSING_SECONDS = 2.0
"""What may follow on the time that calls have to end: giving them up, last answers, the database."""
LAST_REQUESTS_SECONDS = 0.25
"""How long, before the port is closed and after it, open connections have for a request that is on its way."""
_POLL_SECONDS = 0.02
# A call makes hundreds of objects, and hardly any of them is cyclic garbage. Python looks for such garbage after every
# 700 objects by default, which takes a tenth of a call's time.
_GARBAGE_THRESHOLDS = (10_000, 20, 50)

_LOG = structlog.get_logger(__name__)


async def serve(
    settings: Settings,
    place: Place,
    ready: Callable[[], None] = lambda: None,
    watcher: int | None = None,
) -> None:
    """
    Listen on bound sockets, and serve until SIGTERM or SIGINT; then have what is under way answered, within
    `settings.shutdown_seconds`.

    `ready` is called once connections are answered; `watcher` can be read once the process has ended without which this
    one shall not go on. On LEAVE no new connections are taken; those that are open are answered until each has been
    told to close, or has been idle for as long as idle ones are kept. So others who listen on the same socket take over
    without a request that fails.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as limit, watched(place.metrics), service_application(settings) as application:
            servers = _Servers(application, settings, place.listener, place.operators)
            told_to_end, told_to_leave = _told_to_end(loop, watcher), asyncio.Event()
            loop.add_signal_handler(LEAVE, told_to_leave.set)
            servers.listen()
            serving = asyncio.create_task(servers.serve())
            while not servers.started and not serving.done():  # noqa: ASYNC110  the server has no other way to tell it
                await asyncio.sleep(_POLL_SECONDS)
            # What exists by now stays. Looking through it for garbage over and over would keep everybody waiting.
            gc.collect()
            gc.freeze()
            gc.set_threshold(*_GARBAGE_THRESHOLDS)
            gc.enable()
            if servers.started:
                ready()
            await _first(serving, told_to_end.wait(), told_to_leave.wait())
            if told_to_leave.is_set() and not serving.done():
                await _first(serving, told_to_end.wait(), _leave(servers, application, settings.keep_alive_seconds))
            limit.reschedule(loop.time() + settings.shutdown_seconds + CLOSING_SECONDS)
            await application.close()
            await _refuse_last_requests(servers)
            servers.end()
            await serving
    except TimeoutError:
        if not limit.expired():
            raise
        _LOG.error("service.not_closed_in_time")


def run_event_loop(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:  # not made for this platform
        asyncio.run(main)
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main)


class _Servers:
    """uvicorn's servers of one process: one for everything, or one for users and one for operators."""

    def __init__(
        self, application: Gateway, settings: Settings, listener: socket.socket, operators: socket.socket | None
    ) -> None:
        sides: list[tuple[socket.socket, Application]] = [
            (listener, application if operators is None else application.for_users)
        ]
        if operators is not None:
            sides.append((operators, application.for_operators))
        self._of_socket = [(each, QuietServer(_config(side, settings))) for each, side in sides]

    def listen(self) -> None:
        """Have connections wait to be accepted; raises InvalidSetting."""
        for (each, _), options in zip(self._of_socket, (FOR_USERS, FOR_OPERATORS), strict=False):  # one, or both
            listen(each, options)

    async def serve(self) -> None:
        """Serve until they are told to end."""
        await asyncio.gather(*(server.serve([listener]) for listener, server in self._of_socket))

    @property
    def started(self) -> bool:
        """Whether connections are answered, by all of them."""
        return all(server.started for _, server in self._of_socket)

    @property
    def have_connections(self) -> bool:
        """Whether a connection is open."""
        return any(server.server_state.connections for _, server in self._of_socket)

    def close_ports(self) -> None:
        """Take no new connections."""
        for _, server in self._of_socket:
            for each in server.servers:
                each.close()

    def end(self) -> None:
        """Have `serve` return."""
        for _, server in self._of_socket:
            server.should_exit = True


def _config(application: Application, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        interface="asgi3",
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
        timeout_graceful_shutdown=1,  # for answers to leave: the application has already ended everything else
    )


def _told_to_end(loop: asyncio.AbstractEventLoop, watcher: int | None) -> asyncio.Event:
    """Set by SIGTERM and SIGINT and, for a worker, by the end of the process that watches over it."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    if watcher is not None:

        def end() -> None:
            loop.remove_reader(watcher)
            told.set()

        loop.add_reader(watcher, end)
    return told


async def _leave(servers: _Servers, application: Gateway, idle_seconds: float) -> None:
    """Take no new connections, and wait until the open ones have ended."""
    servers.close_ports()
    application.leave()
    await _connections_ended(servers, idle_seconds + 1)


async def _refuse_last_requests(servers: _Servers) -> None:
    """
    Have requests refused that come while the port is closed, by who has just connected for instance.

    Cut off without an answer, nobody would know whether they were carried out, and could send them to another process.
    """
    await _connections_ended(servers, LAST_REQUESTS_SECONDS)
    servers.close_ports()
    await _connections_ended(servers, LAST_REQUESTS_SECONDS)


async def _connections_ended(servers: _Servers, seconds: float) -> None:
    """Wait until no connection is open, but no longer than so many seconds."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while servers.have_connections and loop.time() < until:  # noqa: ASYNC110  nor this
        await asyncio.sleep(_POLL_SECONDS)


async def _first(*waiting: Coroutine[Any, Any, Any] | asyncio.Task[Any]) -> None:
    """Wait until one of them is done; those that were begun here are cancelled then."""
    tasks = {each if isinstance(each, asyncio.Task) else asyncio.ensure_future(each): each for each in waiting}
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task, given in tasks.items():
        if task is not given:
            task.cancel()
