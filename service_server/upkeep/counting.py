"""Counts calls as they end, for the charts of the console, and adds the counts to the database now and then."""

import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from service_server import events
from service_server.store import CallCounts, Counted, DatabaseAway, Sums
from service_server.store.call_counts import HOUR_SECONDS
from service_server.upkeep.repeating import repeated

PAUSE_SECONDS = 10.0
_EXECUTED, _REFUSED = "call.executed", "call.refused"


class Counting:
    """What this process has counted since it was last added; lost if the process is killed before."""

    def __init__(self, counts: CallCounts) -> None:
        self._counts = counts
        self._since: dict[Counted, Sums] = {}

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Count every call while the block lasts, and add the counts every few seconds and at the end."""
        adding = repeated(self.add, PAUSE_SECONDS, "counts.not_added", passing=DatabaseAway, at_once=False)
        with events.listening(self._listen):
            async with adding:
                yield
            with contextlib.suppress(DatabaseAway):
                await self.add()

    async def add(self) -> None:
        """Add what was counted; if that fails, it is kept for the next time."""
        counted, self._since = self._since, {}
        try:
            await self._counts.add(counted)
        except BaseException:
            for key, sums in counted.items():
                self._since.setdefault(key, Sums()).add(sums)
            raise

    def _listen(self, event: str, fields: Mapping[str, Any]) -> None:
        if event not in (_EXECUTED, _REFUSED):
            return
        key = (int(time.time()) // HOUR_SECONDS * HOUR_SECONDS, fields["app"], fields["function"])
        sums = self._since.get(key)
        if sums is None:
            sums = self._since[key] = Sums()
        if event == _REFUSED:
            sums.refused += 1
            return
        sums.executed += 1
        sums.failed += not fields["network_code"].startswith("2")
        sums.app_ms += fields["app_ms"]
        sums.service_ms += fields["service_ms"]
