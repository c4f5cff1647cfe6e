"""The figures of several workers as one text, and those that are bounded."""

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from service_server.telemetry.exposition import merged
from service_server.telemetry.figures import MOST_APPS, Figures, code_class
from service_server.telemetry.instruments import Both
from service_server.telemetry.otlp_instruments import OtlpInstruments
from service_server.telemetry.prometheus_instruments import PrometheusInstruments


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
    reader, fetched = InMemoryMetricReader(), PrometheusInstruments.on_a_new_registry()
    figures = Figures(Both(fetched, OtlpInstruments(MeterProvider([reader]).get_meter("test"))))
    for number in range(MOST_APPS + 50):
        figures.hear("account.refreshed", {"app": f"app-{number}"})
    figures.database(0.25, "sqlite", "read", "")

    data = reader.get_metrics_data()
    assert data is not None
    renewals, durations = data.resource_metrics[0].scope_metrics[0].metrics
    apps = {point.attributes["app"]: point.value for point in renewals.data.data_points if point.attributes}
    assert (MOST_APPS + 1, 50) == (len(apps), apps["other"])
    of_others = {"app": "other", "outcome": "renewed"}
    assert 50 == fetched.registry.get_sample_value("functions_renewals_total", of_others)
    (point,) = durations.data.data_points
    assert {"db.system.name": "sqlite", "db.operation.name": "read"} == point.attributes


def test_network_codes_are_counted_by_class() -> None:
    """What an app answers is one of a few."""
    assert ["2xx", "4xx", "5xx", "other", "other"] == [code_class(each) for each in ("204", "404", "503", "", "99999")]
