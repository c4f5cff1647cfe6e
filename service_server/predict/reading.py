"""A prompt as the later stages see it: its words, the values it mentions, and what it asks for."""

import re
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from attrs import evolve, frozen

from service_server.predict.mentions import (
    Kind,
    Mention,
    find_addresses,
    find_moments,
    find_numbers,
    find_phrases,
    find_quotations,
)
from service_server.predict.mood import MainClause, Mood, main_clause
from service_server.predict.telling_forms import forms_in
from service_server.predict.verbs import AskedVerb, asked_verb
from service_server.predict.words import STOP_WORDS, Word, words_of

Part = TypeVar("Part", Word, Mention)

_IN_A_CODE = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d")
# Words inside these are data of the request, not part of what it asks for.
_DATA = frozenset(Kind) - {Kind.TOPIC, Kind.PURPOSE, Kind.PROPER_NAME}


@frozen
class Reading:
    """
    A prompt that has been read.

    `mood` says whether it commands anything. `mentions` are in the order of the prompt and may overlap. `request` holds
    the words outside the data that goes with the request, and `core` those of them that carry meaning. `forms` are the
    telling forms that values in it have. `changes_nothing` is known of some prompts in other languages: nothing that
    they say is to change anything, whatever their gloss looks like.
    """

    prompt: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    mood: Mood
    asked: AskedVerb | None
    request: tuple[Word, ...]
    core: tuple[Word, ...]
    forms: frozenset[str]
    changes_nothing: bool = False

    def of_kind(self, *kinds: Kind) -> tuple[Mention, ...]:
        """Return the mentions of the given kinds, in the order of the prompt."""
        return tuple(mention for mention in self.mentions if mention.kind in kinds)


def read(prompt: str, now: datetime) -> Reading:
    """Read a prompt; `now`, which has a time zone, is what "tomorrow" counts from."""
    words = words_of(prompt)
    quotations = tuple(find_quotations(prompt))
    spoken = tuple(_not_a_verb(word, prompt) for word in outside(words, quotations))
    clause = main_clause(prompt, spoken)
    asked = _asked(clause, spoken)
    moments = tuple(find_moments(prompt, now))
    numbers = sorted(find_numbers(prompt, words), key=attrgetter("start"))
    phrases = sorted(find_phrases(prompt, words, asked), key=attrgetter("start"))
    addresses = tuple(find_addresses(prompt))
    found = [
        *quotations,
        *moments,
        *outside(numbers, moments),
        *outside(addresses, moments),
        *outside(phrases, quotations),
    ]
    mentions = tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))
    data = tuple(mention for mention in mentions if mention.kind in _DATA)
    request = outside(words, data)
    core = tuple(word for word in request if word.folded not in STOP_WORDS)
    return Reading(prompt, words, mentions, clause.mood, asked, request, core, forms_in(prompt, addresses))


def _not_a_verb(word: Word, prompt: str) -> Word:
    """Return a word as what it is in a code: "PAY-218 was closed" pays nothing."""
    return evolve(word, folded=f"{word.folded}-") if _IN_A_CODE.match(prompt, word.start) else word


def _asked(clause: MainClause, words: tuple[Word, ...]) -> AskedVerb | None:
    """Return the verb of a command if its class is known, else the first known verb of the prompt."""
    commanded = asked_verb([word for word in words if word.start >= clause.start]) if clause.start else None
    return commanded or asked_verb(words)


def outside(parts: Sequence[Part], mentions: Sequence[Mention]) -> tuple[Part, ...]:
    """Return the parts that don't overlap the mentions; both are in order of their start."""
    kept = []
    reach = 0
    following = 0
    for part in parts:
        while following < len(mentions) and mentions[following].start < part.end:
            reach = max(reach, mentions[following].end)
            following += 1
        if part.start >= reach:
            kept.append(part)
    return tuple(kept)
