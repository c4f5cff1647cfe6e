"""Which prompts ask for something to be done, and which only speak of it: they ask how, report, deny or suppose."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from attrs import frozen

from service_server.predict.mood import Mood
from service_server.predict.questions_of_how import asks_for_explanation
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read
from training.calls import Call
from training.examples import SHIPPED_KINDS
from training.shipped import shipped_functions

_NOW = datetime(2025, 1, 1, tzinfo=UTC)
_STEPS = 12  # far more than Newton's method needs here
_HELD = 1e-4  # keeps the weights small, so that they don't learn single prompts by heart
_NO_REQUESTS = (Mood.QUESTION, Mood.STATEMENT, Mood.DENIAL)


@frozen
class Askings:
    """
    Prompts by what they want.

    `plain` ask for a change in the form of a request and `others` in another form ("WEB-4 took me two hours"); `none`
    have such another form and ask for nothing.
    """

    plain: list[str]
    others: list[str]
    none: list[str]


def askings_of(calls: Iterable[Call]) -> Askings:
    """
    Return the prompts for functions that change something, and those in the form of no request that none serves.

    The latter are taken to ask for nothing, though a few may ask for what no function does.
    """
    shipped = shipped_functions()
    found = Askings([], [], [])
    for call in calls:
        if call.source not in SHIPPED_KINDS:
            continue
        reading = read(call.prompt, call.now or _NOW)
        other_form = reading.mood in _NO_REQUESTS or asks_for_explanation(reading.words)
        if call.function is None and other_form:
            found.none.append(call.prompt)
        elif call.function is not None and shipped[call.asked["name"]].changes:
            (found.others if other_form else found.plain).append(call.prompt)
    return found


def asking_weights(askings: Askings, vectors: Mapping[str, np.ndarray]) -> np.ndarray:
    """
    Return weights [385] of a prompt's vector, and a bias last, that tell how likely it asks for something (log-odds).

    The three kinds of prompts count the same, however many there are of each. Those without a vector are left out.
    """
    kinds = [
        [vectors[prompt] for prompt in own if prompt in vectors]
        for own in (askings.plain, askings.others, askings.none)
    ]
    return _fitted(kinds, [1.0, 1.0, 0.0])


def _fitted(kinds: Sequence[Sequence[np.ndarray]], asks: Sequence[float]) -> np.ndarray:
    """Return the weights of a logistic model, by Newton's method."""
    vectors = np.concatenate([np.stack(own) for own in kinds]).astype(np.float64)
    rows = np.c_[vectors, np.ones(len(vectors))]
    wanted = np.concatenate([np.full(len(own), each) for own, each in zip(kinds, asks, strict=True)])
    share = np.concatenate([np.full(len(own), 1 / len(own)) for own in kinds])
    held = np.append(np.full(vectors.shape[1], 2 * _HELD), 0.0)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (share * (chances - wanted)) + held * weights
        curvature = rows.T @ (rows * (share * chances * (1 - chances))[:, None]) + np.diag(held + 1e-9)
        weights = weights - np.linalg.solve(curvature, slope)
    return weights.astype(np.float32)


def told_apart(askings: Askings, reader: Reader, weights: np.ndarray) -> Iterator[str]:
    """Yield what share of each kind of prompt would pass for a request from which log-odds on."""
    scores = {
        name: reader.vectors(prompts) @ weights[:-1] + weights[-1]
        for name, prompts in (("plain", askings.plain), ("other forms", askings.others), ("no request", askings.none))
    }
    for least in range(5):
        shares = ", ".join(f"{name} {(own >= least).mean():.3f} of {len(own)}" for name, own in scores.items())
        yield f"asks from {least} on: {shares}"
