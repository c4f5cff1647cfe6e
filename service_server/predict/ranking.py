"""Rank functions by the words they share with a prompt (BM25) and by whether they do what it asks."""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from service_server.predict.app_names import AppNames, NamedApps
from service_server.predict.candidate import Candidate
from service_server.predict.fitness import aimed_object, asks_for_raw_request, lacking_values, verb_fit
from service_server.predict.mentions import Kind
from service_server.predict.profiles import Profile, profile_of, weights_of
from service_server.predict.reading import Reading
from service_server.predict.verbs import CLASS_OF, asks_for_explanation
from service_server.predict.words import SYNONYMS

# The usual BM25 parameters: how soon repetition stops to count, and how much long texts are held back.
_SATURATION = 1.2
_LENGTH = 0.6
# A small catalogue says little about how rare a word is in speech: as if this many functions lacked every word.
_UNSEEN_FUNCTIONS = 200
_SYNONYM_WEIGHT = 0.7
# Verbs are compared by class; as words they only break ties.
_VERB_WEIGHT = 0.3
_HINT_WEIGHT = 0.5
_HINTS = {Kind.CHANNEL: ("channel", "messag"), Kind.EMAIL: ("email",), Kind.SLUG: ("repositori",), Kind.USER: ("user",)}
_CONSIDERED = 30
_DATA_WEIGHT, _TOPIC_WEIGHT = 0.3, 0.5
# What a function without an object in its name ("search") is worth, as if half of one had been named.
_NO_OBJECT = 0.5


@frozen(kw_only=True)
class Match:
    """
    How a function answers a prompt; each figure is 0 to 1.

    `verb` tells how well its verb serves the asked one (None: the prompt has none), `object_share` how much of what it
    acts on the prompt names, `aimed` whether that is what the prompt's verb is about, `prompt_share` how much of the
    prompt it explains, `app_named` whether its app is named.
    """

    candidate: Candidate
    relevance: float
    verb: float | None
    aimed: bool
    object_share: float
    prompt_share: float
    app_named: bool
    destructive: bool


class Ranking:
    """An index over the functions of a catalogue, built once."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._apps = AppNames({each.function.app_name: each.app_title for each in candidates})
        texts = [weights_of(candidate) for candidate in candidates]
        self._profiles = [profile_of(candidate, text) for candidate, text in zip(candidates, texts, strict=True)]
        self._objects = frozenset().union(*(profile.objects for profile in self._profiles))
        self._postings = _postings(texts)
        self._rarity = {stem: _rarity(len(posting), len(texts)) for stem, posting in self._postings.items()}
        self._unknown_rarity = _rarity(0, len(texts))

    def rank(self, reading: Reading, *, among: Container[str] | None = None) -> list[Match]:
        """Return the functions that may answer a prompt, best first; `among` are the names to choose from."""
        named = self._apps.named_in(reading)
        if (named.absent and not named.apps) or asks_for_explanation(reading.words):
            return []
        scores: dict[int, float] = {}
        for stem, weight in self._terms(reading):
            for at, score in self._postings.get(stem, ()):
                scores[at] = scores.get(at, 0.0) + weight * score * self._rarity[stem]
        allowed = [(score, at) for at, score in scores.items() if self._eligible(at, reading, named, among)]
        allowed.sort(key=lambda each: (-each[0], self._profiles[each[1]].candidate.function.name))
        best = max((score for score, _ in allowed), default=0.0)
        matches = [self._match(at, score / best, reading, named) for score, at in allowed[:_CONSIDERED]]
        matches.sort(key=lambda match: -match.relevance)
        return matches

    def _terms(self, reading: Reading) -> Iterator[tuple[str, float]]:
        for word in reading.core:
            weight = _VERB_WEIGHT if word.folded in CLASS_OF else 1.0
            yield word.stem, weight
            for synonym in SYNONYMS.get(word.stem, ()):
                yield synonym, weight * _SYNONYM_WEIGHT
        for kind in {mention.kind for mention in reading.mentions}:
            for hint in _HINTS.get(kind, ()):
                yield hint, _HINT_WEIGHT

    def _eligible(self, at: int, reading: Reading, named: NamedApps, among: Container[str] | None) -> bool:
        profile = self._profiles[at]
        if among is not None and profile.candidate.function.name not in among:
            return False
        if named.apps and profile.app not in named.apps:
            return False
        if profile.type == "passthrough":
            return asks_for_raw_request(reading)
        return verb_fit(profile, reading) != 0.0

    def _match(self, at: int, score: float, reading: Reading, named: NamedApps) -> Match:
        profile = self._profiles[at]
        said = {word.stem for word in reading.core}
        spoken = said.union(*(SYNONYMS.get(stem, ()) for stem in said))
        # What cannot be undone is never guessed from the form of a value: "delete acme/web" names no repository.
        for kind in () if profile.destructive else {mention.kind for mention in reading.mentions}:
            spoken.update(_HINTS.get(kind, ()))
        verb = verb_fit(profile, reading)
        object_share = self._share(profile.objects, spoken) if profile.objects else _NO_OBJECT
        app_named = profile.app in named.apps
        exact = reading.asked is not None and profile.verb is not None and reading.asked.word == profile.verb[1]
        target = aimed_object(reading, self._objects)
        aimed = target is None or not ({target} | SYNONYMS.get(target, frozenset())).isdisjoint(profile.objects)
        relevance = score + 0.8 * object_share + 0.8 * (0.7 if verb is None else verb) + 0.1 * exact + 0.2 * app_named
        relevance -= 0.0 if aimed else 0.4
        relevance += 0.15 * self._same_forms(profile, reading) - 0.05 * min(4, lacking_values(profile, reading))
        return Match(
            candidate=profile.candidate,
            relevance=relevance,
            verb=verb,
            aimed=aimed,
            object_share=object_share,
            prompt_share=self._prompt_share(profile, reading, object_share),
            app_named=app_named,
            destructive=profile.destructive,
        )

    @staticmethod
    def _same_forms(profile: Profile, reading: Reading) -> bool:
        """Whether the prompt speaks of one or of several as the function's name does: "the ticket", "the tickets"."""
        return any(word.stem in profile.objects and word.folded in profile.forms for word in reading.core)

    def _share(self, stems: Iterable[str], among: Container[str]) -> float:
        total = found = 0.0
        for stem in stems:
            rarity = self._rarity.get(stem, self._unknown_rarity)
            total += rarity
            found += rarity if stem in among else 0.0
        return found / total if total else 0.0

    def _prompt_share(self, profile: Profile, reading: Reading, object_share: float) -> float:
        """
        Return how much of the prompt the function explains.

        Words of a topic, and those behind what the function acts on, may be data of the request: they count less.
        """
        topics = reading.of_kind(Kind.TOPIC, Kind.PURPOSE, Kind.PROPER_NAME)
        takes_data = bool(profile.candidate.function.parameters.properties)
        total = found = 0.0
        behind_object = False
        for word in reading.core:
            if word.folded in CLASS_OF and word.stem not in profile.objects:
                continue
            if reading.asked and reading.asked.start <= word.start < reading.asked.end:
                continue
            weight = self._rarity.get(word.stem, self._unknown_rarity)
            names = {word.stem} | SYNONYMS.get(word.stem, frozenset())
            known = not names.isdisjoint(profile.known)
            if not known and behind_object and takes_data:
                weight *= _DATA_WEIGHT
            elif not known and any(topic.overlaps(word.start, word.end) for topic in topics):
                weight *= _TOPIC_WEIGHT
            behind_object = behind_object or not names.isdisjoint(profile.objects)
            total += weight
            found += weight if known else 0.0
        return found / total if total else object_share


def _postings(texts: Sequence[Mapping[str, float]]) -> dict[str, list[tuple[int, float]]]:
    lengths = [sum(text.values()) for text in texts]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    postings: dict[str, list[tuple[int, float]]] = {}
    for at, text in enumerate(texts):
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[at] / (average or 1.0))
        for stem, weight in text.items():
            postings.setdefault(stem, []).append((at, weight * (_SATURATION + 1) / (weight + damping)))
    return postings


def _rarity(holders: int, functions: int) -> float:
    return math.log(1 + (functions + _UNSEEN_FUNCTIONS - holders + 0.5) / (holders + 0.5))
