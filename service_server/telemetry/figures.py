"""The figures: what is counted and timed, under names of the semantic conventions where there are any."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from opentelemetry.metrics import CallbackOptions, Meter, Observation

Attributes: TypeAlias = dict[str, str | int]

MOST_APPS = 200
"""Apps that have figures of their own; those that come later are counted together, as `other`."""
OTHER = "other"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_RENEWALS = {
    "account.refreshed": "renewed",
    "account.refresh_failed": "failed",
    "account.refresh_superseded": "superseded",
    "account.reconnect_required": "reconnect_required",
}
_CONNECTS = {"account.connected": "connected", "connect.failed": "failed", "connect.cancelled": "cancelled"}


class Figures:
    """Everything that is counted; labels have few values each, and none names a user."""

    def __init__(self, meter: Meter) -> None:
        self._apps: set[str] = set()
        self._calls = meter.create_counter("functions.calls", description="Calls, by how they ended")
        self._refusals = meter.create_counter("functions.refusals", description="Refused calls, by the error's code")
        self._renewals = meter.create_counter("functions.renewals", description="Renewals of tokens")
        self._connects = meter.create_counter("functions.connects", description="Attempts to connect an account")
        self._service_seconds = self._seconds(meter, "functions.call.service.duration", "The service's share of a call")
        self._app_seconds = self._seconds(meter, "functions.call.app.duration", "The app's share of a call")
        self._loop_seconds = self._seconds(meter, "functions.event_loop.lag", "How late the event loop is")
        self._database_seconds = self._seconds(
            meter, "db.client.operation.duration", "The database's work, with the wait for it"
        )
        self._request_seconds = self._seconds(meter, "http.server.request.duration", "Requests to the service")
        self._heard: Mapping[str, Callable[[str, Mapping[str, Any]], None]] = {
            "call.executed": self._executed,
            "call.refused": self._not_executed,
            "call.failed": self._not_executed,
            **dict.fromkeys(_RENEWALS, self._renewed),
            **dict.fromkeys(_CONNECTS, self._connected),
        }

    @staticmethod
    def _seconds(meter: Meter, name: str, description: str) -> Any:
        return meter.create_histogram(name, "s", description, explicit_bucket_boundaries_advisory=_SECONDS)

    def hear(self, event: str, fields: Mapping[str, Any]) -> None:
        """Count an event, as a listener of `service_server.events`."""
        if (count := self._heard.get(event)) is not None:
            count(event, fields)

    def request(self, seconds: float, method: str, route: str, status: int) -> None:
        """Count a request."""
        self._request_seconds.record(
            seconds,
            {"http.request.method": method, "http.route": route, "http.response.status_code": status},
        )

    def database(self, seconds: float, system: str, operation: str, error: str | None) -> None:
        """Count an operation of the database."""
        attributes: Attributes = {"db.system.name": system, "db.operation.name": operation}
        if error is not None:
            attributes["error.type"] = error
        self._database_seconds.record(seconds, attributes)

    def loop_lag(self, seconds: float) -> None:
        """Note how late the event loop was just now."""
        self._loop_seconds.record(seconds)

    def _app(self, fields: Mapping[str, Any]) -> str:
        name: str = fields["app"]
        if name not in self._apps:
            if len(self._apps) >= MOST_APPS:
                return OTHER
            self._apps.add(name)
        return name

    def _executed(self, _event: str, fields: Mapping[str, Any]) -> None:
        of = {"app": self._app(fields), "type": fields["type"]}
        self._calls.add(1, {**of, "outcome": "executed", "code_class": code_class(fields["network_code"])})
        self._service_seconds.record(fields["service_ms"] / 1000, of)
        self._app_seconds.record(fields["app_ms"] / 1000, of)

    def _not_executed(self, event: str, fields: Mapping[str, Any]) -> None:
        app, outcome = self._app(fields), event.partition(".")[2]
        self._calls.add(1, {"app": app, "type": fields["type"], "outcome": outcome, "code_class": "none"})
        if "code" in fields:
            self._refusals.add(1, {"app": app, "code": fields["code"]})

    def _renewed(self, event: str, fields: Mapping[str, Any]) -> None:
        self._renewals.add(1, {"app": self._app(fields), "outcome": _RENEWALS[event]})

    def _connected(self, event: str, fields: Mapping[str, Any]) -> None:
        self._connects.add(1, {"app": self._app(fields), "outcome": _CONNECTS[event]})


class Gauges:
    """Figures that are read when they are fetched: what waits at that moment, and counts that are kept as numbers."""

    def __init__(self, meter: Meter) -> None:
        self._queues: dict[str, Callable[[], int]] = {}
        self.cache_hits = 0
        self.cache_misses = 0
        meter.create_observable_gauge(
            "functions.queue.length", [self._lengths], description="What waits: writes of the log, calls for a turn"
        )
        meter.create_observable_counter(
            "functions.cache.requests", [self._cache], description="Credentials that were asked for, by the cache"
        )

    def queue(self, name: str, length: Callable[[], int]) -> None:
        """Tell the length of a queue whenever it is asked for; it is asked from another thread."""
        self._queues[name] = length

    def _lengths(self, _options: CallbackOptions) -> Iterable[Observation]:
        return [Observation(length(), {"queue": name}) for name, length in self._queues.items()]

    def _cache(self, _options: CallbackOptions) -> Iterable[Observation]:
        return [
            Observation(count, {"cache": "opened_credentials", "result": result})
            for result, count in (("hit", self.cache_hits), ("miss", self.cache_misses))
        ]


def code_class(network_code: str) -> str:
    """`2xx` to `5xx`; what is no status of HTTP is `other`."""
    return f"{network_code[0]}xx" if network_code.isdecimal() and len(network_code) == 3 else OTHER
