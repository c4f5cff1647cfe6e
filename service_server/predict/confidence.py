"""How likely a function is the one that a prompt asks for, from all that is known of it."""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from operator import attrgetter, mul

from attrs import field, fields, frozen


@frozen(kw_only=True)
class Features:
    """
    What is known about one function and one prompt.

    `fit` is the reader's own opinion (log-odds), `meaning` the cosine of their vectors, `words` the words they share,
    relative to the best function's. The others are 0 to 1: how much of what is known to be said like the prompt asks
    for the function (`said` is the root of it), how much of it no function does (`nothing`), how well the function's
    verb serves the one asked for, how much of what it acts on the prompt names, how much of the prompt it explains,
    whether its app is named, and whether the prompt names an app that is absent.
    """

    fit: float
    meaning: float
    said: float
    nothing: float
    words: float
    verb: float
    objects: float
    prompt: float
    app: float
    absent: float


_NAMES = tuple(each.name for each in fields(Features))
_values_of = attrgetter(*_NAMES)


@frozen(kw_only=True)
class Confidence:
    """A logistic model over the features, and its thresholds: it must be surer about what can't be undone."""

    weights: Mapping[str, float]
    threshold: float
    destructive_threshold: float
    _in_order: tuple[float, ...] = field(init=False)

    @_in_order.default
    def _weights_in_order(self) -> tuple[float, ...]:
        return tuple(self.weights[name] for name in _NAMES)

    def log_odds(self, features: Features, more: float = 0.0) -> float:
        """Return how likely the function is the one that is asked for; `more` is added to what speaks for it."""
        spoken_for: float = sum(map(mul, self._in_order, _values_of(features)))
        return more + self.weights["bias"] + spoken_for

    def of(self, features: Features, more: float = 0.0) -> float:
        """Return the same as a chance, 0 to 1."""
        return chance_of(self.log_odds(features, more))


def log_odds(chance: float) -> float:
    """Return a chance, 0 to 1, as log-odds."""
    return math.log(max(chance, 1e-6) / max(1 - chance, 1e-6))


def chance_of(log_odds: float) -> float:
    """Return log-odds as a chance, 0 to 1."""
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))), 3)


@cache
def shipped_confidence() -> Confidence:
    """Return the weights and thresholds that go with the shipped reader."""
    text = files("service_server.predict").joinpath("weights", "confidence.json").read_text("utf-8")
    return Confidence(**json.loads(text))
