"""Predict at the command line: one prompt for people, or cases as JSON lines for whoever evaluates it."""

import json
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from service_server.catalog.load import SHIPPED, load_catalog
from service_server.cli.options import connector_directories, kept_connectors, model_directory
from service_server.predict.candidate import Candidate
from service_server.predict.catalogue_file import candidates_in
from service_server.predict.model import Model, ModelUnusable, installed_model
from service_server.predict.predictor import Predictor
from service_server.predict.values import ArgumentPrediction, FunctionRanking
from service_server.prediction.prediction import predictor_of


@click.command("predict")
@click.argument("prompt", required=False)
@connector_directories
@click.option(
    "--catalogue",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Functions as JSON lines, instead of those of the connectors.",
)
@click.option("--arguments", is_flag=True, help="Fill in the arguments of cases too.")
@model_directory
@click.option("--without-model", is_flag=True, help="Find functions by words alone, without arguments.")
def predict_cli(
    prompt: str | None,
    connectors: tuple[Path, ...],
    catalogue: Path | None,
    arguments: bool,
    model_dir: Path,
    without_model: bool,
) -> None:
    """
    Show which function and arguments a prompt asks for.

    Without a PROMPT, standard input holds cases as JSON lines (`{"id", "prompt", "candidates": [names] | null, "now":
    ISO date | null}`), each of which is answered by a line on standard output; one with `"function": name` by the
    arguments of that function.
    """
    model = None if without_model else model_or_words(model_dir)
    if catalogue is not None:
        predictor = Predictor(read_catalogue(catalogue), reader=model.reader if model is not None else None)
    else:
        cache = kept_connectors()
        predictor = predictor_of(load_catalog([SHIPPED, *connectors], cache), model, cache)
    if prompt is None:
        answer_cases(predictor, sys.stdin, with_arguments=arguments)
    else:
        show_prediction(predictor, prompt, datetime.now().astimezone())


class UnreadableLine(Exception):
    """A line of a catalogue or of cases that cannot be read; says which and why."""


def model_or_words(directory: Path) -> Model | None:
    """Return the installed model; None, and a line that says so on standard error, where there is none to use."""
    try:
        return installed_model(directory)
    except ModelUnusable as unusable:
        Console(stderr=True, soft_wrap=True).print(f"[yellow]Predicting by words alone:[/] {escape(str(unusable))}")
        return None


def read_catalogue(file: Path) -> list[Candidate]:
    """Read functions from JSON lines: `{"name", "description", "parameters"}` each; see `catalogue_file`."""
    lines = enumerate(file.read_text("utf-8").splitlines(), 1)
    entries = {number: _object(line, f"{file}:{number}") for number, line in lines if line.strip()}
    for number, entry in entries.items():
        try:
            candidates_in([entry])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise UnreadableLine(f"{file}:{number}: no function: {type(error).__name__} {error}") from None
    return candidates_in(list(entries.values()))


def answer_cases(predictor: Predictor, lines: Iterable[str], *, with_arguments: bool) -> None:
    """
    Answer cases, one JSON line each, on standard output.

    A case has `id`, `prompt`, and perhaps `candidates` (names to choose from; null = all) and `now` (an ISO date). One
    with `function`, a name, is answered by the arguments of this function, whatever else the prompt may ask for.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        case = _object(line, f"line {number}")
        if not isinstance(case.get("prompt"), str):
            raise UnreadableLine(f"line {number}: a case needs a prompt.")
        began = time.perf_counter()
        if case.get("function") is None:
            answer = _answer(predictor, case, with_arguments=with_arguments)
        else:
            answer = _arguments_of(predictor, case, f"line {number}")
        answer["ms"] = round((time.perf_counter() - began) * 1000, 3)
        sys.stdout.write(json.dumps({"id": case.get("id"), **answer}) + "\n")
        sys.stdout.flush()


def _answer(predictor: Predictor, case: Mapping[str, Any], *, with_arguments: bool) -> dict[str, Any]:
    candidates = case.get("candidates")
    now = _now(case)
    ranking = predictor.rank_functions(
        case["prompt"], among=None if candidates is None else frozenset(map(str, candidates)), now=now
    )
    if not ranking.functions:
        return {"functions": []}
    best, *others = ranking.functions
    near = others if ranking.fits else ranking.functions  # if nothing fits, all of them are alternatives
    prediction = {
        "confidence": best.confidence,
        "alternatives": [{"name": each.name, "confidence": each.confidence} for each in near],
    }
    if not ranking.fits:
        return {"functions": [], "prediction": prediction}
    function: dict[str, Any] = {"name": best.name, "arguments": {}, "prediction": prediction}
    if with_arguments:
        found = predictor.predict_arguments(best.name, case["prompt"], now=now)
        function["arguments"] = found.arguments
        prediction |= {"missing": list(found.missing), "evidence": dict(found.evidence)}
    return {"functions": [function]}


def _arguments_of(predictor: Predictor, case: Mapping[str, Any], place: str) -> dict[str, Any]:
    try:
        found = predictor.predict_arguments(str(case["function"]), case["prompt"], now=_now(case))
    except KeyError:
        raise UnreadableLine(f"{place}: there is no function {case['function']!r}.") from None
    prediction = {"missing": list(found.missing), "evidence": dict(found.evidence)}
    return {"functions": [{"name": case["function"], "arguments": found.arguments, "prediction": prediction}]}


def _now(case: Mapping[str, Any]) -> datetime | None:
    return _moment(case["now"]) if case.get("now") else None


def show_prediction(predictor: Predictor, prompt: str, now: datetime) -> None:
    """Show people which functions come near a prompt and, if one fits, what it would be called with."""
    console = Console(soft_wrap=True)
    ranking = predictor.rank_functions(prompt, now=now)
    if not ranking.functions or not ranking.fits:
        near = " This came near:" if ranking.functions else ""
        console.print(f"[yellow]Nothing fits; try other words.[/]{near}")
    if ranking.functions:
        console.print(_ranking_table(ranking))
    if not ranking.fits:
        return
    found = predictor.predict_arguments(ranking.functions[0].name, prompt, now=now)
    if found.arguments:
        console.print(_arguments_table(found))
    unsaid = [name for name in found.missing if name not in found.named]
    if unsaid:
        console.print(f"[yellow]The prompt doesn't say:[/] {escape(', '.join(unsaid))}")
    for path, words in found.named.items():
        console.print(f"[dim]Looked up in the user's account: {escape(path)}, by the name “{escape(words)}”[/]")


def _ranking_table(ranking: FunctionRanking) -> Table:
    table = Table("Function", "Confidence", box=None, pad_edge=False)
    for at, function in enumerate(ranking.functions):
        style = "bold green" if at == 0 and ranking.fits else ""
        table.add_row(Text(function.name, style), f"{function.confidence:.2f}")
    return table


def _arguments_table(found: ArgumentPrediction) -> Table:
    table = Table("Argument", "Value", "Read from", box=None, pad_edge=False)
    for name, value in found.arguments.items():
        words = [words for path, words in found.evidence.items() if path.split(".")[0] == name]
        table.add_row(Text(name), Text(json.dumps(value, ensure_ascii=False), "cyan"), Text(" … ".join(words), "dim"))
    return table


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise UnreadableLine(f"{text!r} is no ISO date.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UnreadableLine(f"{place}: no JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableLine(f"{place}: no JSON object.")
    return value
