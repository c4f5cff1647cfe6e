"""Spans of time as connector files write them: `500ms`, `2s`, `5m`, `1h`, `60d`."""

from typing import Final

SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def seconds_of(text: str) -> float:
    """Return a span in seconds; its form has been checked."""
    number = text.rstrip("mshd")
    return int(number) * SECONDS[text[len(number) :]]
