"""What OpenTelemetry's standard variables switch on."""

import pytest

from service_server.settings import InvalidSetting
from service_server.telemetry import choice
from service_server.telemetry.choice import Choice, chosen

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Choice()),
        ({"OTEL_SERVICE_NAME": "functions"}, Choice()),
        ({ENDPOINT: "http://collector:4318"}, Choice(traces="otlp", metrics="otlp")),
        ({ENDPOINT: "http://collector:4318", "OTEL_METRICS_EXPORTER": "none"}, Choice(traces="otlp")),
        ({ENDPOINT: "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, Choice()),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, Choice(traces="otlp")),
        ({"OTEL_TRACES_EXPORTER": "console"}, Choice(traces="console")),
        ({"OTEL_METRICS_EXPORTER": "otlp"}, Choice(metrics="otlp")),
        (
            {"OTEL_METRICS_EXPORTER": "console", "OTEL_METRIC_EXPORT_INTERVAL": "1500"},
            Choice(metrics="console", metrics_seconds=1.5),
        ),
    ],
)
def test_nothing_is_sent_unless_asked_for(environment: dict[str, str], expected: Choice) -> None:
    """An exporter that is named, or an endpoint, switches on; what is disabled stays off."""
    assert expected == chosen(environment, prometheus=False)


def test_the_endpoint_for_prometheus_needs_no_variable() -> None:
    """It is an option of its own, also where nothing may be sent."""
    assert Choice(prometheus=True) == chosen({"OTEL_SDK_DISABLED": "true"}, prometheus=True)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER is one of otlp, console, none"),
        ({"OTEL_METRICS_EXPORTER": "prometheus"}, "--metrics-port"),
        ({"OTEL_METRICS_EXPORTER": "otlp", "OTEL_METRIC_EXPORT_INTERVAL": "1m"}, "a number of milliseconds from 1 to"),
        ({ENDPOINT: "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "can only be http/protobuf"),
    ],
)
def test_what_is_not_known_is_refused_in_words(environment: dict[str, str], said: str) -> None:
    """A value that could only be ignored is an error that names the variable."""
    with pytest.raises(InvalidSetting, match=said):
        chosen(environment, prometheus=False)


@pytest.mark.parametrize(("environment", "prometheus"), [({}, True), ({ENDPOINT: "http://c:4318"}, False)])
def test_without_opentelemetry_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, prometheus: bool
) -> None:
    """What is asked for is never silently missing."""
    monkeypatch.setattr(choice, "_is_installed", lambda: False)

    with pytest.raises(InvalidSetting, match=r"pip install 'integration-functions-service\[telemetry\]'"):
        chosen(environment, prometheus=prometheus)
