"""What the words of a prompt say against an answer that the encoder chose: an option, or true or false."""

import re

from attrs import evolve

from service_server.predict.arguments.booleans import NEGATIONS, boolean_proposals, stems_of
from service_server.predict.arguments.options import option_proposals
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import is_asked_verb, words_before
from service_server.predict.option_labels import names_of
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer
from service_server.predict.reading import Reading
from service_server.predict.verbs import VerbClass
from service_server.predict.words import identifier_words, word_set

_MAKING = word_set("keep make stay stays remain remains be")
_IS_NAME = re.compile(r"\b(?:to|into|in|from) $")


def as_said(value: Filled, slot: Slot, reading: Reading) -> Filled | None:
    """Return an answer as the prompt's own words have it; None where they speak of something else."""
    match value.question.answer:
        case Answer.BOOLEAN:
            return _truth(value, slot, reading)
        case Answer.OPTION:
            return None if _is_only_the_verb(value, slot, reading) else value
        case Answer.OPTIONS:
            return _named_ones(value, reading)
    return value


def _truth(value: Filled, slot: Slot, reading: Reading) -> Filled | None:
    """Deny what the prompt denies ("that aren't archived"); leave out what only a quoted text or a name speaks of."""
    if _IS_NAME.search(reading.prompt[: value.start][-8:]) and reading.prompt[value.start : value.end].istitle():
        return None  # "move it to Done" names a list
    said = list(boolean_proposals(slot, reading))
    values = {each.value for each in said}
    if values == {False}:
        return evolve(value, value=False)
    if values == {True} and any(_is_made(each.start, reading) for each in said):
        return evolve(value, value=True)
    if values:
        return value
    stems = set(stems_of(slot))
    outside = {word.stem for word in reading.request}
    is_quoted = bool(stems) and stems <= {word.stem for word in reading.words} and stems.isdisjoint(outside)
    return None if is_quoted else value


def _is_made(start: int, reading: Reading) -> bool:
    """Whether what is said at a place is what something shall be: "keep this transaction private"."""
    before = [word.folded for word in words_before(reading, start, 5)]
    return not _MAKING.isdisjoint(before[:3]) and NEGATIONS.isdisjoint(before)


def _is_only_the_verb(value: Filled, slot: Slot, reading: Reading) -> bool:
    """Whether an option's only word in the prompt is what is to be done: "open a ticket" asks for no open ones."""
    if reading.asked is None:
        return False
    stems = {word.stem for name in names_of(value.value, slot.schema) for word in identifier_words(name)}
    places = [word for word in reading.words if word.stem in stems]
    return (
        len(places) == 1
        and is_asked_verb(places[0], reading)
        and reading.asked.verb_class in (VerbClass.CREATE, VerbClass.READ)
        and not any(each.value == value.value for each in option_proposals(slot, reading))
    )


def _named_ones(value: Filled, reading: Reading) -> Filled:
    """Keep of several options those that the prompt names, where it names any."""
    items = value.question.schema.get("items", value.question.schema)
    folded = reading.prompt.casefold()
    named = [
        option
        for option in value.value
        if any(re.search(rf"\b{re.escape(name.casefold())}", folded) for name in names_of(option, items))
    ]
    return evolve(value, value=named) if named else value
