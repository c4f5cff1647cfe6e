"""The prediction as the service uses it: rank, accept, fill, validate."""

from collections.abc import Callable, Container, Iterable
from datetime import UTC, datetime
from functools import lru_cache

from attrs import frozen

from service_client.models import Alternative, Function
from service_server.predict.acceptance import accepts, confidence
from service_server.predict.arguments import ArgumentFiller, ArgumentPrediction
from service_server.predict.candidate import Candidate
from service_server.predict.ranking import Ranking
from service_server.predict.reading import read

_MOST_ALTERNATIVES = 4
_MOST_FILLERS = 1024


@frozen(kw_only=True)
class FunctionPrediction:
    """The function a prompt asks for, how sure that is (0 to 1), and what else it may have meant, likeliest first."""

    name: str
    confidence: float
    alternatives: tuple[Alternative, ...]


class Predictor:
    """Predicts functions and arguments over one catalogue; the index over it is built once."""

    def __init__(self, candidates: Iterable[Candidate], function: Callable[[str], Function] | None = None) -> None:
        """
        Make the index over the candidates.

        Nothing else is kept of them where `function` gives one by its name, or a KeyError.
        """
        if function is None:
            candidates = list(candidates)
            function = {candidate.function.name: candidate.function for candidate in candidates}.__getitem__
        find = function
        self._ranking = Ranking(candidates)
        self._filler = lru_cache(_MOST_FILLERS)(lambda name: ArgumentFiller(find(name)))

    def predict_function(self, prompt: str, *, among: Container[str] | None = None) -> FunctionPrediction | None:
        """Return the function a prompt asks for, chosen `among` the given names; None when nothing fits."""
        matches = self._ranking.rank(read(prompt, datetime.now(UTC)), among=among)
        if not matches or not accepts(matches[0]):
            return None
        best = confidence(matches[0])
        alternatives = tuple(
            # What was ranked lower is no likelier, even where the figures that make it so are not the ranking's.
            Alternative(name=match.name, confidence=min(best, confidence(match)))
            for match in matches[1 : 1 + _MOST_ALTERNATIVES]
        )
        ordered = tuple(sorted(alternatives, key=lambda alternative: -alternative.confidence))
        return FunctionPrediction(name=matches[0].name, confidence=best, alternatives=ordered)

    def predict_arguments(self, name: str, prompt: str, *, now: datetime | None = None) -> ArgumentPrediction:
        """
        Return the arguments a prompt gives for a function of the catalogue; an unknown name is a KeyError.

        `now`, which has a time zone, is what "tomorrow" counts from; without it, the present in UTC.
        """
        now = now or datetime.now(UTC)
        return self._filler(name).fill(read(prompt, now), now)
