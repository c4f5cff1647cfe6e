"""What the service makes of a prompt: the ranking, how sure it is, and the arguments with their evidence."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get

from service_server.administration.permissions import Permission
from service_server.catalog.values import FunctionDefinition
from service_server.console.failures import not_found
from service_server.console.guard import needs
from service_server.console.visit import Visit, visit
from service_server.predict.values import ArgumentPrediction, FunctionRanking
from service_server.prediction.prediction import LONGEST_PROMPT

SIGNALS = {
    "fit": "The model has read both and finds that they fit",
    "meaning": "Prompt and description mean the same",
    "said": "Known requests like this one ask for it",
    "nothing": "Known requests like this one ask for nothing there is",
    "words": "They share words",
    "verb": "It does what the verb asks for",
    "objects": "The prompt names what it acts on",
    "prompt": "It explains the words of the prompt",
    "app": "The prompt names its app",
    "absent": "The prompt names an app that there isn’t",
    "form": "It takes a value of the form that the prompt has",
    "plainly": "The prompt names its very verb and object",
    "missed": "The verb is about something else",
}
"""What each signal of an explanation says."""


@frozen
class AskedPrediction:
    """What the page was asked, so that its form can show it again; an empty `function` is the first of the ranking."""

    prompt: str
    app: str
    function: str

    def with_function(self, name: str) -> str:
        """The query that shows the arguments of another function."""
        return urlencode({"prompt": self.prompt, "app": self.app, "function": name})


@frozen
class Ranked:
    """A function of the ranking; `confidence` is 0 to 1."""

    function: FunctionDefinition
    app_title: str
    confidence: float


@frozen
class ArgumentRow:
    """A parameter and the value read for it; `path` leads into objects, where only a part may have evidence."""

    path: str
    value: Any
    has_value: bool
    evidence: str


@get("/console/prediction", include_in_schema=False, **needs(Permission.SEE))
async def show_prediction(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A box for a prompt, and below it what is predicted from it."""
    current = await visit(request)
    asked = _asked(current.query)
    apps = sorted(_apps(current), key=lambda pair: (pair[1].casefold(), pair[0]))
    if "prompt" not in current.query:
        return current.page("prediction.html", asked=asked, apps=apps, problem="", answered=False)
    problem = _problem(asked, dict(apps))
    if problem:
        return current.page("prediction.html", status=422, asked=asked, apps=apps, problem=problem, answered=False)
    found_functions = await current.service.prediction.ranking(asked.prompt, among=_among(current, asked))
    ranking = _ranking(current, found_functions)
    chosen = _chosen(current, asked, ranking if found_functions.fits else [])
    found = None if chosen is None else await _arguments(current, chosen.name, asked.prompt)
    return current.page(
        "prediction.html",
        asked=asked,
        apps=apps,
        problem="",
        answered=True,
        ranking=ranking,
        fits=found_functions.fits,
        chosen=chosen,
        rows=() if found is None else _rows(found),
        missing=() if found is None else found.missing,
        why=await current.service.prediction.explanation(asked.prompt, among=_among(current, asked)),
        signals=SIGNALS,
    )


PREDICTION_ROUTES = [show_prediction]


def _asked(query: Mapping[str, str]) -> AskedPrediction:
    return AskedPrediction(query.get("prompt", ""), query.get("app", ""), query.get("function", ""))


def _apps(current: Visit) -> list[tuple[str, str]]:
    """The apps' names and titles; listing them compiles no app."""
    return [(declared.name, declared.title) for declared, _ in current.service.catalog.files()]


def _problem(asked: AskedPrediction, apps: Mapping[str, str]) -> str:
    if not asked.prompt.strip():
        return "Say in the prompt what should be done"
    if len(asked.prompt) > LONGEST_PROMPT:
        return f"The prompt is longer than {LONGEST_PROMPT} characters"
    if asked.app and asked.app not in apps:
        return "The app that was chosen isn’t in the catalogue any more"
    return ""


def _among(current: Visit, asked: AskedPrediction) -> frozenset[str] | None:
    return frozenset(current.service.catalog.names(apps={asked.app})) if asked.app else None


def _ranking(current: Visit, found: FunctionRanking) -> list[Ranked]:
    """The functions that come near the prompt, likeliest first."""
    catalog = current.service.catalog
    ranking = []
    for each in found.functions:
        function = catalog.function(each.name)
        if function is not None:  # it may have been removed since the index was made
            ranking.append(Ranked(function, catalog.connectors[function.app_name].title, each.confidence))
    return ranking


def _chosen(current: Visit, asked: AskedPrediction, ranking: list[Ranked]) -> FunctionDefinition | None:
    """The function whose arguments are shown."""
    if not asked.function:
        return ranking[0].function if ranking else None
    function = current.service.catalog.function(asked.function)
    if function is None:
        raise not_found("function")
    return function


async def _arguments(current: Visit, name: str, prompt: str) -> ArgumentPrediction:
    try:
        return await current.service.prediction.arguments(name, prompt)
    except KeyError as error:  # the catalogue has changed since
        raise not_found("function") from error


def _rows(found: ArgumentPrediction) -> list[ArgumentRow]:
    rows = [ArgumentRow(name, value, True, found.evidence.get(name, "")) for name, value in found.arguments.items()]
    parts = [path for path in found.evidence if path not in found.arguments]
    return rows + [ArgumentRow(path, None, False, found.evidence[path]) for path in parts]
