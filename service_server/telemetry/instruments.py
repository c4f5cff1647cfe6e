"""
What figures are counted with: Prometheus's own library, whether Prometheus fetches them or a collector is sent them.

A call has some eight figures; OpenTelemetry's instruments take several times as long for each, a sixth of a call.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import field, frozen
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds up to which the durations are counted together."""

Add: TypeAlias = Callable[..., None]
"""Adds one, for the values of its labels in their order."""
Record: TypeAlias = Callable[..., None]
"""Notes some seconds, for the values of its labels in their order; an empty value is a label that doesn't apply."""
Read: TypeAlias = Callable[[], Iterable[tuple[str, int]]]
"""Reads a number for each value of one label; it is asked from another thread."""


@frozen
class Instrument:
    """A figure by the name that OpenTelemetry's conventions give it, and its labels' names by those of Prometheus."""

    name: str
    unit: str
    labels: Mapping[str, str]
    collector: Collector


@frozen
class Instruments:
    """
    Makes instruments whose figures a registry tells, beside those of the process itself.

    Names, also of labels, have dots, as OpenTelemetry's conventions want them; Prometheus has underscores there.
    """

    registry: CollectorRegistry
    made: list[Instrument] = field(factory=list)

    @classmethod
    def on_a_new_registry(cls) -> "Instruments":
        """Instruments, and the figures of the process."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        return cls(registry)

    def counter(self, name: str, description: str, labels: Sequence[str]) -> Add:
        """What happens."""
        counter = Counter(_name(name), description, [_name(each) for each in labels], registry=self.registry)
        self._note(name, "", labels, counter)
        known: dict[tuple[str, ...], Counter] = {}

        def add(*values: str) -> None:
            child = known.get(values)
            if child is None:
                child = known[values] = counter.labels(*values)
            child.inc()

        return add

    def seconds(self, name: str, description: str, labels: Sequence[str]) -> Record:
        """How long something takes."""
        histogram = Histogram(
            f"{_name(name)}_seconds",
            description,
            [_name(each) for each in labels],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._note(name, "s", labels, histogram)
        known: dict[tuple[str, ...], Histogram] = {}

        def record(seconds: float, *values: str) -> None:
            child = known.get(values)
            if child is None:
                child = known[values] = histogram.labels(*values) if values else histogram
            child.observe(seconds)

        return record

    def gauge(self, name: str, description: str, label: str, read: Read) -> None:
        """What there is at a moment."""
        self._register(name, label, _Read(GaugeMetricFamily, _name(name), description, label, read))

    def count(self, name: str, description: str, label: str, read: Read) -> None:
        """What happens, counted elsewhere."""
        self._register(name, label, _Read(CounterMetricFamily, _name(name), description, label, read))

    def _register(self, name: str, label: str, collector: Collector) -> None:
        self.registry.register(collector)
        self._note(name, "", [label], collector)

    def _note(self, name: str, unit: str, labels: Sequence[str], collector: Collector) -> None:
        self.made.append(Instrument(name, unit, {_name(label): label for label in labels}, collector))


@frozen(eq=False)
class _Read(Collector):
    kind: type[GaugeMetricFamily] | type[CounterMetricFamily]
    name: str
    description: str
    label: str
    read: Read

    def collect(self) -> Iterator[Metric]:
        family = self.kind(self.name, self.description, labels=[self.label])
        for value, number in self.read():
            family.add_metric([value], number)
        yield family


def _name(name: str) -> str:
    return name.replace(".", "_")
