"""The prediction as the service uses it: rank, decide, fill, validate."""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from service_client.models import Alternative, Function
from service_server.predict.acceptance import accepts, confidence, signals, threshold
from service_server.predict.candidate import Candidate
from service_server.predict.corrections import corrected
from service_server.predict.explanation import Explained, Explanation, Verdict
from service_server.predict.idioms import in_plain_words
from service_server.predict.known_answers import Answers, KnownAnswersOfAll
from service_server.predict.known_requests import KnownRequests, Requests, requests_of
from service_server.predict.languages import glossed, language_of
from service_server.predict.questions_of_how import asks_for_explanation
from service_server.predict.ranking import Ranking
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reader.shapes import shapes_in
from service_server.predict.reading import Reading, read
from service_server.predict.selection import Selection, text_of
from service_server.predict.spelling import Spelling
from service_server.predict.values import ArgumentPrediction, FunctionRanking
from service_server.predict.vectors import Vectors
from service_server.predict.words import spelled_out

_MOST_ALTERNATIVES = 4
_MOST_EXPLAINED = 10
_MOST_FILLERS = 1024
_MOST_READINGS = 16


class Predictor:
    """Predicts functions and arguments over one catalogue; the index over it is built once."""

    def __init__(
        self,
        candidates: Iterable[Candidate],
        function: Callable[[str], Function] | None = None,
        *,
        reader: Reader | None = None,
        vectors: Vectors | None = None,
        requests: Requests | None = None,
        answers: Answers | None = None,
    ) -> None:
        """
        Make the index over the candidates.

        `function` returns a function by its name, or raises KeyError; if it is given, nothing else is kept of the
        candidates. Without a trained `reader`, functions are ranked by words and no arguments are read. `vectors` are
        those that are already known. `requests` are known ones; for functions that they leave out, their own examples
        take their place. `answers` are those that people are known to mean.
        """
        if function is None:
            candidates = list(candidates)
            function = {candidate.function.name: candidate.function for candidate in candidates}.__getitem__
        find = self._find = function
        self._read = lru_cache(_MOST_READINGS)(read)  # what a function was chosen for is read for its arguments as well
        self._gloss = lru_cache(_MOST_READINGS)(glossed)
        headings: list[str] = []
        shapes: dict[str, dict[str, frozenset[str]]] = {}
        examples: dict[str, list[str]] = {}
        self._ranking = Ranking(_noted(candidates, headings, shapes, examples))
        self._spelling = Spelling(headings)
        self._selection: Selection | None = None
        if reader is not None:
            known = vectors if vectors is not None else Vectors()
            text = lru_cache(_MOST_FILLERS)(lambda name: text_of(find(name)))
            known_of = set(requests.functions) if requests is not None else set()
            own = requests_of(
                (name, _mean(known.of(said, reader)))
                for name, said in examples.items()
                if said and name not in known_of
            )
            said = KnownRequests(self._ranking.places, own, *([requests] if requests is not None else []))
            self._selection = Selection(self._ranking, text, known.of(headings, reader), said, reader)
        self._filler: Callable[[str], ReaderFiller] | None = None
        if reader is not None:
            meant = KnownAnswersOfAll(answers) if answers is not None else None
            self._filler = lru_cache(_MOST_FILLERS)(
                lambda name: ReaderFiller(find(name), reader, shapes.get(name), meant)
            )

    def rank_functions(
        self,
        prompt: str,
        *,
        among: Collection[str] | None = None,
        connected: Collection[str] = (),
        now: datetime | None = None,
    ) -> FunctionRanking:
        """
        Return the functions that come near a prompt, chosen `among` the given names.

        If the prompt names no app, one that the user has `connected` is more likely meant.
        """
        reading = self._as_meant(prompt, now)
        if self._asks_how(reading):
            return FunctionRanking(functions=(), fits=False)
        if self._selection is not None:
            scored = self._selection.choose(reading, among=among, connected=connected)[: 1 + _MOST_ALTERNATIVES]
            found = [Alternative(name=each.name, confidence=each.confidence) for each in scored]
            return _ordered(found, fits=bool(scored) and scored[0].accepted)
        matches = self._ranking.rank(reading, among=among)
        found = [Alternative(name=match.name, confidence=confidence(match)) for match in matches]
        return _ordered(found, fits=bool(matches) and accepts(matches[0]))

    def explain(self, prompt: str, *, among: Collection[str] | None = None, now: datetime | None = None) -> Explanation:
        """Return why a prompt is answered as it is."""
        reading = self._as_meant(prompt, now)
        named = self._ranking.apps.named_in(reading)
        explained: list[Explained] = []
        refused: list[str] = []
        if not self._asks_how(reading):
            explained, refused = self._considered(reading, among)
        return Explanation(
            verdict=self._verdict(reading, explained, refused),
            mood=reading.mood,
            verb=None if reading.asked is None else reading.asked.word,
            negated=reading.asked is not None and reading.asked.negated,
            apps=sorted(named.apps),
            functions=explained,
            refused=refused,
        )

    def _as_meant(self, prompt: str, now: datetime | None) -> Reading:
        """Read a prompt to choose a function: in English, without what it takes back, short forms and slips."""
        now = now or datetime.now(UTC)
        language = language_of(prompt)
        if language is None:
            return self._read(self._spelling.mended(spelled_out(in_plain_words(corrected(prompt)))), now)
        gloss = self._gloss(prompt, language, now)
        return evolve(self._read(spelled_out(gloss.text), now), changes_nothing=gloss.changes_nothing)

    def _asks_how(self, reading: Reading) -> bool:
        return asks_for_explanation(reading.words) or self._ranking.apps.is_asked_about(reading)

    def _considered(self, reading: Reading, among: Collection[str] | None) -> tuple[list[Explained], list[str]]:
        if self._selection is None:
            matches = self._ranking.rank(reading, among=among)
            return [
                Explained(
                    name=each.name,
                    confidence=confidence(each),
                    threshold=threshold(each),
                    accepted=accepts(each),
                    signals=signals(each),
                )
                for each in matches[:_MOST_EXPLAINED]
            ], []
        found, refused = self._selection.explain(reading, among=among)
        return [
            Explained(
                name=scored.name,
                confidence=scored.confidence,
                threshold=scored.threshold,
                accepted=scored.accepted,
                signals=said,
            )
            for scored, said in found
        ], refused

    def _verdict(self, reading: Reading, explained: list[Explained], refused: list[str]) -> Verdict:
        if explained:
            return "fits" if explained[0].accepted else "unsure"
        if self._asks_how(reading):
            return "asks_how"
        named = self._ranking.apps.named_in(reading)
        if named.absent and not named.apps:
            return "app_absent"
        if self._selection is not None and self._selection.says_nothing(reading):
            return "says_nothing"
        return "not_commanded" if refused else "nothing_near"

    def predict_arguments(self, name: str, prompt: str, *, now: datetime | None = None) -> ArgumentPrediction:
        """
        Return the arguments a prompt gives for a function of the catalogue; an unknown name is a KeyError.

        `now`, which has a time zone, is what "tomorrow" counts from. Without a trained reader there are none.
        """
        if self._filler is None:
            missing = tuple(self._find(name).parameters.required)
            return ArgumentPrediction(arguments={}, missing=missing, evidence={}, confidence=0.0 if missing else 1.0)
        today = now or datetime.now(UTC)
        language = language_of(prompt)
        if language is not None:
            gloss = self._gloss(prompt, language, today)
            return self._filler(name).fill(self._read(gloss.text, today), now, gloss)
        found = self._filler(name).fill(self._read(corrected(prompt), today), now)
        # Words around what was taken back don't stand together in the prompt.
        return evolve(found, evidence={path: words for path, words in found.evidence.items() if words in prompt})


def _mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the direction in which some vectors point together, as a vector of length one."""
    total: NDArray[np.float32] = vectors.sum(axis=0)
    return total / max(float(np.linalg.norm(total)), 1e-9)


def _ordered(found: list[Alternative], *, fits: bool) -> FunctionRanking:
    """Return the functions in their order, with none likelier than the first, whatever put that one first."""
    best = found[0].confidence if found else 0.0
    others = [Alternative(name=each.name, confidence=min(best, each.confidence)) for each in found[1:]]
    others = sorted(others[:_MOST_ALTERNATIVES], key=lambda each: -each.confidence)
    return FunctionRanking(functions=(*found[:1], *others), fits=fits)


def _noted(
    candidates: Iterable[Candidate],
    headings: list[str],
    shapes: dict[str, dict[str, frozenset[str]]],
    examples: dict[str, list[str]],
) -> Iterator[Candidate]:
    """Yield the candidates, and note their headings, their examples and the shapes of the values in these."""
    for candidate in candidates:
        examples[candidate.function.name] = [prompt for prompt, _ in candidate.examples]
        headings.append(heading_of(candidate.function.name, candidate.function.description))
        if found := shapes_in(candidate.examples):
            shapes[candidate.function.name] = found
        yield candidate
