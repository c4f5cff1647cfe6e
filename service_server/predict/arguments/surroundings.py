"""Where the words of a slot's name stand in a prompt, relative to a value."""

from bisect import bisect_left
from collections.abc import Iterator

from service_server.predict.arguments.slots import Slot
from service_server.predict.reading import Reading
from service_server.predict.words import STOP_WORDS, Word, word_set

_NEAR = 3
# Between a name and its value: "the project is Website", "priority of high", "issue number 5".
_LINKS = word_set("is are of to as be number no id named called with the a an be at")

# Between a name and the text given to it; "the collection of the blog" gives it none.
_ASSIGNS = word_set("is are as be number id named called to")


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


def follows_name(slot: Slot, reading: Reading) -> Iterator[int]:
    """Yield the places in `reading.words` behind each mention of the slot's name and the words that link it."""
    for at, word in enumerate(reading.words):
        if word.stem not in slot.words or word.folded in STOP_WORDS or is_asked_verb(word, reading):
            continue
        following = at + 1
        while following < len(reading.words) and reading.words[following].folded in _ASSIGNS:
            following += 1
        if following < len(reading.words):
            yield following


def is_asked_verb(word: Word, reading: Reading) -> bool:
    """Whether a word is the verb that says what to do."""
    return reading.asked is not None and reading.asked.start <= word.start < reading.asked.end


def _index(reading: Reading, place: int) -> int:
    return bisect_left(reading.words, place, key=lambda word: word.start)
