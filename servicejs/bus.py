"""The events of one instance: who listens, in which order, and what late listeners are told."""

from collections.abc import Callable
from typing import Any

from servicejs.errors import SdkError

EVENTS = ("ready", "error", "app-connected", "app-disconnected", "function-called")
REPLAYED = frozenset({"ready", "error"})  # they say how the instance stands, so whoever asks later must hear them too

Deliver = Callable[[str, str, dict[str, Any]], None]


def check_event(event: object) -> str:
    """Return the event's name; an unknown one is an error that lists the known ones."""
    if isinstance(event, str) and event in EVENTS:
        return event
    raise SdkError("unknown_event", f"There is no event {event!r}; the events are {', '.join(EVENTS)}.")


class Bus:
    """
    Delivers events to subscriptions in the order they were made.

    A subscription is a name that the page knows a handler by; `deliver(subscription, event, payload)` reaches it.
    """

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._subscriptions: dict[str, tuple[str, bool]] = {}
        self._last: dict[str, dict[str, Any]] = {}

    def subscribe(self, event: object, subscription: str, *, once: bool = False) -> None:
        """Add a subscription; one to a replayed event is told at once what was last emitted."""
        name = check_event(event)
        self._subscriptions[subscription] = (name, once)
        if name in self._last:
            self._send(subscription, name, self._last[name], once)

    def unsubscribe(self, event: object, subscription: str | None = None) -> None:
        """Remove one subscription of an event, or all of them; one that is gone already is no error."""
        name = check_event(event)
        for key, (subscribed, _) in list(self._subscriptions.items()):
            if subscribed == name and subscription in (None, key):
                del self._subscriptions[key]

    def emit(self, event: str, payload: dict[str, Any]) -> None:
        """Deliver an event to everyone who listens now, and keep it if it is one that is replayed."""
        name = check_event(event)
        if name in REPLAYED:
            self._last = {name: payload}  # an instance that got ready after an error has no error to tell any more
        for subscription, (subscribed, once) in list(self._subscriptions.items()):
            if subscribed == name:
                self._send(subscription, name, payload, once)

    def _send(self, subscription: str, event: str, payload: dict[str, Any], once: bool) -> None:
        if once:
            del self._subscriptions[subscription]
        self._deliver(subscription, event, payload)
