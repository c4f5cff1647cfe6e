"""What is switched on, by OpenTelemetry's standard environment variables; imports nothing of it."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal, TypeAlias

from attrs import frozen

from service_server.settings import InvalidSetting

Exporter: TypeAlias = Literal["otlp", "console"]
_EXPORTERS: tuple[Exporter, ...] = ("otlp", "console")
_ENDPOINT, _PROTOCOL = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL"
_SPOKEN = "http/protobuf"
_EXTRA = "pip install 'integration-functions-service[telemetry]'"


@frozen(kw_only=True)
class Choice:
    """Where traces and metrics are sent to, and whether Prometheus can fetch the metrics."""

    traces: Exporter | None = None
    metrics: Exporter | None = None
    prometheus: bool = False

    @property
    def is_off(self) -> bool:
        """Whether there is nothing to do."""
        return self == Choice()


def chosen(environment: Mapping[str, str], *, prometheus: bool) -> Choice:
    """
    What the environment asks for, beside an endpoint for `prometheus`.

    Nothing is sent unless a variable names an exporter or an endpoint of OTLP.

    Raises:
        InvalidSetting: for a value that isn't known, or when OpenTelemetry is not installed.
    """
    traces, metrics = _exporter(environment, "TRACES"), _exporter(environment, "METRICS")
    choice = Choice(traces=traces, metrics=metrics, prometheus=prometheus)
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


def _is_installed() -> bool:
    try:
        return find_spec("opentelemetry.sdk") is not None and find_spec("prometheus_client") is not None
    except ModuleNotFoundError:
        return False
