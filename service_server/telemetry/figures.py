"""The figures: what is counted and timed, under names of the semantic conventions where there are any."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from service_server.telemetry.instruments import Instruments

MOST_APPS = 200
"""Apps that have figures of their own; those that come later are counted together, as `other`."""
OTHER = "other"
_RENEWALS = {
    "account.refreshed": "renewed",
    "account.refresh_failed": "failed",
    "account.refresh_superseded": "superseded",
    "account.reconnect_required": "reconnect_required",
}
_CONNECTS = {"account.connected": "connected", "connect.failed": "failed", "connect.cancelled": "cancelled"}


class Figures:
    """
    Everything that is counted; labels have few values each, and none names a user.

    `request` and `database` take seconds and the values of their labels, `loop_lag` seconds.
    """

    def __init__(self, instruments: Instruments) -> None:
        counter, seconds = instruments.counter, instruments.seconds
        self._apps: set[str] = set()
        self._calls = counter("functions.calls", "Calls, by how they ended", ("app", "type", "outcome", "code_class"))
        self._refusals = counter("functions.refusals", "Refused calls, by the error's code", ("app", "code"))
        self._renewals = counter("functions.renewals", "Renewals of tokens", ("app", "outcome"))
        self._connects = counter("functions.connects", "Attempts to connect an account", ("app", "outcome"))
        of_calls = ("app", "type")
        self._service_seconds = seconds("functions.call.service.duration", "The service's share of a call", of_calls)
        self._app_seconds = seconds("functions.call.app.duration", "The app's share of a call", of_calls)
        self.loop_lag = seconds("functions.event_loop.lag", "How late the event loop is", ())
        self.database = seconds(
            "db.client.operation.duration",
            "The database's work, with the wait for it",
            ("db.system.name", "db.operation.name", "error.type"),
        )
        self.request = seconds(
            "http.server.request.duration",
            "Requests to the service",
            ("http.request.method", "http.route", "http.response.status_code"),
        )
        self._heard: Mapping[str, Callable[[str, Mapping[str, Any]], None]] = {
            "call.executed": self._executed,
            "call.refused": self._not_executed,
            "call.failed": self._not_executed,
            **dict.fromkeys(_RENEWALS, self._renewed),
            **dict.fromkeys(_CONNECTS, self._connected),
        }

    def hear(self, event: str, fields: Mapping[str, Any]) -> None:
        """Count an event, as a listener of `service_server.events`."""
        if (count := self._heard.get(event)) is not None:
            count(event, fields)

    def _app(self, fields: Mapping[str, Any]) -> str:
        name: str = fields["app"]
        if name not in self._apps:
            if len(self._apps) >= MOST_APPS:
                return OTHER
            self._apps.add(name)
        return name

    def _executed(self, _event: str, fields: Mapping[str, Any]) -> None:
        app, kind = self._app(fields), fields["type"]
        self._calls(app, kind, "executed", code_class(fields["network_code"]))
        self._service_seconds(fields["service_ms"] / 1000, app, kind)
        self._app_seconds(fields["app_ms"] / 1000, app, kind)

    def _not_executed(self, event: str, fields: Mapping[str, Any]) -> None:
        app = self._app(fields)
        self._calls(app, fields["type"], event.partition(".")[2], "none")
        if "code" in fields:
            self._refusals(app, fields["code"])

    def _renewed(self, event: str, fields: Mapping[str, Any]) -> None:
        self._renewals(self._app(fields), _RENEWALS[event])

    def _connected(self, event: str, fields: Mapping[str, Any]) -> None:
        self._connects(self._app(fields), _CONNECTS[event])


class Gauges:
    """Figures that are read when they are fetched: what waits at that moment, and counts that are kept as numbers."""

    def __init__(self, instruments: Instruments) -> None:
        self._queues: dict[str, Callable[[], int]] = {}
        self.cache_hits = 0
        self.cache_misses = 0
        instruments.gauge("functions.queue.length", "What waits at this moment", "queue", self._lengths)
        instruments.count("functions.credentials.opened", "Credentials that were asked for", "result", self._opened)

    def queue(self, name: str, length: Callable[[], int]) -> None:
        """Tell the length of a queue whenever it is asked for; it is asked from another thread."""
        self._queues[name] = length

    def _lengths(self) -> Iterable[tuple[str, int]]:
        return [(name, length()) for name, length in list(self._queues.items())]

    def _opened(self) -> Iterable[tuple[str, int]]:
        return [("kept", self.cache_hits), ("unsealed", self.cache_misses)]


def code_class(network_code: str) -> str:
    """`2xx` to `5xx`; what is no status of HTTP is `other`."""
    return f"{network_code[0]}xx" if network_code.isdecimal() and len(network_code) == 3 else OTHER
