"""What figures are counted with: Prometheus's own library, OpenTelemetry's meters, or both."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from attrs import frozen

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds up to which the durations are counted together."""

Add: TypeAlias = Callable[..., None]
"""Adds one, for the values of its labels in their order."""
Record: TypeAlias = Callable[..., None]
"""Notes some seconds, for the values of its labels in their order; an empty value is a label that doesn't apply."""
Read: TypeAlias = Callable[[], Iterable[tuple[str, int]]]
"""Reads a number for each value of one label; it is asked from another thread."""


class Instruments(Protocol):
    """Makes instruments; `labels` are named as OpenTelemetry's conventions do, with dots."""

    def counter(self, name: str, description: str, labels: Sequence[str]) -> Add:
        """What happens."""

    def seconds(self, name: str, description: str, labels: Sequence[str]) -> Record:
        """How long something takes."""

    def gauge(self, name: str, description: str, label: str, read: Read) -> None:
        """What there is at a moment."""

    def count(self, name: str, description: str, label: str, read: Read) -> None:
        """What happens, counted elsewhere."""


@frozen
class Both:
    """Has everything counted twice, for Prometheus and for a collector."""

    first: Instruments
    second: Instruments

    def counter(self, name: str, description: str, labels: Sequence[str]) -> Add:
        """What happens."""
        first, second = (each.counter(name, description, labels) for each in (self.first, self.second))

        def add(*values: str) -> None:
            first(*values)
            second(*values)

        return add

    def seconds(self, name: str, description: str, labels: Sequence[str]) -> Record:
        """How long something takes."""
        first, second = (each.seconds(name, description, labels) for each in (self.first, self.second))

        def record(seconds: float, *values: str) -> None:
            first(seconds, *values)
            second(seconds, *values)

        return record

    def gauge(self, name: str, description: str, label: str, read: Read) -> None:
        """What there is at a moment."""
        for each in (self.first, self.second):
            each.gauge(name, description, label, read)

    def count(self, name: str, description: str, label: str, read: Read) -> None:
        """What happens, counted elsewhere."""
        for each in (self.first, self.second):
            each.count(name, description, label, read)
