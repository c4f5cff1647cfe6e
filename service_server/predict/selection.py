"""Choose a function with the trained model: recall by words and meaning, then read the likeliest until one fits."""

from collections.abc import Callable, Collection
from functools import lru_cache

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_client.models import Function
from service_server.predict.app_names import NamedApps
from service_server.predict.confidence import Features, shipped_confidence
from service_server.predict.fitness import asks_for_raw_request, may_be_asked_for
from service_server.predict.ranking import Match, Ranking
from service_server.predict.reader.questions import heading_of, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import Reading
from service_server.predict.verbs import CLASS_OF

Array = NDArray[np.float32]

# How many functions are read at most: the nearest by meaning, and by meaning and words together.
_READ_BY_MEANING, _READ_BY_BOTH = 4, 4
LEXICAL = 0.4  # what the likeness of words counts beside that of meaning
LONGEST_PROMPT = 600  # characters whose meaning counts
# One that fits so well (log-odds) is compared with no further ones; those count as if they had been read and fitted so.
_FITS_WELL, _UNREAD = 2.0, -3.0
_MOST_PROMPTS = 8  # whose readings are remembered
# What can't be undone, asked for in words that don't plainly say so.
_SURE = 0.9


@frozen(kw_only=True)
class Text:
    """What the model reads of a function: its heading and the names of its arguments."""

    heading: str
    arguments: tuple[str, ...]


def text_of(function: Function) -> Text:
    """Return what the model reads of a function."""
    questions = questions_of({"properties": function.parameters.properties})
    heading = heading_of(function.name, function.description)
    return Text(heading=heading, arguments=tuple(question.name for question in questions))


@frozen(kw_only=True)
class Scored:
    """A function that may answer a prompt; `confidence` is how likely it is the one that is asked for, 0 to 1."""

    name: str
    confidence: float
    match: Match

    @property
    def accepted(self) -> bool:
        """Whether it is good enough to be offered at all: what can't be undone must be meant all the more."""
        needed = shipped_confidence()
        if not self.match.destructive:
            return self.confidence >= needed.threshold
        plainly = self.match.aimed and (self.match.object_share > 0 or self.match.app_named)
        return self.confidence >= (needed.destructive_threshold if plainly else _SURE)


class Selection:
    """An index over the functions of a catalogue for the model, built once; places are those of the ranking."""

    def __init__(self, ranking: Ranking, text: Callable[[str], Text], vectors: Array, reader: Reader) -> None:
        """Take the vectors [functions, 384] of the functions' headings, and what gives the text of a function."""
        self._ranking = ranking
        self._text = text
        self._vectors = vectors
        self._reader = reader
        # A prompt may be chosen for twice: see `choose`.
        self._meaning_of = lru_cache(_MOST_PROMPTS)(lambda prompt: reader.vectors([prompt])[0])
        self._fit = lru_cache(_MOST_PROMPTS * (_READ_BY_MEANING + _READ_BY_BOTH))(self._read)
        self._places = {profile.name: at for at, profile in enumerate(ranking.profiles)}
        self._is_raw = np.fromiter((profile.type == "passthrough" for profile in ranking.profiles), np.bool_)
        self._all = np.arange(len(vectors))
        self._plain = self._all[~self._is_raw]

    def choose(self, reading: Reading, *, among: Collection[str] | None = None, fitting: int = 1) -> list[Scored]:
        """
        Return the functions that may answer a prompt, likeliest first; `among` are the names to choose from.

        No more are read once so many are found `fitting` well.
        """
        named = self._ranking.named_apps(reading)
        read = self.read(reading, named, among, fitting)
        confidence = shipped_confidence()
        scored = [Scored(name=match.name, confidence=confidence.of(features), match=match) for match, features in read]
        return sorted(scored, key=lambda each: -each.confidence)

    def read(
        self, reading: Reading, named: NamedApps, among: Collection[str] | None, fitting: int = 1
    ) -> list[tuple[Match, Features]]:
        """Return the functions that are likeliest by words and meaning with all that is known of them."""
        elsewhere = named.absent and not named.apps and among is None
        if elsewhere or self._says_nothing(reading, named):
            return []
        places = self._eligible(reading, named, among)
        if not len(places):
            return []
        prompt = self._meaning_of(reading.prompt[:LONGEST_PROMPT])
        few = len(places) < len(self._vectors) / 4  # to copy most of the vectors takes longer than to multiply all
        meaning = self._vectors[places] @ prompt if few else (self._vectors @ prompt)[places]
        scores = self._ranking.lexical(reading)
        words = np.zeros(len(self._vectors), np.float32)
        words[list(scores)] = list(scores.values())
        words = words[places] / max(words[places].max(), 1e-6)
        relevance = meaning + LEXICAL * words
        nearest = np.argsort(-meaning, kind="stable")[:_READ_BY_MEANING]
        both = np.argsort(-relevance, kind="stable")[: _READ_BY_MEANING + _READ_BY_BOTH]
        best = list(dict.fromkeys([*nearest, *both]))[: _READ_BY_MEANING + _READ_BY_BOTH]
        best.sort(key=lambda at: -relevance[at])
        found: list[tuple[Match, Features]] = []
        fit_well = 0
        for order in best:
            at = int(places[order])
            if not may_be_asked_for(self._ranking.profiles[at], reading):
                continue
            match = self._ranking.match(at, float(relevance[order]), reading, named)
            fit = self._fit(reading.prompt, at) if fit_well < fitting else _UNREAD
            fit_well += fit >= _FITS_WELL
            features = Features(
                fit=fit,
                meaning=float(meaning[order]),
                words=float(words[order]),
                verb=0.5 if match.verb is None else match.verb,
                objects=match.object_share,
                prompt=match.prompt_share,
                app=float(match.app_named),
                absent=float(named.absent and not named.apps),
            )
            found.append((match, features))
        return found

    def _says_nothing(self, reading: Reading, named: NamedApps) -> bool:
        """Whether a prompt is but a verb, which any function may have: "list", "delete everything"."""
        objects = self._ranking.objects
        bare = all(word.folded in CLASS_OF and word.stem not in objects for word in reading.core)
        return bare and not named.apps and not reading.mentions

    def _read(self, prompt: str, place: int) -> float:
        text = self._text(self._ranking.profiles[place].name)
        return float(self._reader.fits(prompt, [(text.heading, text.arguments)])[0])

    def _eligible(self, reading: Reading, named: NamedApps, among: Collection[str] | None) -> NDArray[np.int64]:
        profiles = self._ranking.profiles
        raw = asks_for_raw_request(reading)
        if among is None:
            places = self._all if raw else self._plain
        else:
            places = np.array(sorted(self._places[name] for name in among if name in self._places), np.int64)
            if not raw:
                places = places[~self._is_raw[places]]
        if named.apps:
            of_named = np.fromiter((profiles[int(at)].app in named.apps for at in places), np.bool_)
            places = places[of_named] if of_named.any() or among is None else places
        return places
