"""Rank functions by the words they share with a prompt (BM25) and by whether they do what it asks."""

import math
from array import array
from bisect import bisect_left
from collections.abc import Collection, Container, Iterable, Iterator, Sequence, Set
from itertools import islice

from attrs import frozen

from service_server.predict.app_names import AppNames, NamedApps
from service_server.predict.candidate import Candidate
from service_server.predict.fitness import (
    aimed_object,
    asks_for_raw_request,
    is_commanded,
    lacking_values,
    verb_fit,
)
from service_server.predict.mentions import Kind
from service_server.predict.profiles import Profile, profile_of, weights_of
from service_server.predict.reading import Reading
from service_server.predict.telling_forms import COMMON
from service_server.predict.verbs import CLASS_OF
from service_server.predict.words import SYNONYMS

# The usual BM25 parameters: how soon repetition stops counting, and how much long texts are held back.
_SATURATION = 1.2
_LENGTH = 0.6
# A small catalogue says little about how rare a word is in speech: count as if this many more functions lacked it.
_UNSEEN_FUNCTIONS = 200
_SYNONYM_WEIGHT = 0.7
# Verbs are compared by class; as words they only break ties.
_VERB_WEIGHT = 0.3
_HINT_WEIGHT = 0.5
_HINTS = {Kind.CHANNEL: ("channel", "messag"), Kind.EMAIL: ("email",), Kind.SLUG: ("repositori",), Kind.USER: ("user",)}
_CONSIDERED = 30
_DATA_WEIGHT, _TOPIC_WEIGHT = 0.3, 0.5
# What a function without an object in its name ("search") is worth, as if half an object had been named.
_NO_OBJECT = 0.5
# How much more a rare form of values tells than a common one.
_RARE = 4.0


@frozen(kw_only=True)
class Match:
    """
    How a function answers a prompt; figures are 0 to 1 where nothing else is said.

    `verb` says how well its verb serves the one asked for (None: the prompt has none), `object_share` how much of what
    it acts on the prompt names, `aimed` whether that is what the prompt's verb is about, `prompt_share` how much of the
    prompt it explains, `app_named` whether its app is named, `commanded` whether the prompt's form asks for it. `form`
    is 1 if it takes a value of the telling form that the prompt has, more if that is rare, -1 if it doesn't take a
    common one, 0 where the prompt has none. `lacking` counts its required arguments beyond the number of values that
    the prompt has.
    """

    name: str
    app: str
    type: str
    relevance: float
    verb: float | None
    aimed: bool
    object_share: float
    prompt_share: float
    app_named: bool
    destructive: bool
    commanded: bool
    lacking: int
    form: float


class Ranking:
    """An index over the functions of a catalogue, built once."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        titles: dict[str, str] = {}
        postings: dict[str, _Posting] = {}
        lengths = array("d")
        self._profiles: list[Profile] = []
        for at, candidate in enumerate(candidates):
            titles[candidate.app_name] = candidate.app_title
            text = weights_of(candidate)
            for stem, weight in text.items():
                postings.setdefault(stem, _Posting()).add(at, weight)
            lengths.append(sum(text.values()))
            self._profiles.append(profile_of(candidate))
        _to_scores(postings.values(), lengths)
        self._apps = AppNames(titles)
        self._takers: dict[str, list[int]] = {}
        for at, profile in enumerate(self._profiles):
            for form in profile.takes - COMMON.keys():
                self._takers.setdefault(form, []).append(at)
        self._objects = frozenset[str]().union(*(profile.objects for profile in self._profiles))
        self._postings = postings
        self._rarity = {stem: _rarity(len(posting.holders), len(lengths)) for stem, posting in postings.items()}
        self._unknown_rarity = _rarity(0, len(lengths))

    def rank(self, reading: Reading, *, among: Collection[str] | None = None) -> list[Match]:
        """Return the functions that may answer a prompt, best first; `among` are the names to choose from."""
        named = self._apps.named_in(reading)
        if named.absent and not named.apps:
            return []
        scores = self.lexical(reading)
        ordered = sorted(scores.items(), key=lambda each: (-each[1], self._profiles[each[0]].name))
        # In a large catalogue, most functions are only compared by their words.
        considered = list(
            islice((each for each in ordered if self._eligible(each[0], reading, named, among)), _CONSIDERED)
        )
        best = considered[0][1] if considered else 0.0
        matches = [self.match(at, score / best, reading, named) for at, score in considered]
        matches.sort(key=lambda match: -match.relevance)
        return matches

    def lexical(self, reading: Reading) -> dict[int, float]:
        """Return how much the words that functions share with a prompt say of them (BM25), by their places."""
        scores: dict[int, float] = {}
        for stem, weight in self._terms(reading):
            if stem in self._postings:
                posting, rarity = self._postings[stem], self._rarity[stem]
                for at, score in zip(posting.holders, posting.scores, strict=True):
                    scores[at] = scores.get(at, 0.0) + weight * score * rarity
        return scores

    def named_apps(self, reading: Reading) -> NamedApps:
        """Return the apps that a prompt names."""
        return self._apps.named_in(reading)

    def takers(self, reading: Reading) -> list[int]:
        """Return the places of the functions that take a value of a rare form that the prompt has."""
        return [at for form in reading.forms for at in self._takers.get(form, ())]

    @property
    def profiles(self) -> Sequence[Profile]:
        """What is known about the functions, by their places."""
        return self._profiles

    @property
    def objects(self) -> Set[str]:
        """The stems of all that the functions act on."""
        return self._objects

    def _terms(self, reading: Reading) -> Iterator[tuple[str, float]]:
        for word in reading.core:
            weight = _VERB_WEIGHT if word.folded in CLASS_OF else 1.0
            yield word.stem, weight
            for synonym in SYNONYMS.get(word.stem, ()):
                yield synonym, weight * _SYNONYM_WEIGHT
        for kind in {mention.kind for mention in reading.mentions}:
            for hint in _HINTS.get(kind, ()):
                yield hint, _HINT_WEIGHT

    def _eligible(self, at: int, reading: Reading, named: NamedApps, among: Collection[str] | None) -> bool:
        profile = self._profiles[at]
        if among is not None and profile.name not in among:
            return False
        if named.apps and profile.app not in named.apps:
            return False
        if profile.type == "passthrough":
            return asks_for_raw_request(reading)
        return is_commanded(profile, reading) and verb_fit(profile, reading) != 0.0

    def match(self, at: int, score: float, reading: Reading, named: NamedApps) -> Match:
        """Return how the function at a place answers a prompt; `score` is how much its words and meaning say."""
        profile = self._profiles[at]
        said = {word.stem for word in reading.core}
        spoken = said.union(*(SYNONYMS.get(stem, ()) for stem in said))
        # Never guess something that can't be undone from the form of a value: "delete acme/web" names no repository.
        for kind in () if profile.destructive else {mention.kind for mention in reading.mentions}:
            spoken.update(_HINTS.get(kind, ()))
        verb = verb_fit(profile, reading)
        object_share = self._share(profile.objects, spoken) if profile.objects else _NO_OBJECT
        app_named = profile.app in named.apps
        exact = reading.asked is not None and profile.verb is not None and reading.asked.word == profile.verb[1]
        target = aimed_object(reading, self._objects)
        aimed = target is None or not ({target} | SYNONYMS.get(target, frozenset())).isdisjoint(profile.objects)
        lacking = lacking_values(profile, reading)
        relevance = score + 0.8 * object_share + 0.8 * (0.7 if verb is None else verb) + 0.1 * exact + 0.2 * app_named
        relevance -= 0.0 if aimed else 0.4
        relevance += 0.15 * self._same_forms(profile, reading) - 0.05 * min(4, lacking) * (profile.type == "query")
        return Match(
            name=profile.name,
            app=profile.app,
            type=profile.type,
            relevance=relevance,
            verb=verb,
            aimed=aimed,
            object_share=object_share,
            prompt_share=self._prompt_share(at, reading, object_share),
            app_named=app_named,
            destructive=profile.destructive,
            commanded=is_commanded(profile, reading),
            lacking=lacking,
            form=_same_form(profile, reading),
        )

    @staticmethod
    def _same_forms(profile: Profile, reading: Reading) -> bool:
        """Whether the prompt uses the singular or plural that the function's name uses: "the ticket", "the tickets"."""
        return any(word.stem in profile.objects and word.folded in profile.forms for word in reading.core)

    def _share(self, stems: Iterable[str], among: Container[str]) -> float:
        total = found = 0.0
        for stem in stems:
            rarity = self._rarity.get(stem, self._unknown_rarity)
            total += rarity
            found += rarity if stem in among else 0.0
        return found / total if total else 0.0

    def _prompt_share(self, at: int, reading: Reading, object_share: float) -> float:
        """
        Return how much of the prompt the function explains.

        Words of a topic, and those behind what the function acts on, may be data of the request, so they count less.
        """
        topics = reading.of_kind(Kind.TOPIC, Kind.PURPOSE, Kind.PROPER_NAME)
        profile = self._profiles[at]
        total = found = 0.0
        behind_object = False
        for word in reading.core:
            if word.folded in CLASS_OF and word.stem not in profile.objects:
                continue
            if reading.asked and reading.asked.start <= word.start < reading.asked.end:
                continue
            weight = self._rarity.get(word.stem, self._unknown_rarity)
            names = {word.stem} | SYNONYMS.get(word.stem, frozenset())
            known = any(self._knows(at, name) for name in names)
            if not known and behind_object and profile.takes_data:
                weight *= _DATA_WEIGHT
            elif not known and any(topic.overlaps(word.start, word.end) for topic in topics):
                weight *= _TOPIC_WEIGHT
            behind_object = behind_object or not names.isdisjoint(profile.objects)
            total += weight
            found += weight if known else 0.0
        return found / total if total else object_share

    def _knows(self, at: int, stem: str) -> bool:
        """Whether a word is one that a function is known by, its own or its app's."""
        posting = self._postings.get(stem)
        return stem in self._profiles[at].app_words or (posting is not None and posting.has(at))


def _same_form(profile: Profile, reading: Reading) -> float:
    # Of rare forms, only taking one says something: a text may well speak of "WEB-12".
    common = reading.forms & COMMON.keys()
    if not common <= profile.takes:
        return -1.0
    # Never guess something that can't be undone from the form of a value: "delete acme/web" names no repository.
    if profile.destructive:
        return 0.0
    return _RARE if reading.forms & profile.takes - COMMON.keys() else float(bool(common))


class _Posting:
    """The functions that hold one word, by their places in ascending order, and how much it says of each."""

    __slots__ = ("holders", "scores")

    def __init__(self) -> None:
        self.holders = array("L")
        self.scores = array("d")

    def add(self, at: int, weight: float) -> None:
        self.holders.append(at)
        self.scores.append(weight)

    def has(self, at: int) -> bool:
        place = bisect_left(self.holders, at)
        return place < len(self.holders) and self.holders[place] == at


def _to_scores(postings: Iterable[_Posting], lengths: Sequence[float]) -> None:
    """Turn weights of words into how much they say of a function with a text of that length."""
    average = sum(lengths) / len(lengths) if lengths else 1.0
    damping = [_SATURATION * (1 - _LENGTH + _LENGTH * length / (average or 1.0)) for length in lengths]
    for posting in postings:
        for place, at in enumerate(posting.holders):
            weight = posting.scores[place]
            posting.scores[place] = weight * (_SATURATION + 1) / (weight + damping[at])


def _rarity(holders: int, functions: int) -> float:
    return math.log(1 + (functions + _UNSEEN_FUNCTIONS - holders + 0.5) / (holders + 0.5))
