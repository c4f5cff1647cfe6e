"""Where the words of a slot's name stand in a prompt, relative to a value."""

from bisect import bisect_left

from service_server.predict.arguments.slots import Slot
from service_server.predict.reading import Reading
from service_server.predict.words import Word, word_set

_NEAR = 3
# Between a name and its value: "the project is Website", "priority of high", "issue number 5".
_LINKS = word_set("is are of to as be number no id named called with the a an be at")


def words_before(reading: Reading, start: int, count: int = _NEAR) -> tuple[Word, ...]:
    """Return the last words before a place, nearest first."""
    at = _index(reading, start)
    return tuple(reversed(reading.words[max(0, at - count) : at]))


def words_after(reading: Reading, end: int, count: int = 2) -> tuple[Word, ...]:
    """Return the first words behind a place, nearest first."""
    at = _index(reading, end)
    return reading.words[at : at + count]


def nearness(slot: Slot, reading: Reading, start: int, end: int) -> float:
    """Return how near the slot's own words stand to a value: 1 beside it, less further away, 0 where there are none."""
    best = 0.0
    for words, direct in ((words_before(reading, start), 1.0), (words_after(reading, end), 0.8)):
        weight = direct
        for word in words:
            if is_asked_verb(word, reading):
                break  # "search GitHub": the verb is not a parameter's name
            if word.stem in slot.words:
                best = max(best, weight)
                break
            if word.folded not in _LINKS:
                weight -= 0.35
    return best


def is_asked_verb(word: Word, reading: Reading) -> bool:
    """Whether a word is the verb that says what to do."""
    return reading.asked is not None and reading.asked.start <= word.start < reading.asked.end


def _index(reading: Reading, place: int) -> int:
    return bisect_left(reading.words, place, key=lambda word: word.start)
