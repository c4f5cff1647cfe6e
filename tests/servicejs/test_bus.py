"""Events: order, replay, once, unsubscribing."""

from typing import Any

import pytest

from servicejs.bus import Bus
from servicejs.errors import SdkError

Delivered = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture
def delivered() -> Delivered:
    """What the bus delivered."""
    return []


@pytest.fixture
def bus(delivered: Delivered) -> Bus:
    """A bus that notes what it delivers."""
    return Bus(lambda subscription, event, payload: delivered.append((subscription, event, payload)))


def test_events_reach_subscriptions_in_their_order(bus: Bus, delivered: Delivered) -> None:
    """Handlers are called in the order they subscribed, events in the order they were emitted."""
    bus.subscribe("app-connected", "first")
    bus.subscribe("app-disconnected", "other")
    bus.subscribe("app-connected", "second")

    bus.emit("app-connected", {"number": 1})
    bus.emit("app-connected", {"number": 2})

    told = [(subscription, payload["number"]) for subscription, _, payload in delivered]
    assert [("first", 1), ("second", 1), ("first", 2), ("second", 2)] == told


@pytest.mark.parametrize("event", ["ready", "error"])
def test_how_the_instance_stands_is_told_to_late_subscriptions(event: str, bus: Bus, delivered: Delivered) -> None:
    """`ready` and `error` reach whoever subscribes after they were emitted."""
    bus.emit(event, {"number": 1})

    bus.subscribe(event, "late")

    assert [("late", event, {"number": 1})] == delivered


def test_changes_are_not_told_to_late_subscriptions(bus: Bus, delivered: Delivered) -> None:
    """`app-connected` is news, which is over once it was told."""
    bus.emit("app-connected", {})

    bus.subscribe("app-connected", "late")

    assert [] == delivered


def test_ready_takes_back_an_earlier_error(bus: Bus, delivered: Delivered) -> None:
    """An instance that got ready after an error has no error to tell late subscriptions."""
    bus.emit("error", {})
    bus.emit("ready", {})

    bus.subscribe("error", "late")

    assert [] == delivered


def test_once_is_told_a_single_time(bus: Bus, delivered: Delivered) -> None:
    """A subscription for one time ends with its first event, be that a replayed one."""
    bus.subscribe("app-connected", "news", once=True)
    bus.emit("ready", {})
    bus.subscribe("ready", "replayed", once=True)

    for event in ("app-connected", "app-connected", "ready"):
        bus.emit(event, {})

    assert ["replayed", "news"] == [subscription for subscription, _, _ in delivered]


def test_unsubscribing_ends_one_subscription_or_all_of_an_event(bus: Bus, delivered: Delivered) -> None:
    """A named subscription goes alone; without a name all of the event go, and none of other events."""
    for subscription in ("one", "two", "three"):
        bus.subscribe("app-connected", subscription)
    bus.subscribe("app-disconnected", "other")

    bus.unsubscribe("app-connected", "two")
    bus.emit("app-connected", {})
    bus.unsubscribe("app-connected")
    bus.emit("app-connected", {})
    bus.emit("app-disconnected", {})

    assert ["one", "three", "other"] == [subscription for subscription, _, _ in delivered]


@pytest.mark.parametrize("event", ["app-conected", "", None, 3, ["ready"]])
def test_unknown_events_are_refused_with_the_known_ones(event: object, bus: Bus) -> None:
    """A name that is no event is an error that lists the events."""
    with pytest.raises(SdkError, match="ready, error, app-connected, app-disconnected") as refused:
        bus.subscribe(event, "any")

    assert "unknown_event" == refused.value.code
