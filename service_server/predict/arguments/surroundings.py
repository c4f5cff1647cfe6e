"""Where the words of a slot's name stand in a prompt, relative to a value."""

from bisect import bisect_left
from itertools import takewhile

from service_server.predict.arguments.slots import Slot
from service_server.predict.reading import Reading
from service_server.predict.words import Word

_NEAR, _NEAR_BEHIND = 3, 2


def words_before(reading: Reading, start: int, count: int = _NEAR) -> tuple[Word, ...]:
    """Return the last words before a place, nearest first."""
    at = _index(reading, start)
    return tuple(reversed(reading.words[max(0, at - count) : at]))


def words_after(reading: Reading, end: int) -> tuple[Word, ...]:
    """Return the first words behind a place, nearest first."""
    at = _index(reading, end)
    return reading.words[at : at + _NEAR_BEHIND]


def is_near(slot: Slot, reading: Reading, start: int, end: int) -> bool:
    """Whether one of the slot's own words stands near a value; "search GitHub": the verb is not a parameter's name."""
    return any(
        word.stem in slot.words
        for words in (words_before(reading, start), words_after(reading, end))
        for word in takewhile(lambda each: not is_asked_verb(each, reading), words)
    )


def is_asked_verb(word: Word, reading: Reading) -> bool:
    """Whether a word is the verb that says what to do."""
    return reading.asked is not None and reading.asked.start <= word.start < reading.asked.end


def _index(reading: Reading, place: int) -> int:
    return bisect_left(reading.words, place, key=lambda word: word.start)
