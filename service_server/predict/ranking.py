"""Rank functions by the words they share with a prompt (BM25) and by whether they do what it asks."""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from service_client.models import FunctionType
from service_server.predict.app_names import AppNames, NamedApps
from service_server.predict.candidate import Candidate
from service_server.predict.mentions import Kind
from service_server.predict.reading import Reading
from service_server.predict.verbs import CLASS_OF, VerbClass, function_verb, serves
from service_server.predict.words import STOP_WORDS, SYNONYMS, Word, identifier_words, words_of

# The usual BM25 parameters: how soon repetition stops to count, and how much long texts are held back.
_SATURATION = 1.2
_LENGTH = 0.6
# A small catalogue says little about how rare a word is in speech: as if this many functions lacked every word.
_UNSEEN_FUNCTIONS = 200
_NAME, _TITLE, _DESCRIPTION, _APP, _PARAMETER, _EXAMPLE = 2.0, 1.0, 1.0, 0.7, 0.4, 1.0
_SYNONYM_WEIGHT = 0.7
# Verbs are compared by class; as words they only break ties.
_VERB_WEIGHT = 0.3
_HINT_WEIGHT = 0.5
_HINTS = {Kind.CHANNEL: ("channel", "messag"), Kind.EMAIL: ("email",), Kind.SLUG: ("repositori",), Kind.USER: ("user",)}
_CONSIDERED = 30
# What a function without an object in its name ("search") is worth, as if half of one had been named.
_NO_OBJECT = 0.5


@frozen(kw_only=True)
class Match:
    """
    How a function answers a prompt; each figure is 0 to 1.

    `verb` tells how well its verb serves the asked one (None: the prompt has none), `object_share` how much of what it
    acts on the prompt names, `prompt_share` how much of the prompt it explains, `app_named` whether its app is named.
    """

    candidate: Candidate
    relevance: float
    verb: float | None
    object_share: float
    prompt_share: float
    app_named: bool
    destructive: bool


@frozen
class _Profile:
    """A function as the ranking sees it."""

    candidate: Candidate
    verb: tuple[VerbClass, str] | None
    objects: frozenset[str]
    action: frozenset[str]
    forms: frozenset[str]
    lead: str
    known: frozenset[str]
    app: str
    type: FunctionType
    destructive: bool


class Ranking:
    """An index over the functions of a catalogue, built once."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._apps = AppNames({each.function.app_name: each.app_title for each in candidates})
        texts = [_weights(candidate) for candidate in candidates]
        self._profiles = [_profile(candidate, text) for candidate, text in zip(candidates, texts, strict=True)]
        self._postings = _postings(texts)
        self._rarity = {stem: _rarity(len(posting), len(texts)) for stem, posting in self._postings.items()}
        self._unknown_rarity = _rarity(0, len(texts))

    def rank(self, reading: Reading, *, among: Container[str] | None = None) -> list[Match]:
        """Return the functions that may answer a prompt, best first; `among` are the names to choose from."""
        named = self._apps.named_in(reading.request, reading.prompt)
        if named.absent and not named.apps:
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
            return _asks_for_raw_request(reading)
        return _verb_fit(profile, reading) != 0.0

    def _match(self, at: int, score: float, reading: Reading, named: NamedApps) -> Match:
        profile = self._profiles[at]
        said = {word.stem for word in reading.core}
        spoken = said.union(*(SYNONYMS.get(stem, ()) for stem in said))
        for kind in {mention.kind for mention in reading.mentions}:
            spoken.update(_HINTS.get(kind, ()))
        verb = _verb_fit(profile, reading)
        object_share = self._share(profile.objects, spoken) if profile.objects else _NO_OBJECT
        app_named = profile.app in named.apps
        exact = reading.asked is not None and profile.verb is not None and reading.asked.word == profile.verb[1]
        relevance = score + 0.8 * object_share + 0.8 * (0.7 if verb is None else verb) + 0.1 * exact + 0.2 * app_named
        relevance += 0.15 * self._same_forms(profile, reading) - 0.1 * _lacks_data(profile, reading)
        return Match(
            candidate=profile.candidate,
            relevance=relevance,
            verb=verb,
            object_share=object_share,
            prompt_share=self._prompt_share(profile, reading),
            app_named=app_named,
            destructive=profile.destructive,
        )

    @staticmethod
    def _same_forms(profile: _Profile, reading: Reading) -> bool:
        """Whether the prompt speaks of one or of several as the function's name does: "the ticket", "the tickets"."""
        return any(word.stem in profile.objects and word.folded in profile.forms for word in reading.core)

    def _share(self, stems: Iterable[str], among: Container[str]) -> float:
        total = found = 0.0
        for stem in stems:
            rarity = self._rarity.get(stem, self._unknown_rarity)
            total += rarity
            found += rarity if stem in among else 0.0
        return found / total if total else 0.0

    def _prompt_share(self, profile: _Profile, reading: Reading) -> float:
        """Return how much of the prompt the function explains; words of a topic may be data, so they count half."""
        topics = reading.of_kind(Kind.TOPIC, Kind.PROPER_NAME)
        total = found = 0.0
        for word in reading.core:
            if word.folded in CLASS_OF and word.stem not in profile.action:
                continue
            weight = self._rarity.get(word.stem, self._unknown_rarity)
            known = word.stem in profile.known or not SYNONYMS.get(word.stem, frozenset()).isdisjoint(profile.known)
            if not known and any(topic.overlaps(word.start, word.end) for topic in topics):
                weight *= 0.5
            total += weight
            found += weight if known else 0.0
        return found / total if total else 0.0


def _weights(candidate: Candidate) -> dict[str, float]:
    """Return the stems a function is known by with the weight of the places where they stand."""
    function = candidate.function
    weights: dict[str, float] = {}
    _, _, action = function.name.partition("-")
    fields: list[tuple[Sequence[Word], float]] = [
        (identifier_words(action), _NAME),
        (words_of(candidate.title), _TITLE),
        (words_of(function.description), _DESCRIPTION),
        (words_of(candidate.app_title), _APP),
    ]
    fields += [(identifier_words(name), _PARAMETER) for name in function.parameters.properties]
    fields += [(words_of(prompt), _EXAMPLE) for prompt, _ in candidate.examples]
    for words, weight in fields:
        for word in words:
            if word.folded not in STOP_WORDS:
                weights[word.stem] = weights.get(word.stem, 0.0) + weight
    return weights


def _profile(candidate: Candidate, weights: Mapping[str, float]) -> _Profile:
    function = candidate.function
    app, _, action = function.name.partition("-")
    action_words = identifier_words(action)
    verb = function_verb(action_words) or function_verb(words_of(candidate.title))
    verb = verb or function_verb(words_of(function.description)[:1])
    if verb is not None and (verb[0] is VerbClass.READ) != (function.type == "query"):
        verb = (VerbClass.READ, "") if function.type == "query" else None  # the type knows better than a word
    app_stems = {word.stem for word in (*words_of(candidate.app_title), *identifier_words(app))}
    content = [word for word in action_words if word.folded not in STOP_WORDS]
    own_verbs = {verb[1]} if verb is not None else set()
    own_verbs |= {word.folded for word in content[:1] if word.folded in CLASS_OF}
    objects = frozenset(word.stem for word in content if word.folded not in own_verbs) - app_stems
    flagged = function.meta is not None and function.meta.destructive
    return _Profile(
        candidate=candidate,
        verb=verb,
        objects=objects,
        action=frozenset(word.stem for word in content),
        forms=frozenset(word.folded for word in content),
        lead=content[0].stem if content else "",
        known=frozenset(weights) | app_stems,
        app=app,
        type=function.type,
        destructive=flagged or (verb is not None and verb[0] is VerbClass.DELETE),
    )


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


def _verb_fit(profile: _Profile, reading: Reading) -> float | None:
    """Return how well the function does what is asked, 0 to 1; None where the prompt has no verb of a known class."""
    asked = reading.asked
    if asked is None:
        return None if profile.type == "query" else _own_word_fit(profile, reading)
    if asked.negated:
        return 0.0
    if profile.destructive and asked.verb_class not in (VerbClass.DELETE, VerbClass.CLOSE):
        return 0.0
    if profile.verb is None:
        if profile.type == "query":
            return 0.9 if asked.verb_class is VerbClass.READ else 0.0
        return 0.6 if asked.verb_class is not VerbClass.READ else 0.0
    return serves(asked.verb_class, profile.verb[0])


def _lacks_data(profile: _Profile, reading: Reading) -> bool:
    """Whether a query needs an argument while the prompt holds no value at all, as "show the tickets" does."""
    function = profile.candidate.function
    values = any(mention.kind is not Kind.PROPER_NAME for mention in reading.mentions)
    return function.type == "query" and bool(function.parameters.required) and not values


def _own_word_fit(profile: _Profile, reading: Reading) -> float:
    """Return how well "merge pull request 12" or "refund the charge" asks for a function that changes something."""
    first = reading.core[0].stem if reading.core else ""
    if profile.destructive or not first:
        return 0.0
    if first == profile.lead:
        return 1.0
    return 0.5 if first in profile.objects else 0.0


def _asks_for_raw_request(reading: Reading) -> bool:
    said = {word.folded for word in reading.words}
    return "request" in said and not said.isdisjoint({"raw", "passthrough", "custom", "arbitrary"})
