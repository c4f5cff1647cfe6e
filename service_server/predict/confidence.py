"""How likely a function is the one that a prompt asks for, from all that is known of it."""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from attrs import asdict, frozen


@frozen(kw_only=True)
class Features:
    """
    What is known of one function and one prompt.

    `fit` is the reader's own opinion (log-odds), `meaning` the cosine of their vectors, `words` their shared words
    beside the best function's; the others are 0 to 1: how well its verb serves the asked one, how much of what it acts
    on the prompt names, how much of the prompt it explains, whether its app is named, whether an absent app is.
    """

    fit: float
    meaning: float
    words: float
    verb: float
    objects: float
    prompt: float
    app: float
    absent: float

    def as_row(self) -> dict[str, float]:
        """Return the figures by name."""
        return asdict(self)


@frozen(kw_only=True)
class Confidence:
    """A logistic model over the features, and how sure it must be; what can't be undone must be surer."""

    weights: Mapping[str, float]
    threshold: float
    destructive_threshold: float
    unsaid: float

    def of(self, features: Features) -> float:
        """Return how likely the function is the one that is asked for, 0 to 1."""
        total = self.weights["bias"]
        total += sum(self.weights[name] * value for name, value in features.as_row().items())
        return _chance(total)

    def where_unsaid(self, confidence: float, share: float) -> float:
        """Return a confidence after that share of what the function requires was not found in the prompt."""
        return _chance(math.log(max(confidence, 1e-6) / max(1 - confidence, 1e-6)) + self.unsaid * share)


def _chance(log_odds: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))), 3)


@cache
def shipped_confidence() -> Confidence:
    """Return the weights and thresholds that go with the shipped reader."""
    found = json.loads(files("service_server.predict").joinpath("weights", "confidence.json").read_text("utf-8"))
    return Confidence(
        weights=found["weights"],
        threshold=found["threshold"],
        destructive_threshold=found["destructive_threshold"],
        unsaid=found["unsaid"],
    )
