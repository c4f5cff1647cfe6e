"""
Whether a prompt says a value, so that nothing is taken that a language model made up.

The rule depends on the value:

- a text: it stands in the prompt, or each of its words does, in any order and inflection ("Broken printer" for "the
  printer is broken"); words with digits or signs inside (ids, addresses, versions) must stand there as they are;
- an id, e-mail address or URL: it stands in the prompt;
- a number: the prompt has it, in figures or words; a percentage also as a fraction;
- a date or time: some moment of the prompt means it;
- an option or a boolean: the prompt has its words, words of the same meaning, or the parameter's name.
"""

import math
import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from service_server.predict.arguments.booleans import boolean_proposals
from service_server.predict.arguments.options import option_proposals
from service_server.predict.arguments.slots import Slot
from service_server.predict.mentions import Kind, Moment, find_moments, find_numbers
from service_server.predict.reading import Reading
from service_server.predict.words import STOP_WORDS, identifier_words, without_accents, word_set, words_of

_SIGNS = re.compile(r"[\d@/\\_+=]|\w[.:]\w")
_AROUND = "\"'“”‘’`«»()[]{}<>.,;:!?"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_CLOCK = re.compile(r"\d{2}:\d{2}")
_EPOCH = word_set("epoch unix timestamp")
_MOMENT_FORMATS = frozenset({"date", "date-time", "time"})
_MOMENT_WORDS = word_set(
    "date datetim deadlin due day start end begin time when until since sinc befor after timestamp at"
)


class Said:
    """What one prompt says; `now`, which has a time zone, is what "tomorrow" counts from."""

    def __init__(self, reading: Reading, now: datetime) -> None:
        self._reading = reading
        self._now = now
        self._plain = without_accents(reading.prompt)
        self._stems = frozenset(word.stem for word in (*reading.words, *words_of(self._plain)))
        self._numbers = tuple(find_numbers(reading.prompt, reading.words))
        self._moments = tuple(find_moments(reading.prompt, now))

    def value(self, slot: Slot, value: Any) -> str | None:
        """Return the words that give a slot's value, "" where no single place has it, None where nothing says it."""
        if isinstance(value, bool):
            return self._chosen(slot, value, boolean_proposals(slot, self._reading))
        if slot.options:
            return self._chosen(slot, value, option_proposals(slot, self._reading))
        if _takes_moments(slot) and (words := self._moment(value)) is not None:
            return words
        if isinstance(value, str) and (slot.is_identifier or slot.format in ("email", "uri", "file")):
            return self.literally(value)
        return self.plain_value(value)

    def plain_value(self, value: Any) -> str | None:
        """Return the same for a text or number about which nothing else is known."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(value)
        return None

    def literally(self, text: str) -> str | None:
        """Return the words of the prompt that equal a text but for case, accents and blanks; None if it has none."""
        pattern = r"\s+".join(re.escape(part) for part in text.split())
        if not pattern:
            return None
        # Part of a longer address, number or word does not count.
        whole = rf"(?<![A-Za-z0-9_@])(?<![A-Za-z0-9][.+-]){pattern}(?![A-Za-z0-9_@]|[.+-][A-Za-z0-9])"
        if found := re.search(whole, self._reading.prompt, re.IGNORECASE):
            return found[0]
        plain = r"\s+".join(re.escape(part) for part in without_accents(text).split())
        return "" if plain and re.search(whole.replace(pattern, plain), self._plain) else None

    def _text(self, text: str) -> str | None:
        words = self.literally(text)
        if words is None:
            words = self._moment(text)
        if words is not None:
            return words
        carrying = False
        for token in text.split():
            bare = token.strip(_AROUND)
            if _SIGNS.search(bare):
                if self.literally(bare) is None:
                    return None
                carrying = True
                continue
            for word in words_of(without_accents(bare)):
                if word.stem in self._stems:
                    carrying = carrying or word.folded not in STOP_WORDS
                elif word.folded not in STOP_WORDS:
                    return None
        return "" if carrying else None

    def _number(self, value: int | float) -> str | None:
        for mention in self._numbers:
            if mention.value == value or (mention.kind is Kind.PERCENT and _is_share(value, mention.value)):
                return self._words(mention.start, mention.end)
        return self.literally(str(value))

    def _chosen(self, slot: Slot, value: Any, proposals: Iterator[Any]) -> str | None:
        for proposal in proposals:
            if proposal.value == value:
                return self._words(proposal.start, proposal.end)
        if not isinstance(value, bool) and (words := self.plain_value(value)) is not None:
            return words
        option = identifier_words(value) if isinstance(value, str) else ()
        if option and all(word.stem in self._stems for word in option):
            return ""
        return "" if slot.words & self._stems else None

    def _moment(self, value: str | float) -> str | None:
        for mention in self._moments:
            if self._means(mention.value, value):
                return self._words(mention.start, mention.end)
        return None

    def _means(self, moment: Moment, value: str | float) -> bool:
        """Whether a moment of the prompt is the day, time or instant of an ISO 8601 text, or of a Unix time."""
        try:
            if not isinstance(value, str):
                return self._is_instant(moment, datetime.fromtimestamp(value, self._now.tzinfo))
            if _DAY.match(value):
                return moment.day == date.fromisoformat(value)
            if _INSTANT.match(value):
                return self._is_instant(moment, datetime.fromisoformat(value))
            if _CLOCK.match(value) and moment.clock is not None:
                return moment.clock.replace(tzinfo=None) == time.fromisoformat(value).replace(tzinfo=None)
        except (ValueError, OverflowError, OSError):  # it only looked like one
            return False
        return False

    def _is_instant(self, moment: Moment, instant: datetime) -> bool:
        zone = self._now.tzinfo
        clock = moment.clock or time(0)
        today = self._now.date()
        days = [moment.day] if moment.day else [today, today + timedelta(days=1)]
        meant = [datetime.combine(day, clock, clock.tzinfo or zone) for day in days if day is not None]
        return (instant if instant.tzinfo else instant.replace(tzinfo=zone)) in meant

    def _words(self, start: int, end: int) -> str:
        return self._reading.prompt[start:end]


def _is_share(value: float, percent: float) -> bool:
    """Whether a number is a percentage as a fraction; a model may give one that is larger than any float."""
    return abs(value) <= abs(percent) and math.isclose(percent / 100, value)


def _takes_moments(slot: Slot) -> bool:
    """Whether a slot holds a date or a time."""
    if slot.format:
        return slot.format in _MOMENT_FORMATS
    if slot.opaque or slot.options or slot.type not in ("string", "number"):
        return False
    if slot.type == "number":
        return not slot.hints.isdisjoint(_EPOCH)
    return bool(slot.words & _MOMENT_WORDS) and ("date" in slot.words | slot.hints or "time" in slot.words | slot.hints)
