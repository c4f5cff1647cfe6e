"""The figures of several workers as one text, and those that are bounded."""

import re
from pathlib import Path

from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from service_server.telemetry.exposition import merged
from service_server.telemetry.figures import MOST_APPS, Figures, Gauges, code_class
from service_server.telemetry.instruments import BUCKETS, Instruments
from service_server.telemetry.sent_metrics import SentMetrics


def told(count: int) -> str:
    """What one worker tells."""
    registry = CollectorRegistry()
    Gauge("open_files", "Open files", registry=registry).set(count)
    calls = Counter("calls", "Calls\nthat ended", ["app"], registry=registry)
    calls.labels('odd "app"\n# HELP calls').inc(count)
    return generate_latest(registry).decode()


def test_each_family_stands_once_with_the_figures_of_all_processes() -> None:
    """Every figure has the process's label, and what stood in its labels before is untouched."""
    text = merged({"7": told(2), "8": told(3), "9": ""})

    families = {each.name: each for each in text_string_to_metric_families(text)}
    assert 1 == text.count("# TYPE calls_total")
    assert [("7", 2.0), ("8", 3.0)] == [(each.labels["process"], each.value) for each in families["open_files"].samples]
    assert [('odd "app"\n# HELP calls', 2.0), ('odd "app"\n# HELP calls', 3.0)] == [
        (each.labels["app"], each.value) for each in families["calls"].samples if each.name == "calls_total"
    ]


def test_apps_beyond_the_limit_are_counted_together() -> None:
    """However many connectors there are, there are only so many figures, for Prometheus and for a collector."""
    instruments = Instruments.on_a_new_registry()
    figures, gauges = Figures(instruments), Gauges(instruments)
    for number in range(MOST_APPS + 50):
        figures.hear("account.refreshed", {"app": f"app-{number}"})
    for seconds in (0.25, 0.001, 60):
        figures.database(seconds, "sqlite", "read", "")
    gauges.queue("budgets", lambda: 3)

    data = SentMetrics(instruments, Resource({}), InstrumentationScope("test")).read()
    metrics = {each.name: each for each in data.resource_metrics[0].scope_metrics[0].metrics}
    renewals = metrics["functions.renewals"]
    apps = {point.attributes["app"]: point.value for point in renewals.data.data_points if point.attributes}
    assert (MOST_APPS + 1, 50) == (len(apps), apps["other"])
    of_others = {"app": "other", "outcome": "renewed"}
    assert 50 == instruments.registry.get_sample_value("functions_renewals_total", of_others)
    (lengths,) = metrics["functions.queue.length"].data.data_points
    assert ({"queue": "budgets"}, 3) == (lengths.attributes, lengths.value)
    (point,) = metrics["db.client.operation.duration"].data.data_points
    assert ({"db.system.name": "sqlite", "db.operation.name": "read"}, 3, 60.251, BUCKETS) == (
        point.attributes,
        point.count,
        point.sum,
        tuple(point.explicit_bounds),
    )
    assert {0: 1, BUCKETS.index(0.25): 1, len(BUCKETS): 1} == {
        place: count for place, count in enumerate(point.bucket_counts) if count
    }
    (sent,) = encode_metrics(data).resource_metrics[0].scope_metrics
    assert {each.name: each.unit for each in metrics.values()} == {each.name: each.unit for each in sent.metrics}


def test_network_codes_are_counted_by_class() -> None:
    """What an app answers is one of a few."""
    assert ["2xx", "4xx", "5xx", "other", "other"] == [code_class(each) for each in ("204", "404", "503", "", "99999")]


DOCUMENT = Path(__file__).parents[3] / "docs" / "observability.md"


def test_the_documentation_lists_each_figure_with_its_labels() -> None:
    """What is measured and what docs/observability.md says are the same."""
    table = DOCUMENT.read_text().partition("## Metrics")[2].partition("## Traces")[0]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    instruments = Instruments.on_a_new_registry()
    Figures(instruments)
    Gauges(instruments)
    kinds = {each.name: next(iter(each.collector.collect())).type for each in instruments.made}
    endings = {"counter": "_total", "histogram": "_seconds", "gauge": ""}

    assert {name: set(re.findall(r"\w+", labels)) for name, labels in rows} == {
        f"{each.name.replace('.', '_')}{endings[kinds[each.name]]}": set(each.labels) for each in instruments.made
    }
