"""Puts the figures around the service's parts: around requests, the database, budgets and the cache of credentials."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from service_server.events import listening
from service_server.invoke import steps
from service_server.invoke.endings import Endings
from service_server.oauth import secrets_of_account
from service_server.rest.gateway import Gateway
from service_server.store import Database
from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.hooks import Hooks
from service_server.telemetry.requests import Answered, noting

LAG_SECONDS = 0.25
"""How often the event loop is looked at."""


@contextlib.contextmanager
def measuring(figures: Figures, gauges: Gauges) -> Iterator[None]:
    """Count and time what the service does while the block lasts."""
    with Hooks() as hooks, listening(figures.hear):
        hooks.put(Gateway, "answer", lambda answer: _requests(answer, figures))
        for name in ("fetch", "commit_soon", "commit_together_soon"):
            hooks.put(Database, name, partial(_operation, name=name, figures=figures))
        for name in ("read", "write"):
            hooks.put(Database, name, partial(_block, name=name, figures=figures))
        hooks.put(Database, "open", lambda work: _database_opened(work, gauges))
        hooks.put(Endings, "__init__", lambda work: _endings_made(work, gauges))
        hooks.put(steps, "keep_budget", lambda work: _waiting(work, gauges))
        hooks.put(secrets_of_account, "open_secrets", lambda work: _missed(work, gauges))
        hooks.put(secrets_of_account.OpenedSecrets, "open", lambda work: _asked(work, gauges))
        yield


@contextlib.asynccontextmanager
async def watching_the_loop(figures: Figures) -> AsyncIterator[None]:
    """Note how late the event loop is, again and again while the block lasts."""

    async def watch() -> None:
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            figures.loop_lag(max(0.0, clock() - due))

    task = asyncio.create_task(watch(), name="event loop lag")
    try:
        yield
    finally:
        task.cancel()


def _requests(answer: Callable[..., Awaitable[None]], figures: Figures) -> Callable[..., Awaitable[None]]:
    async def measured(gateway: Gateway, scope: Any, receive: Any, send: Any, is_here: Any) -> None:
        if scope["type"] != "http":
            await answer(gateway, scope, receive, send, is_here)
            return
        began, answered = time.perf_counter(), Answered()
        try:
            await answer(gateway, scope, receive, noting(answered, send), is_here)
        finally:
            seconds = time.perf_counter() - began
            figures.request(seconds, answered.method_of(scope), answered.route_of(scope), str(answered.status))

    return measured


def _operation(work: Callable[..., Awaitable[Any]], name: str, figures: Figures) -> Callable[..., Awaitable[Any]]:
    async def measured(database: Database, *given: Any, **named: Any) -> Any:
        began, error = time.perf_counter(), ""
        try:
            return await work(database, *given, **named)
        except Exception as failure:
            error = type(failure).__name__
            raise
        finally:
            figures.database(time.perf_counter() - began, database.system, name, error)

    return measured


def _block(
    block: Callable[..., AbstractAsyncContextManager[Any]], name: str, figures: Figures
) -> Callable[..., AbstractAsyncContextManager[Any]]:
    @contextlib.asynccontextmanager
    async def measured(database: Database, **named: Any) -> AsyncIterator[Any]:
        began, error = time.perf_counter(), ""
        try:
            async with block(database, **named) as connection:
                yield connection
        except Exception as failure:
            error = type(failure).__name__
            raise
        finally:
            figures.database(time.perf_counter() - began, database.system, name, error)

    return measured


def _database_opened(work: Callable[[Database], Awaitable[None]], gauges: Gauges) -> Callable[..., Awaitable[None]]:
    async def opened(database: Database) -> None:
        gauges.queue("database_writes", lambda: database.writes_waiting)
        await work(database)

    return opened


def _endings_made(make: Callable[[Endings], None], gauges: Gauges) -> Callable[[Endings], None]:
    def made(endings: Endings) -> None:
        make(endings)
        gauges.queue("ends_of_calls", lambda: endings.waiting)

    return made


def _waiting(work: Callable[..., Awaitable[None]], gauges: Gauges) -> Callable[..., Awaitable[None]]:
    waiting = 0
    gauges.queue("budgets", lambda: waiting)

    async def counted(*given: Any) -> None:
        nonlocal waiting
        waiting += 1
        try:
            await work(*given)
        finally:
            waiting -= 1

    return counted


def _missed(open_secrets: Callable[..., Any], gauges: Gauges) -> Callable[..., Any]:
    def counted(*given: Any) -> Any:
        gauges.cache_misses += 1
        return open_secrets(*given)

    return counted


def _asked(open_kept: Callable[..., Any], gauges: Gauges) -> Callable[..., Any]:
    def counted(*given: Any) -> Any:
        before = gauges.cache_misses
        secrets = open_kept(*given)
        if before == gauges.cache_misses:
            gauges.cache_hits += 1
        return secrets

    return counted
