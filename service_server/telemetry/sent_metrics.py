"""The figures as a collector of OpenTelemetry is sent them."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import field, frozen
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.samples import Sample

from service_server.telemetry.instruments import Instrument, Instruments

_SINCE_THE_START = AggregationTemporality.CUMULATIVE


@frozen
class SentMetrics:
    """Reads all figures of this process, of which so much is told: `resource` and `scope`."""

    instruments: Instruments
    resource: Resource
    scope: InstrumentationScope
    began_ns: int = field(factory=time.time_ns)

    def read(self) -> MetricsData:
        """What was counted since the start."""
        now = time.time_ns()
        metrics = [metric for each in self.instruments.made for metric in self._metrics(each, now)]
        scope = ScopeMetrics(self.scope, metrics, "")
        return MetricsData([ResourceMetrics(self.resource, [scope], "")])

    def _metrics(self, instrument: Instrument, now: int) -> Iterator[Metric]:
        for family in instrument.collector.collect():
            if points := self._data(family, instrument.labels, now):
                yield Metric(instrument.name, family.documentation, instrument.unit, points)

    def _data(self, family: Family, labels: Mapping[str, str], now: int) -> Sum | Gauge | Histogram | None:
        if not family.samples:
            return None
        if family.type == "histogram":
            return Histogram(list(self._durations(family.samples, labels, now)), _SINCE_THE_START)
        points = [
            NumberDataPoint(_attributes(each, labels), self.began_ns, now, int(each.value)) for each in family.samples
        ]
        return Gauge(points) if family.type == "gauge" else Sum(points, _SINCE_THE_START, is_monotonic=True)

    def _durations(
        self, samples: Sequence[Sample], labels: Mapping[str, str], now: int
    ) -> Iterator[HistogramDataPoint]:
        told: dict[tuple[tuple[str, str], ...], list[Sample]] = {}
        for sample in samples:
            told.setdefault(tuple(_attributes(sample, labels).items()), []).append(sample)
        for attributes, own in told.items():
            buckets = [(float(each.labels["le"]), int(each.value)) for each in own if "le" in each.labels]
            (total,) = (each.value for each in own if each.name.endswith("_sum"))
            yield HistogramDataPoint(
                attributes=dict(attributes),
                start_time_unix_nano=self.began_ns,
                time_unix_nano=now,
                count=buckets[-1][1],
                sum=total,
                # Prometheus counts in each bucket those before it as well.
                bucket_counts=[after - before for before, after in pairwise([0, *(count for _, count in buckets)])],
                explicit_bounds=[bound for bound, _ in buckets if math.isfinite(bound)],
                min=None,  # type: ignore[arg-type] # not kept; the protocol has no need of them
                max=None,  # type: ignore[arg-type]
            )


def _attributes(sample: Sample, labels: Mapping[str, str]) -> dict[str, str]:
    return {labels[name]: value for name, value in sample.labels.items() if value and name in labels}
