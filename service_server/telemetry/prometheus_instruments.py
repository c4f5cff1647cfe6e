"""
Instruments of Prometheus's own library.

A call has some eight figures; OpenTelemetry's take several times as long for each, a sixth of the whole call.
"""

from collections.abc import Iterator, Sequence

from attrs import frozen
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from service_server.telemetry.instruments import BUCKETS, Add, Read, Record


@frozen
class PrometheusInstruments:
    """Makes instruments whose figures a registry tells, beside those of the process itself."""

    registry: CollectorRegistry

    @classmethod
    def on_a_new_registry(cls) -> "PrometheusInstruments":
        """Instruments, and the figures of the process."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        return cls(registry)

    def counter(self, name: str, description: str, labels: Sequence[str]) -> Add:
        """What happens."""
        counter = Counter(_name(name), description, [_name(each) for each in labels], registry=self.registry)
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
        known: dict[tuple[str, ...], Histogram] = {}

        def record(seconds: float, *values: str) -> None:
            child = known.get(values)
            if child is None:
                child = known[values] = histogram.labels(*values) if values else histogram
            child.observe(seconds)

        return record

    def gauge(self, name: str, description: str, label: str, read: Read) -> None:
        """What there is at a moment."""
        self.registry.register(_Read(GaugeMetricFamily, _name(name), description, label, read))

    def count(self, name: str, description: str, label: str, read: Read) -> None:
        """What happens, counted elsewhere."""
        self.registry.register(_Read(CounterMetricFamily, _name(name), description, label, read))


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
