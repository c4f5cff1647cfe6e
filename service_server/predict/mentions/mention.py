"""A value that stands in a prompt."""

from datetime import date, time
from enum import StrEnum
from typing import Any

from attrs import field, frozen


class Kind(StrEnum):
    """What sort of value a mention is."""

    QUOTED = "quoted"
    EMAIL = "email"
    URL = "url"
    CHANNEL = "channel"
    USER = "user"
    SLUG = "slug"
    IDENTIFIER = "identifier"
    NUMBER = "number"
    PERCENT = "percent"
    MOMENT = "moment"
    NAMED = "named"
    SAID = "said"
    AFTER_COLON = "after_colon"
    TOPIC = "topic"
    PURPOSE = "purpose"
    PROPER_NAME = "proper_name"


@frozen
class Mention:
    """
    A value found in a prompt; `prompt[start:end]` are the words it was read from.

    `value` is text for every kind but numbers (int or float) and moments (`Moment`).
    """

    kind: Kind
    value: Any
    start: int
    end: int

    def overlaps(self, start: int, end: int) -> bool:
        """Whether the mention shares characters with another part of the prompt."""
        return self.start < end and start < self.end

    def covers(self, start: int, end: int) -> bool:
        """Whether another part of the prompt lies within the mention."""
        return self.start <= start and end <= self.end


@frozen
class Moment:
    """
    A day, a time of day, or both; its time zone is that of the `now` it was read with, unless the text names one.

    `counted` says whether the day is counted from today, as in "tomorrow" or "on Monday".
    """

    day: date | None
    clock: time | None
    counted: bool = field(default=False, eq=False)
