"""Values of an enumeration that the prompt names, by the option's own words or by words that mean the same."""

from collections.abc import Iterator, Sequence
from typing import Any

from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import is_asked_verb, is_near
from service_server.predict.mentions import Kind
from service_server.predict.reading import Reading
from service_server.predict.verbs import VerbClass
from service_server.predict.words import STOP_WORDS, Word, identifier_words, stem, word_set

# An option that is an everyday word counts only beside the parameter's name.
_EVERYDAY = word_set("all none any other default normal name date public both auto true false yes no me self")
_SAME_MEANING = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "urgent high critical important",
        "low minor trivial",
        "medium moderate",
        "asc ascending oldest",
        "desc descending newest latest",
        "closed done resolved completed finished",
        "open unresolved",
        "cancelled canceled",
        "celsius metric",
        "fahrenheit imperial",
    )
)


def option_proposals(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield the options that the words of the request name."""
    texts = reading.of_kind(Kind.QUOTED, Kind.NAMED, Kind.SAID, Kind.AFTER_COLON)
    words = [
        word
        for word in reading.words
        if not _says_what_to_do(slot, reading, word) and not any(text.overlaps(word.start, word.end) for text in texts)
    ]
    for option, name in slot.named_options:
        yield from _named(slot, reading, words, option, name)
    yield from _same_meaning(slot, words)


def _says_what_to_do(slot: Slot, reading: Reading, word: Word) -> bool:
    """Whether a word is the request's verb and not a value: "open a ticket", "merge it"; but "close" is a new state."""
    if is_asked_verb(word, reading):
        return reading.asked is not None and reading.asked.verb_class is not VerbClass.CLOSE
    return word.stem in slot.action and not is_near(slot, reading, word.start, word.end)


def _named(slot: Slot, reading: Reading, words: Sequence[Word], option: Any, name: str) -> Iterator[Proposal]:
    wanted = identifier_words(name)
    stems = [word.stem for word in wanted]
    if not stems:
        return
    everyday = name.casefold() in _EVERYDAY | STOP_WORDS or len(name) < len("abc")
    for at in range(len(words) - len(stems) + 1):
        if [word.stem for word in words[at : at + len(stems)]] != stems:
            continue
        start, end = words[at].start, words[at + len(stems) - 1].end
        if not everyday or is_near(slot, reading, start, end):
            yield Proposal(option, start, end)


def _same_meaning(slot: Slot, words: Sequence[Word]) -> Iterator[Proposal]:
    for group in _SAME_MEANING:
        options = list(dict.fromkeys(option for option, name in slot.named_options if stem(name.casefold()) in group))
        if len(options) != 1:
            continue  # two options with the same meaning: the prompt's other word fits both
        for word in words:
            if word.stem in group:
                yield Proposal(options[0], word.start, word.end)
