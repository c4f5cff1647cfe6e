"""Dates and times in the form that a slot takes."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from service_server.predict.arguments.slots import Slot
from service_server.predict.mentions import Moment
from service_server.predict.words import word_set

_EPOCH = word_set("epoch unix timestamp")
_MOMENT_FORMATS = frozenset({"date", "date-time", "time"})
_MOMENT_WORDS = word_set(
    "date datetim deadlin due day start end begin time when until since sinc befor after timestamp at"
)


def takes_moments(slot: Slot) -> bool:
    """Whether a slot holds a date or a time."""
    if slot.format:
        return slot.format in _MOMENT_FORMATS
    if slot.opaque or slot.options or slot.type not in ("string", "number"):
        return False
    if slot.type == "number":
        return not slot.hints.isdisjoint(_EPOCH)
    return bool(slot.words & _MOMENT_WORDS) and ("date" in slot.words | slot.hints or "time" in slot.words | slot.hints)


def moment_value(slot: Slot, moment: Moment, now: datetime) -> Any:
    """Return a date or time in the form the slot takes; None where the prompt doesn't say enough for that form."""
    if slot.type == "number":
        instant = _instant(moment, now) or (_instant(Moment(moment.day, time(tzinfo=now.tzinfo)), now))
        return int(instant.timestamp()) if instant else None
    form = slot.format or _described_form(slot, moment)
    if form == "time":
        is_own = moment.clock is not None and moment.clock.tzinfo == now.tzinfo  # the form has no offset
        return moment.clock.replace(tzinfo=None).isoformat() if moment.clock and is_own else None
    if form == "date":
        return moment.day.isoformat() if moment.day else None
    instant = _instant(moment, now)
    return instant.isoformat().replace("+00:00", "Z") if instant else None


def _described_form(slot: Slot, moment: Moment) -> str:
    if "date" in slot.words and "time" not in slot.words and "8601" not in slot.hints:
        return "date"
    if "time" in slot.words and moment.day is None:
        return "time"
    return "date-time" if moment.clock else "date"


def _instant(moment: Moment, now: datetime) -> datetime | None:
    """Return a moment as an instant; a time of day without a day is the next one to come."""
    if moment.clock is None:
        return None
    instant = datetime.combine(moment.day or now.date(), moment.clock)
    instant = instant if instant.tzinfo else instant.replace(tzinfo=now.tzinfo or UTC)
    return instant + timedelta(days=1) if moment.day is None and instant < now else instant
