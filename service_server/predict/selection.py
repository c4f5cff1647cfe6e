"""Choose a function with the trained model: recall by words and meaning, then read the likeliest until one fits."""

import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from attrs import asdict, evolve, frozen
from numpy.typing import NDArray

from service_client.models import Function
from service_server.predict.app_names import NamedApps
from service_server.predict.confidence import Features, log_odds, shipped_confidence
from service_server.predict.explanation import Signal
from service_server.predict.fitness import asks_for_raw_request, may_be_asked_for
from service_server.predict.known_requests import KnownRequests
from service_server.predict.ranking import Match, Ranking
from service_server.predict.reader.questions import heading_of, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import Reading
from service_server.predict.verbs import CLASS_OF, VerbClass

# How many functions are looked at: those nearest by meaning, those for which people say what is nearest, and those
# nearest by meaning and words together.
_NEAR_BY_MEANING, _NEAR_BY_REQUESTS, _NEAR_AT_ALL = 4, 4, 10
LEXICAL = 0.4  # how much similar words count, relative to meaning
LONGEST_PROMPT = 600  # characters whose meaning counts
# Functions are read one by one until none of the rest could be likelier, even if it fitted as well as any does
# (log-odds). Unread ones count as if they had been read and fitted badly.
_FITS_BEST, _UNREAD = 5.0, -3.0
# The threshold for what can't be undone if the prompt doesn't plainly ask for it.
_SURE = 0.85
# The same where neither what it acts on nor its app is named: "delete acme/web".
_SURE_UNNAMED = 0.9
# The threshold for a change that the prompt asks for by its sense alone: without the form of a request, or any word.
_BY_SENSE = 0.5
# The same for a query of which the prompt has no word: "qwzx" asks for no incident that is called Q3XK.
_QUERY_BY_SENSE = 0.35
# How much likelier (log-odds) a function is if it takes a value of the form that the prompt has, and how much less
# likely if it doesn't: "#ops" speaks for apps with channels.
_TAKES_THE_FORM = 0.5
# How much nearer a function is if it takes a value of a form that few do: the id of a text message, of a room.
_TAKES_RARE = 0.3
# The same for a function whose very verb and object the prompt names: "create a ticket".
_SAID_PLAINLY = 1.9
# This many of its words, relative to the best: between the tickets of several apps the length of texts says nothing.
_SAME_WORDS = 0.9
# The same for a function of an app that the user has connected, if the prompt names no app.
_CONNECTED = 2.0
# "I'm back, folks" asks for nothing.
_GREETINGS = frozenset({"back", "hey", "hiya", "yo", "bye", "folks", "guys", "morning", "evening"})
# How much less likely a function is for each required argument beyond the number of values in the prompt.
_LACKS_A_VALUE = 0.1


Text = tuple[str, tuple[str, ...]]
"""What the model reads of a function: its heading and the names of its arguments."""


def text_of(function: Function) -> Text:
    """Return what the model reads of a function."""
    questions = questions_of({"properties": function.parameters.properties})
    return heading_of(function.name, function.description), tuple(question.name for question in questions)


@frozen(kw_only=True)
class Scored:
    """A function that may answer a prompt; `confidence` is how likely it is the one asked for, 0 to 1."""

    name: str
    confidence: float
    match: Match

    @property
    def accepted(self) -> bool:
        """Whether it is likely enough to be offered at all."""
        return self.confidence >= self.threshold

    @property
    def threshold(self) -> float:
        """
        The confidence from which on it is offered.

        What is told rather than asked for must be likelier, what the prompt has no word of too, above all a change, and
        so must what can't be undone.
        """
        needed, match = shipped_confidence(), self.match
        if match.outdone:
            return _SURE  # "the tab Ducks was removed" adds none
        if match.destructive:
            is_named = match.object_share > 0 or match.app_named
            if match.commanded and match.aimed and is_named:
                return needed.destructive_threshold
            return _SURE if is_named else _SURE_UNNAMED
        by_words = any((match.verb, match.object_share, match.prompt_share, match.app_named))
        if match.commanded and by_words:
            return needed.threshold
        return _QUERY_BY_SENSE if match.commanded and match.type == "query" else _BY_SENSE


class Selection:
    """The model's index over the functions of a catalogue, built once; places are those of the ranking."""

    def __init__(
        self,
        ranking: Ranking,
        text: Callable[[str], Text],
        vectors: NDArray[np.float32],
        requests: KnownRequests,
        reader: Reader,
    ) -> None:
        """Take the vectors [functions, 384] of the functions' headings, and a callable that gives a function's text."""
        self._ranking = ranking
        self._text = text
        self._vectors = np.asfortranarray(vectors)  # their product with a prompt's takes half as long so
        self._requests = requests
        self._reader = reader
        self._is_raw = np.fromiter((profile.type == "passthrough" for profile in ranking.profiles), np.bool_)
        self._numbers = {app: at for at, app in enumerate({profile.app for profile in ranking.profiles})}
        self._app = np.fromiter((self._numbers[profile.app] for profile in ranking.profiles), np.int32)
        self._all = np.arange(len(vectors))
        self._plain = self._all[~self._is_raw]

    def choose(
        self, reading: Reading, *, among: Collection[str] | None = None, connected: Collection[str] = ()
    ) -> list[Scored]:
        """
        Return the functions that may answer a prompt, likeliest first; `among` are the names to choose from.

        Of the functions that would be accepted, one of an app that is `connected` comes before a slightly likelier one,
        unless the prompt names an app. So does one that requires no more values than the prompt gives.
        """
        named = self._ranking.apps.named_in(reading)
        preferred = frozenset() if named.apps else frozenset(connected)
        return [scored for scored, _ in self._scored(reading, named, among, preferred)]

    def explain(
        self, reading: Reading, *, among: Collection[str] | None = None
    ) -> tuple[list[tuple[Scored, list[Signal]]], list[str]]:
        """Return what `choose` does, each with what every signal says of it, and what was near but not commanded."""
        refused: list[str] = []
        named = self._ranking.apps.named_in(reading)
        weights = shipped_confidence().weights
        found = []
        for scored, features in self._scored(reading, named, among, frozenset(), refused):
            signals = [Signal(name, value, weights[name] * value) for name, value in asdict(features).items()]
            found.append((scored, [*signals, *_further_signals(scored.match, features)]))
        return found, refused

    def says_nothing(self, reading: Reading) -> bool:
        """Whether a prompt is just a verb, which any function may have: "list", "delete everything"."""
        return self._says_nothing(reading, self._ranking.apps.named_in(reading))

    def _scored(
        self,
        reading: Reading,
        named: NamedApps,
        among: Collection[str] | None,
        preferred: Collection[str],
        refused: list[str] | None = None,
    ) -> list[tuple[Scored, Features]]:
        confidence = shipped_confidence()
        found = []
        for match, features in self.read(reading, named, among, preferred, refused):
            chance = confidence.of(features, _more(match, features))
            found.append((Scored(name=match.name, confidence=chance, match=match), features))

        def order(pair: tuple[Scored, Features]) -> tuple[bool, float]:
            each = pair[0]
            own = _CONNECTED if each.match.app in preferred else 0.0
            return not each.accepted, -(log_odds(each.confidence) + own - _LACKS_A_VALUE * min(4, each.match.lacking))

        return sorted(found, key=order)

    def read(
        self,
        reading: Reading,
        named: NamedApps,
        among: Collection[str] | None,
        preferred: Collection[str] = (),
        refused: list[str] | None = None,
    ) -> list[tuple[Match, Features]]:
        """
        Return the functions that are likeliest by words and meaning, with all that is known about them.

        Those of the `preferred` apps are read if they could still be the likeliest with what speaks for their app.
        What is as near and may not be asked for in such words is noted in `refused`.
        """
        confidence = shipped_confidence()
        near, uncommanded = self._near(reading, named, among)
        if refused is not None:
            refused.extend(match.name for match, _ in uncommanded)
        chances = {
            match.name: confidence.log_odds(features, _more(match, features))
            for match, features in [*near, *uncommanded]
        }
        nearest_refused = max((chances[match.name] for match, _ in uncommanded), default=-math.inf)
        near.sort(key=lambda each: -chances[each[0].name])
        weight, best = confidence.weights["fit"], -math.inf
        found = []
        for match, features in near:
            own = _CONNECTED if match.app in preferred else 0.0
            if chances[match.name] + own + weight * _FITS_BEST > best:
                fit = self._reader.fit(reading.prompt, *self._text(match.name))
                if _is_said_plainly(match, features):
                    fit = max(fit, _UNREAD)  # the reader has seen few requests that say nothing else
                best = max(best, chances[match.name] + weight * fit)
                features = evolve(features, fit=fit)
            else:
                features = evolve(features, fit=_UNREAD)
            is_less_near = chances[match.name] < nearest_refused and not _takes_just_that(match, reading)
            if match.type == "mutation" and is_less_near:
                match = evolve(match, outdone=True)
            found.append((match, features))
        return found

    def _near(
        self, reading: Reading, named: NamedApps, among: Collection[str] | None
    ) -> tuple[list[tuple[Match, Features]], list[tuple[Match, Features]]]:
        """
        Return the functions that are nearest by words and meaning, and those as near that may not be asked for so.

        How well they fit is not yet known.
        """
        elsewhere = named.absent and not named.apps and among is None
        if elsewhere or self._says_nothing(reading, named):
            return [], []
        places = self._eligible(reading, named, among)
        if not len(places):
            return [], []
        prompt = self._reader.vector(reading.prompt[:LONGEST_PROMPT])
        meaning = (self._vectors @ prompt)[places]
        words = self._ranking.lexical(reading).astype(np.float32)[places]
        words /= max(words.max(), 1e-6)
        takes = np.zeros(len(self._vectors))
        takes[self._ranking.takers(reading)] = _TAKES_RARE
        relevance = meaning + LEXICAL * words + takes[places]
        said = self._requests.said_like(prompt, places)
        nearest = _highest(meaning, _NEAR_BY_MEANING)
        like = [at for at in _highest(said.shares, _NEAR_BY_REQUESTS) if said.shares[at] > 0]
        both = _highest(relevance, _NEAR_AT_ALL)
        asked = self._ranking.asked(reading)
        found: list[tuple[Match, Features]] = []
        refused: list[tuple[Match, Features]] = []
        for order in list(dict.fromkeys([*nearest, *like, *both]))[:_NEAR_AT_ALL]:
            at = int(places[order])
            match = self._ranking.match(at, float(relevance[order]), asked, named)
            features = Features(
                fit=0.0,
                meaning=float(meaning[order]),
                said=math.sqrt(said.shares[order]),
                nothing=float(said.nothing[order]),
                words=float(words[order]),
                verb=0.5 if match.verb is None else match.verb,
                objects=match.object_share,
                prompt=match.prompt_share,
                app=float(match.app_named),
                absent=float(named.absent and not named.apps),
            )
            if _is_said_plainly(match, features):  # then there is a function that does it
                features = evolve(features, nothing=0.0)
            may_be = may_be_asked_for(self._ranking.profiles[at], reading, said.asks)
            (found if may_be else refused).append((match, features))
        return found, refused

    def _says_nothing(self, reading: Reading, named: NamedApps) -> bool:
        """Whether a prompt is a verb that any function may have ("list"), greets, or is one strange word ("qwzx")."""
        objects = self._ranking.objects
        core = [word for word in reading.core if word.folded not in _GREETINGS]
        bare = all(word.folded in CLASS_OF and word.stem not in objects for word in core)
        bare = bare or (len(core) == 1 and not self._ranking.lexical(reading).any())
        return bare and not named.apps and not reading.mentions

    def _eligible(self, reading: Reading, named: NamedApps, among: Collection[str] | None) -> NDArray[np.int64]:
        raw = asks_for_raw_request(reading)
        if among is None:
            places = self._all if raw else self._plain
        else:
            known = self._ranking.places
            places = np.array(sorted(known[name] for name in among if name in known), np.int64)
            if not raw:
                places = places[~self._is_raw[places]]
        if named.apps:
            of_named = np.isin(self._app[places], [self._numbers[app] for app in named.apps])
            places = places[of_named] if of_named.any() or among is None else places
        return places


def _more(match: Match, features: Features) -> float:
    """Return how much speaks for a function beside its features, in log-odds."""
    return _TAKES_THE_FORM * match.form + _SAID_PLAINLY * _is_said_plainly(match, features)


def _further_signals(match: Match, features: Features) -> list[Signal]:
    plainly = _is_said_plainly(match, features)
    return [
        Signal("form", match.form, _TAKES_THE_FORM * match.form),
        Signal("plainly", float(plainly), _SAID_PLAINLY * plainly),
    ]


def _is_said_plainly(match: Match, features: Features) -> bool:
    return match.aimed and features.verb == features.objects == 1 and features.words >= _SAME_WORDS


def _takes_just_that(match: Match, reading: Reading) -> bool:
    """Whether a function takes away just what a prompt says: "delete the tag urgent from ticket 55"."""
    takes = reading.asked is not None and reading.asked.verb_class is VerbClass.DELETE
    return takes and match.commanded and match.aimed and match.object_share == 1 and bool(match.verb)


def _highest(figures: NDArray[np.floating[Any]], count: int) -> list[int]:
    """Return the places of the highest figures, highest first; of equal ones the first come first."""
    left, found = figures.copy(), []
    for _ in range(min(count, len(left))):  # quicker than to sort, where a few of thousands are wanted
        at = int(left.argmax())
        left[at] = -np.inf
        found.append(at)
    return found
