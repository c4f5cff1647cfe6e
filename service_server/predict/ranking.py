"""Rank functions by the words they share with a prompt (BM25) and by whether they do what it asks."""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence, Set
from itertools import islice

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_server.predict.app_names import AppNames, NamedApps
from service_server.predict.candidate import Candidate
from service_server.predict.fitness import (
    BESIDE,
    aimed_object,
    asks_for_raw_request,
    is_commanded,
    lacking_values,
    stems_behind,
    verb_fit,
)
from service_server.predict.mentions import Kind
from service_server.predict.profiles import Profile, profile_of, weights_of
from service_server.predict.reading import Reading
from service_server.predict.telling_forms import COMMON
from service_server.predict.verbs import CLASS_OF
from service_server.predict.word_index import WordIndex
from service_server.predict.words import SYNONYMS, stem, with_synonyms

_SYNONYM_WEIGHT = 0.7
# Verbs are compared by class; as words they only break ties.
_VERB_WEIGHT = 0.3
_HINT_WEIGHT = 0.5
_ADDS_OR_TAKES = frozenset(map(stem, ("add", "remove")))
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
    the prompt has. `outdone` is a change that comes less near than one that isn't commanded.
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
    outdone: bool = False


@frozen(kw_only=True)
class Term:
    """
    A word that carries meaning: `names` are its stem and those that mean the same, `rarity` is how much it says.

    `holders` tells for each function's place whether it has one of them (1) or not (0).
    """

    stem: str
    names: Set[str]
    holders: bytearray
    rarity: float
    is_verb: bool
    in_topic: bool


@frozen(kw_only=True)
class Asked:
    """
    What a prompt says, as each function is compared with it.

    `spoken` are the stems it has, or others that mean the same; `hinted` also those that the forms of its values speak
    for. `aims` are what its verb is about (None: nothing known), `beside` what something is only added to or taken
    from, `words` those outside its verb.
    """

    reading: Reading
    spoken: Set[str]
    hinted: Set[str]
    aims: Set[str] | None
    beside: Set[str]
    words: Sequence[Term]


class Ranking:
    """
    An index over the functions of a catalogue, built once.

    `profiles` are what is known about them, by their places from 0 on, and `places` these by their names. `apps` knows
    what their apps are called, and `objects` are the stems of all that they act on.
    """

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        names: dict[str, frozenset[str]] = {}
        self.profiles: list[Profile] = []

        def texts() -> Iterator[dict[str, float]]:
            for candidate in candidates:
                names[candidate.app_name] = frozenset((candidate.app_title, *candidate.app_also_called))
                self.profiles.append(profile_of(candidate))
                yield weights_of(candidate)

        self._words = WordIndex(texts())
        self.places = {profile.name: at for at, profile in enumerate(self.profiles)}
        self.apps = AppNames(names)
        self._takers: dict[str, list[int]] = {}
        for at, profile in enumerate(self.profiles):
            for form in profile.takes - COMMON.keys():
                self._takers.setdefault(form, []).append(at)
        self.objects = frozenset[str]().union(*(profile.objects for profile in self.profiles))

    def rank(self, reading: Reading, *, among: Collection[str] | None = None) -> list[Match]:
        """Return the functions that may answer a prompt, best first; `among` are the names to choose from."""
        named = self.apps.named_in(reading)
        if named.absent and not named.apps:
            return []
        asked = self.asked(reading)
        scores = self.lexical(reading)
        shared = [(float(scores[at]), self.profiles[at].name, int(at)) for at in np.flatnonzero(scores)]
        # In a large catalogue, most functions are only compared by their words.
        ordered = sorted(shared, key=lambda each: (-each[0], each[1]))
        eligible = (each for each in ordered if self._eligible(each[2], reading, named, among))
        considered = list(islice(eligible, _CONSIDERED))
        best = considered[0][0] if considered else 0.0
        matches = [self.match(at, score / best, asked, named) for score, _, at in considered]
        matches.sort(key=lambda match: -match.relevance)
        return matches

    def lexical(self, reading: Reading) -> NDArray[np.float64]:
        """Return how much the words that functions share with a prompt say of each of them (BM25)."""
        return self._words.scores(self._terms(reading))

    def takers(self, reading: Reading) -> list[int]:
        """Return the places of the functions that take a value of a rare form that the prompt has."""
        return [at for form in reading.forms for at in self._takers.get(form, ())]

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
        profile = self.profiles[at]
        if among is not None and profile.name not in among:
            return False
        if named.apps and profile.app not in named.apps:
            return False
        if profile.type == "passthrough":
            return asks_for_raw_request(reading)
        return is_commanded(profile, reading) and verb_fit(profile, reading) != 0.0

    def asked(self, reading: Reading) -> Asked:
        """Return what a prompt says, as functions are compared with it."""
        said = {word.stem for word in reading.core}
        spoken = with_synonyms(said)
        hints = {hint for kind in {mention.kind for mention in reading.mentions} for hint in _HINTS.get(kind, ())}
        target = aimed_object(reading, self.objects)
        topics = reading.of_kind(Kind.TOPIC, Kind.PURPOSE, Kind.PROPER_NAME)
        return Asked(
            reading=reading,
            spoken=spoken,
            hinted=spoken | hints,
            aims=None if target is None else with_synonyms([target]),
            beside=stems_behind(reading, BESIDE) if target is None else frozenset(),
            words=[
                Term(
                    stem=word.stem,
                    names=(names := with_synonyms([word.stem])),
                    holders=self._words.having(names),
                    rarity=self._words.rarity(word.stem),
                    is_verb=word.folded in CLASS_OF,
                    in_topic=any(topic.overlaps(word.start, word.end) for topic in topics),
                )
                for word in reading.core
                if reading.asked is None or not reading.asked.start <= word.start < reading.asked.end
            ],
        )

    def match(self, at: int, score: float, asked: Asked, named: NamedApps) -> Match:
        """Return how a function at a place answers a prompt; `score` is how much its words and meaning say."""
        profile, reading = self.profiles[at], asked.reading
        # Never guess something that can't be undone from the form of a value: "delete acme/web" names no repository.
        spoken = asked.spoken if profile.destructive else asked.hinted
        verb = verb_fit(profile, reading)
        object_share = self._share(profile.objects, spoken) if profile.objects else _NO_OBJECT
        app_named = profile.app in named.apps
        exact = reading.asked is not None and profile.verb is not None and reading.asked.word == profile.verb[1]
        # "Delete the channel" takes nobody out of it.
        aimed = asked.aims is None or not asked.aims.isdisjoint(profile.objects - profile.left)
        is_beside = profile.lead in _ADDS_OR_TAKES and not profile.action.isdisjoint(BESIDE)
        if profile.objects and profile.objects <= asked.beside and not is_beside:
            aimed = False  # "add Tom to the board" makes no board, and subscribes nobody to it
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
            prompt_share=self._prompt_share(at, asked, object_share),
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
        for each in stems:
            rarity = self._words.rarity(each)
            total += rarity
            found += rarity if each in among else 0.0
        return found / total if total else 0.0

    def _prompt_share(self, at: int, asked: Asked, object_share: float) -> float:
        """
        Return how much of the prompt the function explains.

        Words of a topic, and those behind what the function acts on, may be data of the request, so they count less.
        """
        profile = self.profiles[at]
        total = found = 0.0
        behind_object = False
        for word in asked.words:
            if word.is_verb and word.stem not in profile.objects:
                continue
            weight = word.rarity
            known = word.holders[at] or not word.names.isdisjoint(profile.app_words)
            if not known and behind_object and profile.takes_data:
                weight *= _DATA_WEIGHT
            elif not known and word.in_topic:
                weight *= _TOPIC_WEIGHT
            behind_object = behind_object or not word.names.isdisjoint(profile.objects)
            total += weight
            found += weight if known else 0.0
        return found / total if total else object_share


def _same_form(profile: Profile, reading: Reading) -> float:
    # Of rare forms, only taking one says something: a text may well speak of "WEB-12".
    common = reading.forms & COMMON.keys()
    if not common <= profile.takes:
        return -1.0
    # Never guess something that can't be undone from the form of a value: "delete acme/web" names no repository.
    if profile.destructive:
        return 0.0
    return _RARE if reading.forms & profile.takes - COMMON.keys() else float(bool(common))
