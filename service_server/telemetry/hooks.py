"""Puts functions around those of the service's parts, and takes them away again."""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self


class Hooks:
    """What has been put around what; used as a context manager, whose end takes everything away."""

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any]] = []

    def put(self, owner: Any, name: str, around: Callable[[Any], Any]) -> None:
        """Replace a function of a class or module by what `around` makes of it."""
        original = getattr(owner, name)
        self._before.append((owner, name, original))
        setattr(owner, name, around(original))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for owner, name, original in reversed(self._before):
            setattr(owner, name, original)
        self._before.clear()
