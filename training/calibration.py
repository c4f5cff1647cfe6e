"""How what is known of a function becomes one confidence, and what thresholds do on prompts the reader never saw."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import fields, frozen

from service_client.models import Function, Parameters
from service_server.predict.app_names import known_app
from service_server.predict.candidate import Candidate
from service_server.predict.confidence import Features
from service_server.predict.ranking import Ranking
from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read
from service_server.predict.selection import Selection, text_of
from service_server.predict.vectors import Vectors
from training.calls import Call, for_calibration

FEATURES = tuple(field.name for field in fields(Features))
# Chosen on the development suites, of which they are few enough to learn nothing by heart. A logistic model fitted on
# the prompts that the corpus keeps apart was less good (AUC 0.955 against 0.969 on the SaaS suite): the corpus has few
# apps that are known by name, so that it says little about those that are named and absent.
WEIGHTS = {
    "bias": -3.2,
    "fit": 0.3,
    "meaning": 4.0,
    "words": 1.0,
    "verb": 0.0,
    "objects": 0.0,
    "prompt": 0.5,
    "app": 0.0,
    "absent": -3.0,
}
THRESHOLD, DESTRUCTIVE_THRESHOLD = 0.3, 0.5
UNSAID = -1.0


@frozen
class Row:
    """The features of one function for one prompt, whether it is the one that is asked for, and which prompt it was."""

    features: tuple[float, ...]
    right: bool
    prompt: int


def calibrated(calls: Sequence[Call], reader: Reader) -> dict[str, Any]:
    """Return what `Confidence` needs, and print what thresholds would do on the calls that were kept for it."""
    kept = [call for call in calls if for_calibration(call)]
    rows = rows_of(kept, reader, everywhere=True)
    for at, right, answered, rejected in kept_and_rejected(rows, kept, WEIGHTS):
        print(f"threshold {at:.2f}: right {right:.3f}, answered {answered:.3f}, rejected {rejected:.3f}")
    return {
        "weights": WEIGHTS,
        "threshold": THRESHOLD,
        "destructive_threshold": DESTRUCTIVE_THRESHOLD,
        "unsaid": UNSAID,
    }


def candidates_of(calls: Iterable[Call]) -> list[Candidate]:
    """Return every function that some calls name, once."""
    found: dict[str, Candidate] = {}
    for call in calls:
        for function in (call.function, *call.others):
            if function is None or function["name"] in found:
                continue
            parameters = function["parameters"]
            app = known_app(function["name"])
            found[function["name"]] = Candidate(
                function=Function(
                    name=function["name"],
                    description=function["description"],
                    parameters=Parameters(
                        properties=parameters["properties"], required=tuple(parameters.get("required", ()))
                    ),
                ),
                title="",
                app_name=app,
                app_title=app.replace("-", " ").title(),
            )
    return list(found.values())


def rows_of(calls: Sequence[Call], reader: Reader, *, everywhere: bool) -> list[Row]:
    """Return the rows of some calls; `everywhere` lets each choose among all their functions, not only its own few."""
    candidates = candidates_of(calls)
    functions = {candidate.function.name: candidate.function for candidate in candidates}
    headings = [heading_of(name, function.description) for name, function in functions.items()]
    ranking = Ranking(candidates)
    text = lru_cache(4096)(lambda name: text_of(functions[name]))
    selection = Selection(ranking, text, Vectors().of(headings, reader), reader)
    rows = []
    for number, call in enumerate(calls):
        reading = read(call.prompt[:4000], call.now or datetime(2025, 1, 1, tzinfo=UTC))
        own = {function["name"] for function in (call.function, *call.others) if function}
        named = ranking.named_apps(reading)
        found = selection.read(reading, named, None if everywhere else frozenset(own))
        for match, features in found:
            right = call.function is not None and match.name == call.function["name"]
            rows.append(Row(tuple(features.as_row().values()), right, number))
    return rows


def kept_and_rejected(
    rows: Sequence[Row], calls: Sequence[Call], weights: dict[str, float]
) -> list[tuple[float, float, float, float]]:
    """Return (threshold, rightly chosen, answered, rejected): shares of the answerable prompts, and of the others."""
    best: dict[int, tuple[float, bool]] = {}
    for row in rows:
        total = weights["bias"] + sum(weights[n] * v for n, v in zip(FEATURES, row.features, strict=True))
        chance = 1 / (1 + np.exp(-total))
        if chance > best.get(row.prompt, (-1.0, False))[0]:
            best[row.prompt] = (chance, row.right)
    found = []
    for threshold in np.arange(0.1, 0.95, 0.1):
        answered = [number for number, call in enumerate(calls) if call.function is not None]
        others = [number for number, call in enumerate(calls) if call.function is None]
        kept = [number for number in answered if best.get(number, (0.0, False))[0] >= threshold]
        right = sum(best[number][1] for number in kept if number in best)
        rejected = sum(best.get(number, (0.0, False))[0] < threshold for number in others)
        found.append(
            (
                round(float(threshold), 3),
                right / max(1, len(answered)),
                len(kept) / max(1, len(answered)),
                rejected / max(1, len(others)),
            )
        )
    return found
