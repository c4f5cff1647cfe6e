"""The prediction as the service uses it: rank, decide, fill, validate."""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache

from attrs import evolve

from service_client.models import Alternative, Function
from service_server.predict.acceptance import accepts, confidence
from service_server.predict.arguments.filling import ArgumentFiller
from service_server.predict.candidate import Candidate
from service_server.predict.confidence import shipped_confidence
from service_server.predict.mood import asks_for_explanation
from service_server.predict.ranking import Ranking
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import Reading, read
from service_server.predict.selection import Scored, Selection, text_of
from service_server.predict.values import ArgumentPrediction, FunctionPrediction, FunctionRanking
from service_server.predict.vectors import Vectors

_MOST_ALTERNATIVES = 4
_MOST_FILLERS = 1024
_MOST_PREDICTIONS = 16


class Predictor:
    """Predicts functions and arguments over one catalogue; the index over it is built once."""

    def __init__(
        self,
        candidates: Iterable[Candidate],
        function: Callable[[str], Function] | None = None,
        *,
        reader: Reader | None = None,
        vectors: Vectors | None = None,
    ) -> None:
        """
        Make the index over the candidates.

        Nothing else is kept of them where `function` gives one by its name, or a KeyError. Without a trained `reader`
        rules do its work; `vectors` are those that are known already.
        """
        if function is None:
            candidates = list(candidates)
            function = {candidate.function.name: candidate.function for candidate in candidates}.__getitem__
        find = self._find = function
        headings: list[str] = []
        self._ranking = Ranking(_noting_headings(candidates, headings))
        self._selection: Selection | None = None
        if reader is not None:
            known = vectors if vectors is not None else Vectors()
            text = lru_cache(_MOST_FILLERS)(lambda name: text_of(find(name)))
            self._selection = Selection(self._ranking, text, known.of(headings, reader), reader)
        # What a choice was held against is asked for at once when the arguments are.
        self._arguments = lru_cache(_MOST_PREDICTIONS)(self._fill)
        self._filler = lru_cache(_MOST_FILLERS)(
            lambda name: ReaderFiller(find(name), reader) if reader is not None else ArgumentFiller(find(name))
        )

    def rank_functions(
        self, prompt: str, *, among: Collection[str] | None = None, now: datetime | None = None
    ) -> FunctionRanking:
        """Return the functions that come near a prompt, chosen `among` the given names."""
        reading = read(prompt, now or datetime.now(UTC))
        if asks_for_explanation(reading.words):
            return FunctionRanking(functions=(), fits=False)
        if self._selection is not None:
            scored = self._chosen(self._selection, reading, among, now)[: 1 + _MOST_ALTERNATIVES]
            # What came behind is no likelier than the first after a look at what that one requires.
            best = scored[0].confidence if scored else 0.0
            found = [Alternative(name=each.name, confidence=min(best, each.confidence)) for each in scored]
            return FunctionRanking(functions=tuple(found), fits=bool(scored) and scored[0].accepted)
        matches = self._ranking.rank(reading, among=among)
        best = confidence(matches[0]) if matches else 0.0
        # What was ranked lower is no likelier, even where the figures that make it so are not the ranking's.
        found = [Alternative(name=match.name, confidence=min(best, confidence(match))) for match in matches]
        ordered = sorted(found[1 : 1 + _MOST_ALTERNATIVES], key=lambda alternative: -alternative.confidence)
        return FunctionRanking(functions=(*found[:1], *ordered), fits=bool(matches) and accepts(matches[0]))

    def predict_function(
        self, prompt: str, *, among: Collection[str] | None = None, now: datetime | None = None
    ) -> FunctionPrediction | None:
        """Return the function a prompt asks for, chosen `among` the given names; None when nothing fits."""
        ranking = self.rank_functions(prompt, among=among, now=now)
        if not ranking.fits:
            return None
        best, *others = ranking.functions
        return FunctionPrediction(name=best.name, confidence=best.confidence, alternatives=tuple(others))

    def predict_arguments(self, name: str, prompt: str, *, now: datetime | None = None) -> ArgumentPrediction:
        """
        Return the arguments a prompt gives for a function of the catalogue; an unknown name is a KeyError.

        `now`, which has a time zone, is what "tomorrow" counts from.
        """
        return self._arguments(name, prompt, now)

    def _fill(self, name: str, prompt: str, now: datetime | None) -> ArgumentPrediction:
        filler = self._filler(name)
        reading = read(prompt, now or datetime.now(UTC))
        if isinstance(filler, ReaderFiller):
            return filler.fill(reading, now)
        return filler.fill(reading, now or datetime.now(UTC))

    def _chosen(
        self, selection: Selection, reading: Reading, among: Collection[str] | None, now: datetime | None
    ) -> list[Scored]:
        """Return the functions that may answer a prompt, the best held against what it requires."""
        scored = selection.choose(reading, among=among)
        if not scored or not scored[0].accepted:
            return scored
        best = self._held_against_its_arguments(scored[0], reading.prompt, now)
        if best == scored[0]:
            return scored
        # What it requires isn't said: perhaps the next one is meant, so that this must be known as well.
        scored = selection.choose(reading, among=among, fitting=2)
        held = [self._held_against_its_arguments(each, reading.prompt, now) for each in scored[:2]]
        return sorted([*held, *scored[2:]], key=lambda each: -each.confidence)

    def _held_against_its_arguments(self, best: Scored, prompt: str, now: datetime | None) -> Scored:
        """Return a function less sure by what it requires and the prompt doesn't say: then it may be meant for else."""
        required = self._find(best.name).parameters.required
        if not required:
            return best
        found = self.predict_arguments(best.name, prompt, now=now)
        unsaid = sum(name not in found.named for name in found.missing)
        return evolve(best, confidence=shipped_confidence().where_unsaid(best.confidence, unsaid / len(required)))


def _noting_headings(candidates: Iterable[Candidate], headings: list[str]) -> Iterator[Candidate]:
    for candidate in candidates:
        headings.append(heading_of(candidate.function.name, candidate.function.description))
        yield candidate
