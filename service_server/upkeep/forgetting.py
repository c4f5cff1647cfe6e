"""Drops what is too old while the service runs, and never delays its start."""

from contextlib import AbstractAsyncContextManager

import structlog

from service_server.store import DatabaseAway, Retention, StoredFiles
from service_server.upkeep.repeating import repeated

_PAUSE_SECONDS = 3600.0
_FILES_PAUSE_SECONDS = 60.0

_LOG = structlog.get_logger(__name__)


def forgetting(retention: Retention, call_days: int, audit_days: int) -> AbstractAsyncContextManager[None]:
    """Drop what is too old, from now on and every hour; calls and the audit trail after so many days."""

    async def forget() -> None:
        if forgotten := await retention.forget(call_days, audit_days):
            _LOG.info("retention.dropped", rows=forgotten)

    return repeated(forget, _PAUSE_SECONDS, "retention.failed", passing=DatabaseAway)


def forgetting_files(files: StoredFiles) -> AbstractAsyncContextManager[None]:
    """Delete expired files every minute."""

    async def forget() -> None:
        if forgotten := await files.forget():
            _LOG.info("files.dropped", files=forgotten)

    return repeated(forget, _FILES_PAUSE_SECONDS, "files.not_dropped", passing=DatabaseAway, at_once=False)
