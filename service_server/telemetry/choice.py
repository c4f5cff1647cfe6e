"""What is switched on, by OpenTelemetry's standard environment variables; imports nothing of it."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal, TypeAlias

from attrs import frozen

from service_server.settings import InvalidSetting

Exporter: TypeAlias = Literal["otlp", "console"]
_EXPORTERS: tuple[Exporter, ...] = ("otlp", "console")
_ENDPOINT, _PROTOCOL = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL"
_INTERVAL, _LONGEST_MS = "OTEL_METRIC_EXPORT_INTERVAL", 86_400_000
_SPOKEN = "http/protobuf"
_EXTRA = "pip install 'integration-functions-service[telemetry]'"


@frozen(kw_only=True)
class Choice:
    """Where traces and metrics are sent to, the latter how often, and whether Prometheus can fetch the metrics."""

    traces: Exporter | None = None
    metrics: Exporter | None = None
    metrics_seconds: float = 60
    prometheus: bool = False

    @property
    def is_off(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.traces or self.metrics or self.prometheus)


def chosen(environment: Mapping[str, str], *, prometheus: bool) -> Choice:
    """
    What the environment asks for, beside an endpoint for `prometheus`.

    Nothing is sent unless a variable names an exporter or an endpoint of OTLP.

    Raises:
        InvalidSetting: for a value that isn't known, or when OpenTelemetry is not installed.
    """
    traces, metrics = _exporter(environment, "TRACES"), _exporter(environment, "METRICS")
    seconds = _seconds(environment) if metrics else Choice().metrics_seconds
    choice = Choice(traces=traces, metrics=metrics, metrics_seconds=seconds, prometheus=prometheus)
    if not choice.is_off and not _is_installed():
        asked = "--metrics-port" if prometheus else "An OTEL_… variable"
        raise InvalidSetting(f"{asked} needs OpenTelemetry. Install it with {_EXTRA}, or set OTEL_SDK_DISABLED=true.")
    return choice


def _exporter(environment: Mapping[str, str], signal: str) -> Exporter | None:
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    variable = f"OTEL_{signal}_EXPORTER"
    has_endpoint = environment.get(_ENDPOINT) or environment.get(f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")
    name = environment.get(variable, "").strip() or ("otlp" if has_endpoint else "none")
    if name == "none":
        return None
    if name not in _EXPORTERS:
        advice = " For Prometheus use --metrics-port." if name == "prometheus" else ""
        raise InvalidSetting(f"{variable} is one of {', '.join(_EXPORTERS)}, none; not {name[:40]!r}.{advice}")
    if name == "otlp":
        own = f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL"
        spoken = environment.get(own) or environment.get(_PROTOCOL) or _SPOKEN
        if spoken != _SPOKEN:
            raise InvalidSetting(f"{_PROTOCOL} can only be {_SPOKEN}, not {spoken[:40]!r}.")
    return "otlp" if name == "otlp" else "console"


def _seconds(environment: Mapping[str, str]) -> float:
    given = environment.get(_INTERVAL) or "60000"
    if not given.isdecimal() or not 0 < int(given) <= _LONGEST_MS:
        raise InvalidSetting(f"{_INTERVAL} is a number of milliseconds from 1 to {_LONGEST_MS}, not {given[:40]!r}.")
    return int(given) / 1000


def _is_installed() -> bool:
    try:
        return find_spec("opentelemetry.sdk") is not None and find_spec("prometheus_client") is not None
    except ModuleNotFoundError:
        return False
