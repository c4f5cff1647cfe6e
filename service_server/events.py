"""
What happens to calls and accounts, told once: a line in the log, and whoever counts it.

Events are named `<thing>.<what happened to it>`; docs/observability.md lists them with their fields.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import structlog

Listener: TypeAlias = Callable[[str, Mapping[str, Any]], None]

_LOG = structlog.get_logger(__name__)
_LISTENERS: list[Listener] = []


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have every event handed to a listener as well, whatever the log's level; a listener never fails."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def tell(event: str, **fields: Any) -> None:
    """Say that something happened; fields hold names, codes, numbers and pseudonyms, never what a user typed or got."""
    _hand_on(event, fields)
    _LOG.info(event, **fields)


def warn(event: str, **fields: Any) -> None:
    """Say that something happened which an operator should know of; as `tell`."""
    _hand_on(event, fields)
    _LOG.warning(event, **fields)


class Seldom:
    """Keeps a line that would be written over and over to one in so many seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._due_at = float("-inf")

    def is_due(self) -> bool:
        """Whether the line may be written now; then it was."""
        moment = self._clock()
        if moment < self._due_at:
            return False
        self._due_at = moment + self._seconds
        return True


def _hand_on(event: str, fields: Mapping[str, Any]) -> None:
    for listener in _LISTENERS:
        listener(event, fields)
