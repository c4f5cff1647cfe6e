"""Tests of accounts whose credentials were refused: one at a time, and not again right away."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

from service_server.store import Account

TEST_AGAIN_SECONDS = 30.0
PATIENCE_SECONDS = 2.0
"""How long the answer of a call waits for the test of its account."""
_KEPT_ACCOUNTS = 4096


class AccountTests:
    """Runs the tests; a call's answer waits for its test only for a moment."""

    def __init__(self) -> None:
        self._tested_at: OrderedDict[tuple[int, int], float] = OrderedDict()
        self._running: set[asyncio.Task[None]] = set()

    def is_due(self, account: Account) -> bool:
        """Whether the account's credentials have not been tested lately; they count as tested from now on."""
        credentials, now = (account.id, account.version), time.monotonic()
        if now - self._tested_at.get(credentials, -TEST_AGAIN_SECONDS) < TEST_AGAIN_SECONDS:
            return False
        self._tested_at[credentials] = now
        self._tested_at.move_to_end(credentials)
        if len(self._tested_at) > _KEPT_ACCOUNTS:
            self._tested_at.popitem(last=False)
        return True

    async def run(self, test: Coroutine[Any, Any, None]) -> None:
        """Run a test, and wait for it a moment."""
        task = asyncio.create_task(test, name="test of refused credentials")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
