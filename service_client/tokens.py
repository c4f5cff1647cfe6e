"""Session tokens: kept until the service rejects them, then asked for again."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import TypeAlias

TokenSource: TypeAlias = str | Callable[[], str]
AsyncTokenSource: TypeAlias = str | Callable[[], str | Awaitable[str]]


class TokenKeeper:
    """Keeps the token that a source gives; threads that need a new one at the same time share one call."""

    def __init__(self, source: TokenSource) -> None:
        self._source = source
        self._token: str | None = None
        self._lock = threading.Lock()

    def __call__(self, rejected: str | None) -> str | None:
        """Return the token, or a new one if it was rejected; None if there is no other."""
        source = self._source
        if isinstance(source, str):
            return source if source != rejected else None
        with self._lock:
            if self._token is None or self._token == rejected:
                self._token = source()
            return self._token


class AsyncTokenKeeper:
    """Keeps the token that a source gives; tasks that need a new one at the same time share one call."""

    def __init__(self, source: AsyncTokenSource) -> None:
        self._source = source
        self._token: str | None = None
        self._lock = asyncio.Lock()

    async def __call__(self, rejected: str | None) -> str | None:
        """Return the token, or a new one if it was rejected; None if there is no other."""
        source = self._source
        if isinstance(source, str):
            return source if source != rejected else None
        async with self._lock:
            if self._token is None or self._token == rejected:
                token = source()
                self._token = await token if inspect.isawaitable(token) else token
            return self._token
