"""What a service does again and again while it runs, beside answering."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import structlog

_LOG = structlog.get_logger(__name__)


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

    Work that fails is logged as `failure` and done again next time: in full, or for what is known to pass by its words.
    """

    async def again_and_again() -> None:
        if not at_once:
            await asyncio.sleep(seconds)
        while True:
            try:
                await work()
            except passing as reason:
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
