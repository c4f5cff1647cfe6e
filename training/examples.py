"""Draw sheets for training from calls: questions about arguments, functions that may fit, functions to be found."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from attrs import evolve

from service_server.predict.encoder.wordpiece import WordPieces
from service_server.predict.reader.questions import Question, heading_of, questions_of
from service_server.predict.reader.sheets import Sheet, SheetLayout
from training.alignment import ABSENT, Target
from training.calls import Call
from training.swaps import Swaps

_PROMPTS_A_BATCH, _SHIPPED_A_BATCH = 16, 64
_SHIPPED_SORTED = 1024
LONGEST_PROMPT, _LONGEST_FIT_PROMPT = 600, 1500
_FIT_PIECES = 200
# How often the prompts of a source are drawn in one pass over all (1 by default): sources with much text but little
# variety less often, prompts that people typed more often.
_ARGUMENT_DRAWS = {"snips": 0.15, "seal": 0.6, "bfcl": 2.0}
_FIT_DRAWS = {"snips": 0.0, "metatool": 0.1, "seal": 0.15, "bfcl": 3.0}
_RETRIEVAL_DRAWS = {"snips": 0.0, "metatool": 0.06, "seal": 0.3}
# How many functions that a prompt does not ask for stand beside the right one: the most similar ones, and any others.
_LIKEST, _ANY, _LIKEST_TO_FIND = 3, 1, 2
# This many of the reader's own mistakes teach as much.
_MISTAKES = 2
# Prompts for functions that the service ships; a later cycle is for these.
SHIPPED_KINDS = ("everyday", "connectors")
# How many questions share a sheet: mostly one, which is learnt fastest. The service puts more on a sheet to be quicker,
# and so does a later cycle.
_QUESTIONS_A_SHEET, _QUESTIONS_A_SHEET_LATER = (1, 1, 1, 2, 3), (1, 2, 3)
# How often names, descriptions and the right function are left out or made meaningless, as people leave them out.
_NO_NAME, _NO_DESCRIPTION, _NOT_OFFERED = 0.07, 0.07, 0.2


class Likest(Protocol):
    """Knows which functions are most easily mistaken for the one asked for (`rivals.Rivals`)."""

    def of(self, call: Call) -> Sequence[dict[str, Any]]:
        """Return those functions, likest first; none where they aren't known."""


class Examples:
    """Draws sheets for training from calls."""

    def __init__(
        self,
        calls: Sequence[Call],
        layout: SheetLayout,
        words: WordPieces,
        seed: int,
        rivals: Likest | None = None,
        replay: float = 1.0,
        size: int = 1,
    ) -> None:
        """
        Take the calls; `replay` is the share of calls for functions other than the shipped ones that is drawn.

        Batches are `size` times as large as is best on one core.
        """
        self.size = size
        self._calls = calls
        self._rivals = rivals
        self._replay = replay
        self._questions_a_sheet = _QUESTIONS_A_SHEET if rivals is None else _QUESTIONS_A_SHEET_LATER
        self._layout = layout
        self._words = words
        self._random = random.Random(seed)
        self._swaps = Swaps(calls, self._random)
        self._said = lru_cache(50_000)(lambda text: frozenset(words.ids(text)))
        self._pool: dict[str, list[dict[str, Any]]] = defaultdict(list)
        seen: set[tuple[str, str]] = set()
        for call in calls:
            for function in (call.function, *call.others):
                if function and (call.source, function["name"]) not in seen:
                    seen.add((call.source, function["name"]))
                    self._pool[_kind_of(call.source)].append(function)

    def argument_sheets(self) -> Iterator[tuple[Sheet, tuple[Target, ...]]]:
        """Yield the sheets of one pass over all calls with arguments."""
        for call in self._drawn([call for call in self._calls if call.targets], _ARGUMENT_DRAWS):
            call = self._swaps.swapped(call)
            questions = [self._varied(question) for question, _ in call.questions]
            targets = [target for _, target in call.questions]
            order = [at for at, target in enumerate(targets) if target.known]
            if call.source == "snips":  # most of the nine questions on each of its prompts have no answer
                absent = [at for at in order if targets[at] == ABSENT]
                order = [at for at in order if at not in absent[2:]]
            if self._random.random() < 0.5:
                self._random.shuffle(order)
            pieces = self._words.pieces(call.prompt)
            heading = self._heading(call.asked)
            at = 0
            while at < len(order):
                asked = sorted(order[at : at + self._random.choice(self._questions_a_sheet)])
                at += len(asked)
                yield self._layout.sheet(heading, questions, asked, pieces), tuple(targets[p] for p in asked)

    def _heading(self, function: dict[str, Any]) -> str:
        """Return a function's heading; now and then without its name or its description, as people leave them out."""
        name, description = function["name"], function["description"]
        chance = self._random.random()
        if chance < _NO_NAME:
            return heading_of("function", description)
        return heading_of(name, "" if chance < _NO_NAME + _NO_DESCRIPTION else description)

    def _varied(self, question: Question) -> Question:
        """Return a question, now and then with a name or a description that says nothing."""
        chance = self._random.random()
        head, _, description = question.text.partition(": ")
        name, _, kind = head.rpartition(" (")
        if chance < _NO_NAME and description:
            return evolve(question, text=f"{self._random.choice('abcnpqxyz')} ({kind}: {description}")
        if chance < _NO_NAME + _NO_DESCRIPTION:
            return evolve(question, text=f"{name} ({kind}: ")
        return question

    def fit_groups(self) -> Iterator[tuple[list[Sheet], bool]]:
        """Yield the sheets of one prompt, and whether the function it asks for is among them, as the first."""
        for call in self._drawn(self._calls, _FIT_DRAWS):
            others = self._likest(call)
            asked = call.function
            if asked and others and self._random.random() < _NOT_OFFERED:
                asked = None  # the right function isn't offered: then nothing fits
            pool = self._pool[_kind_of(call.source)]
            taken = {call.function["name"] if call.function else "", *(other["name"] for other in others)}
            known = self._rivals is not None and len(others) == _MISTAKES
            for _ in range(0 if known else _ANY if others else _LIKEST):
                other = self._random.choice(pool)
                same = call.function is not None and other["description"] == call.function["description"]
                if other["name"] not in taken and not same:
                    taken.add(other["name"])
                    others.append(other)
            yield [self._pair(function, call) for function in ([asked] if asked else []) + others], bool(asked)

    def _likest(self, call: Call) -> list[dict[str, Any]]:
        """
        Return the functions that are hardest to tell from a call's own, with some luck.

        These are the reader's own mistakes where they are known, else functions that share words with it.
        """
        rivals = self._rivals.of(call) if self._rivals is not None else []
        if len(rivals) > _MISTAKES:
            luck = {other["name"]: at + self._random.random() * len(rivals) for at, other in enumerate(rivals)}
            return sorted(rivals, key=lambda other: luck[other["name"]])[:_MISTAKES]
        wanted = self._said(call.prompt) | (self._said(self._text(call.function)) if call.function else frozenset())
        hardness = {
            other["name"]: len(wanted & self._said(self._text(other))) ** 0.5 + 1.5 * self._random.random()
            for other in call.others
        }
        return sorted(call.others, key=lambda other: -hardness[other["name"]])[:_LIKEST]

    def for_shipped(self) -> Iterator[tuple[list[Sheet], list[Call]]]:
        """Yield some prompts of similar length for shipped functions, or for what none of them does, and the calls."""
        drawn = self._drawn([call for call in self._calls if _kind_of(call.source) in SHIPPED_KINDS], {})
        for begin in range(0, len(drawn), _SHIPPED_SORTED):
            own = [(self._layout.text(each.prompt[:LONGEST_PROMPT]), each) for each in drawn[begin:][:_SHIPPED_SORTED]]
            own.sort(key=lambda pair: len(pair[0].ids))
            many = _SHIPPED_A_BATCH * self.size
            batches = [own[first : first + many] for first in range(0, len(own), many)]
            self._random.shuffle(batches)
            for batch in batches:
                yield [sheet for sheet, _ in batch], [call for _, call in batch]

    def retrievals(self) -> Iterator[tuple[list[Sheet], list[Sheet], list[int]]]:
        """Yield some prompts, the functions they ask for with others beside them, and which belongs to which."""
        calls = self._drawn([call for call in self._calls if call.function is not None], _RETRIEVAL_DRAWS)
        many = _PROMPTS_A_BATCH * self.size
        for first in range(0, len(calls) - many, many):
            texts: dict[str, Sheet] = {}
            prompts, wanted = [], []
            for call in calls[first : first + many]:
                for function in (call.asked, *self._likest(call)[:_LIKEST_TO_FIND]):
                    texts.setdefault(
                        function["name"],
                        self._layout.text(self._text(function)),
                    )
                prompts.append(self._layout.text(call.prompt[:LONGEST_PROMPT]))
                wanted.append(list(texts).index(call.asked["name"]))
            yield prompts, list(texts.values()), wanted

    def _pair(self, function: dict[str, Any], call: Call) -> Sheet:
        names = [question.name for question in questions_of(function["parameters"])]
        heading = self._heading(function)
        return self._layout.pairs(heading, names, self._words.pieces(call.prompt[:_LONGEST_FIT_PROMPT])[:_FIT_PIECES])

    @staticmethod
    def _text(function: Mapping[str, Any]) -> str:
        return heading_of(function["name"], function["description"])

    def _drawn(self, calls: Sequence[Call], draws: Mapping[str, float]) -> list[Call]:
        """Return calls in a new order; those of some sources come several times, or only a share of them."""
        drawn: list[Call] = []
        for call in calls:
            kind = _kind_of(call.source)
            times, part = divmod(draws.get(kind, 1.0) * (1.0 if kind in SHIPPED_KINDS else self._replay), 1)
            drawn += [call] * (int(times) + (self._random.random() < part))
        self._random.shuffle(drawn)
        return drawn


def _kind_of(source: str) -> str:
    return source.partition("-")[0]
