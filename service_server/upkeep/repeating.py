"""What a service does regularly while it runs, beside answering requests."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import structlog

from service_server.events import Seldom

_LOG = structlog.get_logger(__name__)
_SELDOM_SECONDS = 60.0


@contextlib.asynccontextmanager
async def repeated(
    work: Callable[[], Awaitable[object]],
    seconds: float,
    failure: str,
    *,
    passing: type[Exception] | tuple[type[Exception], ...] = (),
    at_once: bool = True,
) -> AsyncIterator[None]:
    """
    Do some work every so many seconds while the block lasts, the first time at once or after the first pause.

    If the work fails, that is logged as `failure` and it is tried again next time; a `passing` error is logged without
    its traceback, and once a minute while it lasts.
    """

    async def again_and_again() -> None:
        seldom = Seldom(_SELDOM_SECONDS)
        if not at_once:
            await asyncio.sleep(seconds)
        while True:
            try:
                await work()
                seldom = Seldom(_SELDOM_SECONDS)
            except passing as reason:
                if seldom.is_due():
                    _LOG.warning(failure, reason=str(reason))
            except Exception:  # a defect in one round must not end the work for good
                _LOG.exception(failure)
            await asyncio.sleep(seconds)

    task = asyncio.create_task(again_and_again(), name=failure)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
