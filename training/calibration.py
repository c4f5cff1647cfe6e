"""How what is known about a function becomes one confidence, fitted on prompts that were kept out of training."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from attrs import astuple, fields, frozen
from torch.nn import functional

from service_client.models import Function, Parameters
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.predict.app_names import known_app
from service_server.predict.candidate import Candidate
from service_server.predict.confidence import Features
from service_server.predict.known_requests import KnownRequests, Requests
from service_server.predict.ranking import Ranking
from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read
from service_server.predict.selection import Selection, text_of
from service_server.predict.vectors import Vectors
from service_server.prediction.prediction import candidates
from training.asking import askings_of, told_apart
from training.calls import Call, for_calibration, for_training
from training.requests import known_requests
from training.rivals import SERVES_AS_WELL

FEATURES = tuple(field.name for field in fields(Features))
# The fit is held to these, unless the few prompts that are kept apart say otherwise: the corpus has few apps that are
# known by name, so it says little about apps that are named and absent.
EXPECTED = {
    "bias": -3.2,
    "fit": 0.3,
    "meaning": 4.0,
    "said": 1.0,
    "nothing": -1.0,
    "words": 1.0,
    "verb": 0.0,
    "objects": 0.0,
    "prompt": 0.5,
    "app": 0.0,
    "absent": -3.0,
}
_HELD = 0.003
THRESHOLD, DESTRUCTIVE_THRESHOLD = 0.26, 0.36
_FOLDS, _BINS = 5, 10
_CORPUS_STEP = 3  # one prompt in this many, so that the corpus counts no more than those for shipped functions


@frozen
class Asked:
    """
    One prompt: the features of the functions that were read for it, [functions, features], and which one is right.

    `right` is None where none of them is; `answerable` says whether any function of the catalogue is.
    """

    features: np.ndarray
    right: int | None
    answerable: bool


def calibrated(calls: Sequence[Call], reader: Reader) -> dict[str, Any]:
    """Return what `Confidence` needs, and print how right it was on the folds that were left out of its fit."""
    asked = [each for each in kept(calls, reader) if len(each.features)]
    weights = fitted(asked)
    print(", ".join(f"{name} {value:.2f}" for name, value in weights.items()))
    chances = _unseen_chances(asked)
    print(f"expected calibration error {expected_error(chances):.3f} over {len(chances)} prompts")
    for at in np.arange(0.1, 0.95, 0.1):
        print(
            f"threshold {at:.1f}: right {{:.3f}}, answered {{:.3f}}, rejected {{:.3f}}".format(
                *_shares(asked, chances, at)
            )
        )
    return {
        "weights": {name: round(value, 4) for name, value in weights.items()},
        "threshold": THRESHOLD,
        "destructive_threshold": DESTRUCTIVE_THRESHOLD,
    }


def kept(calls: Sequence[Call], reader: Reader) -> Iterator[Asked]:
    """Yield what the service knows about the prompts kept apart; those for shipped functions choose among all these."""
    of_corpus = [call for call in calls if for_calibration(call) and call.source == "corpus"][::_CORPUS_STEP]
    everyday = [call for call in calls if for_calibration(call) and call.source == "everyday"]
    yield from asked_of(of_corpus, candidates_of(of_corpus), None, reader)
    known = known_requests([call for call in calls if for_training(call)], reader)
    if known.asking is not None:
        print("\n".join(told_apart(askings_of(everyday), reader, known.asking)))
    yield from asked_of(everyday, list(candidates(load_catalog([SHIPPED]))), known, reader)


def fitted(asked: Sequence[Asked]) -> dict[str, float]:
    """
    Return the weights that best choose a function or nothing, then scale them to how often the choice is right.

    In two steps, because functions compete for a prompt, while a confidence speaks only of the best one.
    """
    start = torch.tensor([EXPECTED[name] for name in (*FEATURES, "bias")])
    rows = [torch.tensor(np.c_[each.features, np.ones(len(each.features))], dtype=torch.float32) for each in asked]
    lengths = [len(own) for own in rows]
    together = torch.cat(rows)
    wanted = torch.tensor(
        [length if each.right is None else each.right for each, length in zip(asked, lengths, strict=True)]
    )
    usable = torch.tensor([each.right is not None or not each.answerable for each in asked])
    places = torch.full((len(rows), max(lengths) + 1), -1)
    at = 0
    for row, length in enumerate(lengths):
        places[row, :length] = torch.arange(at, at + length)
        places[row, length] = len(together)
        at += length

    def loss(weights: torch.Tensor) -> torch.Tensor:
        totals = torch.cat([together @ weights, torch.zeros(1), torch.full((1,), -1e4)])
        scores = totals[places]
        own = functional.cross_entropy(scores[usable], wanted[usable])
        return own + _HELD * ((weights - start) ** 2).sum()

    weights = _least(loss, start)
    tops, right = _tops(asked, weights)

    def scaled_loss(scale: torch.Tensor) -> torch.Tensor:
        return functional.binary_cross_entropy_with_logits(tops * scale[0] + scale[1], right)

    scale = _least(scaled_loss, torch.tensor([1.0, 0.0]))
    weights = weights * scale[0]
    weights[-1] += scale[1]
    return dict(zip((*FEATURES, "bias"), weights.tolist(), strict=True))


def _least(loss: Any, start: torch.Tensor) -> torch.Tensor:
    """Return where a loss is smallest, searching from a start."""
    found = start.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([found], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        value = loss(found)
        value.backward()
        return value

    optimizer.step(closure)
    return found.detach()


def _tops(asked: Sequence[Asked], weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the total of the best function for each prompt, and whether it is right."""
    tops, right = [], []
    for each in asked:
        totals = each.features @ weights[:-1].numpy() + float(weights[-1])
        tops.append(float(totals.max()))
        right.append(float(each.right == int(totals.argmax())))
    return torch.tensor(tops), torch.tensor(right)


def _unseen_chances(asked: Sequence[Asked]) -> list[tuple[float, bool]]:
    """Return, for each prompt, the confidence in the best function, fitted on other folds, and whether it is right."""
    found: list[tuple[float, bool]] = [(0.0, False)] * len(asked)
    for fold in range(_FOLDS):
        weights = fitted([each for at, each in enumerate(asked) if at % _FOLDS != fold])
        vector = torch.tensor([weights[name] for name in (*FEATURES, "bias")])
        own = list(range(fold, len(asked), _FOLDS))
        tops, right = _tops([asked[at] for at in own], vector)
        for at, top, is_right in zip(own, torch.sigmoid(tops).tolist(), right.tolist(), strict=True):
            found[at] = (top, bool(is_right))
    return found


def expected_error(chances: Sequence[tuple[float, bool]]) -> float:
    """Return how far confidences are from how often they are right, over ten bins (ECE), 0 to 1."""
    total = 0.0
    for low in range(_BINS):
        own = [each for each in chances if low <= min(each[0] * _BINS, _BINS - 1e-9) < low + 1]
        if own:
            mean_chance = sum(chance for chance, _ in own) / len(own)
            mean_right = sum(right for _, right in own) / len(own)
            total += abs(mean_chance - mean_right) * len(own) / len(chances)
    return total


def _shares(
    asked: Sequence[Asked], chances: Sequence[tuple[float, bool]], threshold: float
) -> tuple[float, float, float]:
    """Return the shares of answerable prompts with the right answer, with any answer, and of other prompts refused."""
    answerable = [own for each, own in zip(asked, chances, strict=True) if each.answerable]
    others = [own for each, own in zip(asked, chances, strict=True) if not each.answerable]
    right = sum(is_right and chance >= threshold for chance, is_right in answerable)
    answered = sum(chance >= threshold for chance, _ in answerable)
    refused = sum(chance < threshold for chance, _ in others)
    return right / max(1, len(answerable)), answered / max(1, len(answerable)), refused / max(1, len(others))


def candidates_of(calls: Iterable[Call]) -> list[Candidate]:
    """Return every function that the calls name, once each."""
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


def asked_of(
    calls: Sequence[Call], among: Sequence[Candidate], known: Requests | None, reader: Reader
) -> Iterator[Asked]:
    """Yield what the service knows about each call's prompt, choosing among all; some have `known` requests."""
    functions = {candidate.function.name: candidate.function for candidate in among}
    apps = {candidate.function.name: candidate.app_name for candidate in among}
    headings = [heading_of(name, function.description) for name, function in functions.items()]
    ranking = Ranking(among)
    text = lru_cache(4096)(lambda name: text_of(functions[name]))
    vectors = Vectors().of(headings, reader)
    of = dict(zip(functions, vectors, strict=True))
    places = {name: at for at, name in enumerate(functions)}
    requests = KnownRequests(places, *([known] if known is not None else []))
    selection = Selection(ranking, text, vectors, requests, reader)
    for call in calls:
        reading = read(call.prompt[:4000], call.now or datetime(2025, 1, 1, tzinfo=UTC))
        named = ranking.apps.named_in(reading)
        found = selection.read(reading, named, None)
        if call.function is not None and not named.apps:  # another app's function may serve just as well
            asked = call.asked["name"]
            found = [
                (match, features)
                for match, features in found
                if apps[match.name] == apps[asked] or of[match.name].astype(np.float32) @ of[asked] < SERVES_AS_WELL
            ]
        names = [match.name for match, _ in found]
        right = names.index(call.asked["name"]) if call.function and call.asked["name"] in names else None
        rows = [astuple(features) for _, features in found]
        yield Asked(np.array(rows, np.float32).reshape(len(rows), len(FEATURES)), right, call.function is not None)
