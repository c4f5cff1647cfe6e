"""
What each stage of the prediction adds: to choosing among all functions of a suite, and to filling one's arguments.

`./dev bench predict_stages --data DIR [--suites saas …]`, over the cases that training never saw. Shares of the right
function first, and among the first five: by shared words (BM25), by the trained vectors, by both, and after the nearest
few were read. Shares of whole calls, the function given, are `predeval.py`'s: by the model's answers alone, and with
what the prompt's own words say against them.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.predict import copy_unseen, predeval, trained_on
from service_server.cli.prediction import read_catalogue
from service_server.predict.model import installed_model
from service_server.predict.predictor import Predictor
from service_server.predict.ranking import Ranking
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.filling import filled, validators_of
from service_server.predict.reader.questions import heading_of, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read
from service_server.predict.selection import LEXICAL, LONGEST_PROMPT
from service_server.predict.values import put_at
from service_server.predict.vectors import Vectors
from service_server.settings import default_model_directory

SUITES = ("saas", "bfcl", "seal", "toolalpaca")
NOW = datetime(2025, 1, 1, tzinfo=UTC)


def main(options: argparse.Namespace) -> None:
    """Print both tables."""
    seen = trained_on(options.data)
    reader = installed_model(default_model_directory()).reader
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for suite in options.suites:
            unseen = Path(folder) / suite
            unseen.mkdir()
            copy_unseen(options.data / "dev" / suite, unseen, seen)
            figures[suite] = {"selection": selection(unseen, reader)}
            print(f"{suite}, right function first / among five: {figures[suite]['selection']}", flush=True)
            if suite != "saas":
                figures[suite]["arguments"] = arguments(options, unseen, reader)
                print(f"{suite}, whole calls given the function: {figures[suite]['arguments']}", flush=True)
    # It compares the stages with each other; none has a goal of its own.
    print(json.dumps({"name": "predict_stages", "figures": figures, "goals": {}, "met": True}))


def selection(suite: Path, reader: Reader) -> dict[str, tuple[float, float]]:
    """Return the shares of answerable prompts with the right function first, and among the first five."""
    candidates = read_catalogue(suite / "catalogue.jsonl")
    names = np.array([candidate.function.name for candidate in candidates])
    ranking = Ranking(candidates)
    headings = [heading_of(each.function.name, each.function.description) for each in candidates]
    vectors = Vectors().of(headings, reader)
    everything = Predictor(candidates, reader=reader)
    found: dict[str, list[tuple[bool, bool]]] = {name: [] for name in ("words", "meaning", "both", "read")}
    for case, gold in cases_of(suite):
        wanted = set(gold["functions"])
        if not wanted:
            continue
        among = case.get("candidates")
        offered = np.isin(names, among) if among is not None else np.ones(len(names), np.bool_)
        words = ranking.lexical(read(case["prompt"], NOW)).astype(np.float32)
        words /= max(float(words[offered].max(initial=0.0)), 1e-6)
        meaning = vectors @ reader.vectors([case["prompt"][:LONGEST_PROMPT]])[0]
        for name, score in (("words", words), ("meaning", meaning), ("both", meaning + LEXICAL * words)):
            order = names[np.argsort(-np.where(offered, score, -9), kind="stable")[:5]]
            found[name].append((order[0] in wanted, bool(wanted & set(order))))
        last = everything.rank_functions(case["prompt"], among=None if among is None else frozenset(among), now=NOW)
        order = np.array([each.name for each in last.functions] or [""])
        found["read"].append((order[0] in wanted, bool(wanted & set(order))))
    return {name: (share(row[0] for row in rows), share(row[1] for row in rows)) for name, rows in found.items()}


def arguments(options: argparse.Namespace, suite: Path, reader: Reader) -> dict[str, dict[str, float]]:
    """Return the shares of whole calls of each part of a suite by two ways of filling."""
    functions = {each.function.name: each.function for each in read_catalogue(suite / "catalogue.jsonl")}

    def by_answers(name: str, prompt: str, now: datetime | None) -> dict[str, Any]:
        function = functions[name]
        parameters = function.parameters
        questions = questions_of({"properties": parameters.properties, "required": list(parameters.required)})
        replies = reader.replies(prompt, heading_of(name, function.description), questions)
        values: dict[str, Any] = {}
        for value in filled(replies, prompt, now, validators_of(questions)):
            put_at(values, value.question.path, value.value)
        return values

    def checked(name: str, prompt: str, now: datetime | None) -> dict[str, Any]:
        return dict(ReaderFiller(functions[name], reader).fill(read(prompt, now or NOW), now).arguments)

    ways: dict[str, Callable[[str, str, datetime | None], dict[str, Any]]] = {
        "answers": by_answers,
        "checked": checked,
    }
    return {name: whole_calls(options, suite, fill) for name, fill in ways.items()}


def whole_calls(
    options: argparse.Namespace, suite: Path, fill: Callable[[str, str, datetime | None], dict[str, Any]]
) -> dict[str, float]:
    """Return what `predeval.py` says of the calls that a way of filling makes of the right function."""
    out = suite / "given.jsonl"
    with out.open("w") as stream:
        for case, gold in cases_of(suite):
            now = datetime.fromisoformat(case["now"]).replace(tzinfo=UTC) if case.get("now") else None
            calls = [{"name": name, "arguments": fill(name, case["prompt"], now)} for name in gold["functions"][:1]]
            stream.write(json.dumps({"id": case["id"], "functions": calls}) + "\n")
    command = [*predeval(options), "score", "--gold", str(suite / "gold.jsonl"), "--out", str(out)]
    command += ["--cases", str(suite / "cases.jsonl")]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    parts = [json.loads(line) for line in lines]
    return {
        part["suite"]: round(part["whole_call"], 1)
        for part in parts
        if part.get("whole_call") is not None and not part["suite"].startswith("+")
    }


def cases_of(suite: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the cases of a suite with what is right."""
    gold = {line["id"]: line for line in map(json.loads, (suite / "gold.jsonl").read_text("utf-8").splitlines())}
    cases = map(json.loads, (suite / "cases.jsonl").read_text("utf-8").splitlines())
    return [(case, gold[case["id"]]) for case in cases]


def share(rows: Any) -> float:
    """Return the percentage of rows that are true."""
    found: Sequence[bool] = list(rows)
    return round(100 * sum(found) / max(1, len(found)), 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with predeval.py, dev/ and train/")
    parser.add_argument("--suites", nargs="+", default=SUITES, choices=SUITES)
    main(parser.parse_args())
