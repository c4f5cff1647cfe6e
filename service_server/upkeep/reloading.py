"""Loads changed connector files into a running service: what is under way ends as it began, what comes next is new."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

import structlog

from service_server.catalog.catalog import Catalog
from service_server.catalog.directories import Change, ConnectorDirectories
from service_server.events import Seldom
from service_server.store import DatabaseAway

_LOOK_SECONDS = 0.5
_SELDOM_SECONDS = 60.0
# Looking takes at most this share of one core, so a very large number of connectors is looked at less often.
_SHARE = 0.05

_LOG = structlog.get_logger(__name__)


async def follow_changes(
    directories: ConnectorDirectories,
    catalog: Catalog,
    number_apps: Callable[[Iterable[str]], Awaitable[None]],
    forget_index: Callable[[], None],
) -> None:
    """
    Look at the watched directories again and again, and keep the catalogue the same as their content, until cancelled.

    `number_apps` gives new apps their ids before anyone sees them, and `forget_index` drops what was made from the
    previous catalogue. Polling the files notices changes on every file system, including those of containers and
    networks.
    """
    pause = _LOOK_SECONDS
    while True:
        await asyncio.sleep(pause)
        began = time.perf_counter()
        try:
            change = await asyncio.to_thread(directories.look)
        except Exception:
            _LOG.exception("connectors.not_read")
            change = Change()
        pause = max(_LOOK_SECONDS, (time.perf_counter() - began) / _SHARE)
        _tell_problems(change)
        if change.catalog is not None:
            await _number(number_apps, change.catalog)
            catalog.replace(change.catalog)
            forget_index()
            _LOG.info(
                "connectors.reloaded",
                added=list(change.added),
                changed=list(change.changed),
                removed=list(change.removed),
            )


async def _number(number_apps: Callable[[Iterable[str]], Awaitable[None]], catalog: Catalog) -> None:
    seldom = Seldom(_SELDOM_SECONDS)
    while True:
        try:
            return await number_apps(catalog.connectors)
        except DatabaseAway as away:
            if seldom.is_due():
                _LOG.warning("connectors.wait_for_database", reason=str(away))
            await asyncio.sleep(_LOOK_SECONDS)


def _tell_problems(change: Change) -> None:
    if change.problems is None:
        return
    for problem in change.problems:
        _LOG.error(
            "connectors.problem",
            message="the connector stays as it was without it",
            file=str(problem.file),
            line=problem.line,
            key=problem.key,
            problem=problem.message,
        )
    if not change.problems:
        _LOG.info("connectors.mended")
