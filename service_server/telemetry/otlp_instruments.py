"""Instruments of OpenTelemetry's meters, for what is sent to a collector."""

from collections.abc import Callable, Iterable, Sequence

from attrs import frozen
from opentelemetry.metrics import CallbackOptions, Meter, Observation

from service_server.telemetry.instruments import BUCKETS, Add, Read, Record


@frozen
class OtlpInstruments:
    """Makes instruments of a meter."""

    meter: Meter

    def counter(self, name: str, description: str, labels: Sequence[str]) -> Add:
        """What happens."""
        counter = self.meter.create_counter(name, description=description)

        def add(*values: str) -> None:
            counter.add(1, _attributes(labels, values))

        return add

    def seconds(self, name: str, description: str, labels: Sequence[str]) -> Record:
        """How long something takes."""
        histogram = self.meter.create_histogram(name, "s", description, explicit_bucket_boundaries_advisory=BUCKETS)

        def record(seconds: float, *values: str) -> None:
            histogram.record(seconds, _attributes(labels, values))

        return record

    def gauge(self, name: str, description: str, label: str, read: Read) -> None:
        """What there is at a moment."""
        self.meter.create_observable_gauge(name, [_observed(label, read)], description=description)

    def count(self, name: str, description: str, label: str, read: Read) -> None:
        """What happens, counted elsewhere."""
        self.meter.create_observable_counter(name, [_observed(label, read)], description=description)


def _observed(label: str, read: Read) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observe(_options: CallbackOptions) -> Iterable[Observation]:
        return [Observation(number, {label: value}) for value, number in read()]

    return observe


def _attributes(labels: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    return {label: value for label, value in zip(labels, values, strict=True) if value}
