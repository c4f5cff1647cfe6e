"""The prediction of a running service; its index over the catalogue is made at the first request."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import structlog
from attrs import frozen

from service_client.models import Alternative, Function, FunctionApp, FunctionMeta, Parameters
from service_server.catalog.catalog import Catalog
from service_server.catalog.passthrough import passthrough_function
from service_server.predict.candidate import Candidate
from service_server.predict.explanation import Explanation
from service_server.predict.values import ArgumentPrediction, FunctionPrediction, FunctionRanking
from service_server.prediction.freed_memory import FreedMemory

if TYPE_CHECKING:  # these take long to import, and are loaded when predictions are first asked for
    from service_server.predict.model import Model
    from service_server.predict.predictor import Predictor
    from service_server.predict_llm import LanguageModelChooser

_LOG = structlog.get_logger(__name__)
_Predicted = TypeVar("_Predicted")


@frozen(kw_only=True)
class Predicted:
    """The function that a prompt asks for, and its arguments where they were asked for."""

    function: FunctionPrediction
    arguments: ArgumentPrediction | None = None


LONGEST_PROMPT = 4000
"""Characters of a prompt that are read."""


class Prediction:
    """
    Predicts over a catalogue; all requests that come while its index is made wait for the same one.

    Without the installed model it goes by words alone, and logs that once. With a `chooser`, a language model has the
    last word among the best ranked functions.
    """

    def __init__(
        self,
        catalog: Catalog,
        model_directory: Path | None = None,
        cache_directory: Path | None = None,
        chooser: "LanguageModelChooser | None" = None,
    ) -> None:
        self._catalog = catalog
        self._model_directory = model_directory
        self._cache_directory = cache_directory
        self._chooser = chooser
        self._model: Model | None = None
        self._looked_for_model = False
        self._making: asyncio.Task[Predictor] | None = None
        self._freed = FreedMemory()

    async def predictor(self) -> "Predictor":
        """Return the predictor; the first time this takes some milliseconds for each function not seen before."""
        while True:
            if self._making is None:
                # In a thread, so that the event loop goes on with other requests.
                self._making = asyncio.create_task(asyncio.to_thread(self._make), name="prediction")
            making = self._making
            try:
                predictor = await asyncio.shield(making)
            except Exception:
                if self._making is making:
                    self._making = None  # the next request tries again
                raise
            if self._making is making:
                return predictor

    def forget(self) -> None:
        """Make the index again when it is next asked for, because the catalogue has changed."""
        self._making = None

    async def ranking(
        self, prompt: str, *, among: Collection[str] | None = None, connected: Collection[str] = ()
    ) -> FunctionRanking:
        """Return the functions that come near a prompt, as the service itself ranks them; see `function`."""

        async def rank(predictor: "Predictor") -> FunctionRanking:
            return await asyncio.to_thread(self._rank, predictor, prompt, among, connected, datetime.now(UTC))

        return await self._by_one_catalogue(rank)

    async def explanation(self, prompt: str, *, among: Collection[str] | None = None) -> Explanation:
        """Return why the service ranks the functions for a prompt as it does; a language model is not asked."""

        async def explain(predictor: "Predictor") -> Explanation:
            return await asyncio.to_thread(predictor.explain, prompt, among=among, now=datetime.now(UTC))

        return await self._by_one_catalogue(explain)

    @property
    def has_chooser(self) -> bool:
        """Whether a language model has the last word; the console says so."""
        return self._chooser is not None

    async def function(
        self,
        prompt: str,
        *,
        among: Collection[str] | None = None,
        connected: Collection[str] = (),
        with_arguments: bool = False,
    ) -> Predicted | None:
        """
        Return the function a prompt asks for, chosen `among` the given names; None when nothing fits.

        If the prompt names no app, one that the user has `connected` is more likely meant.
        """

        async def predict(predictor: "Predictor") -> Predicted | None:
            return await self._function(predictor, prompt, among, connected, with_arguments)

        return await self._by_one_catalogue(predict)

    async def _function(
        self,
        predictor: "Predictor",
        prompt: str,
        among: Collection[str] | None,
        connected: Collection[str],
        with_arguments: bool,
    ) -> Predicted | None:
        now = datetime.now(UTC)
        ranking = await asyncio.to_thread(self._rank, predictor, prompt, among, connected, now)
        if self._chooser is not None and ranking.functions:
            functions = [
                found for each in ranking.functions if (found := _public(self._catalog, each.name)) is not None
            ]
            choice = await self._chooser.choose(prompt, functions, now=now, with_arguments=with_arguments)
            if choice is not None:
                chosen = [each for each in ranking.functions if each.name == choice.name]
                return (
                    Predicted(function=_first(chosen, ranking.functions), arguments=choice.arguments)
                    if chosen
                    else None
                )
        if not ranking.fits:
            return None
        best = _first(ranking.functions[:1], ranking.functions)
        arguments = await self._arguments(predictor, best.name, prompt, now) if with_arguments else None
        return Predicted(function=best, arguments=arguments)

    async def arguments(self, name: str, prompt: str) -> ArgumentPrediction:
        """Return the arguments a prompt gives for a function of the catalogue; an unknown name is a KeyError."""

        now = datetime.now(UTC)
        if self._chooser is not None and (function := _public(self._catalog, name)) is not None:
            choice = await self._chooser.choose(prompt, [function], now=now)
            if choice is not None and choice.arguments is not None:
                return choice.arguments

        async def fill(predictor: "Predictor") -> ArgumentPrediction:
            return await self._arguments(predictor, name, prompt, now)

        return await self._by_one_catalogue(fill)

    async def _by_one_catalogue(self, predict: Callable[["Predictor"], Awaitable[_Predicted]]) -> _Predicted:
        """Predict; again where the catalogue was replaced meanwhile, and a function is looked up that went with it."""
        while True:
            predictor, made = await self.predictor(), self._making
            try:
                return await predict(predictor)
            except KeyError:
                if self._making is made:
                    raise

    async def _arguments(self, predictor: "Predictor", name: str, prompt: str, now: datetime) -> ArgumentPrediction:
        return await asyncio.to_thread(self._fill, predictor, name, prompt, now)

    # Both run in a thread, and both give back the memory they freed.

    def _rank(
        self,
        predictor: "Predictor",
        prompt: str,
        among: Collection[str] | None,
        connected: Collection[str],
        now: datetime,
    ) -> FunctionRanking:
        try:
            return predictor.rank_functions(prompt, among=among, connected=connected, now=now)
        finally:
            self._freed.give_back()

    def _fill(self, predictor: "Predictor", name: str, prompt: str, now: datetime) -> ArgumentPrediction:
        try:
            return predictor.predict_arguments(name, prompt, now=now)
        finally:
            self._freed.give_back()

    def _make(self) -> "Predictor":
        if not self._looked_for_model:
            self._looked_for_model = True
            self._model = _model_in(self._model_directory)
        return predictor_of(self._catalog, self._model, self._cache_directory)


def _first(chosen: Collection[Alternative], ranked: Collection[Alternative]) -> FunctionPrediction:
    best = next(iter(chosen))
    others = tuple(each for each in ranked if each.name != best.name)
    return FunctionPrediction(name=best.name, confidence=best.confidence, alternatives=others)


def _model_in(directory: Path | None) -> "Model | None":
    from service_server.predict.model import ModelUnusable, installed_model

    if directory is None:
        return None
    try:
        return installed_model(directory)
    except ModelUnusable as unusable:
        _LOG.warning("prediction.without_model", reason=str(unusable))
        return None


def predictor_of(catalog: Catalog, model: "Model | None" = None, cache_directory: Path | None = None) -> "Predictor":
    """Return a predictor over everything in a catalogue; new vectors are saved in the cache directory."""

    from service_server.predict.known_answers import shipped_answers
    from service_server.predict.known_requests import shipped_requests
    from service_server.predict.predictor import Predictor
    from service_server.prediction.vector_cache import load_vectors, save_vectors

    def function(name: str) -> Function:
        found = _public(catalog, name)
        if found is None:
            raise KeyError(name)
        return found

    if model is None:
        return Predictor(candidates(catalog), function)
    vectors = load_vectors(cache_directory, model.id)
    predictor = Predictor(
        candidates(catalog),
        function,
        reader=model.reader,
        vectors=vectors,
        requests=shipped_requests(),
        answers=shipped_answers(),
    )
    save_vectors(vectors, cache_directory, model.id)
    return predictor


def _public(catalog: Catalog, name: str) -> Function | None:
    definition = catalog.function(name)
    return None if definition is None else definition.public("", "", include_meta=True)


def candidates(catalog: Catalog) -> Iterator[Candidate]:
    """Yield every function of the catalogue as prediction sees it: by its texts, without compiling any of them."""
    for declared, functions in catalog.files():
        app_name, title, called = declared.name, declared.title, declared.also_called
        app = FunctionApp(name=app_name, title=title, icon_url="")
        passthrough = passthrough_function(declared)
        yield Candidate(
            function=passthrough.public("", title, include_meta=True),
            title=passthrough.title,
            app_name=app_name,
            app_title=title,
            app_also_called=called,
        )
        for stem, value in functions:
            parameters = Parameters(
                properties=value["parameters"].get("properties", {}),
                required=tuple(value["parameters"].get("required", ())),
            )
            meta = FunctionMeta(
                app=app, title=value["title"], type=value["type"], destructive=value.get("destructive", False)
            )
            function = Function(
                name=f"{app_name}-{stem}",
                description=value["description"],
                parameters=parameters,
                type=value["type"],
                meta=meta,
            )
            examples = tuple((each["prompt"], each["arguments"]) for each in value.get("examples", ()))
            yield Candidate(
                function=function,
                title=value["title"],
                app_name=app_name,
                app_title=title,
                app_also_called=called,
                examples=examples,
            )
