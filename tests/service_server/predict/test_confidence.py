"""The chance that a function is the one asked for, of all that is known of it."""

import math

import pytest
from attrs import asdict

from service_server.predict.confidence import Confidence, Features, log_odds, shipped_confidence

FEATURES = Features(
    fit=1.0, meaning=2.0, said=3.0, nothing=4.0, words=5.0, verb=6.0, objects=7.0, prompt=8.0, app=9.0, absent=10.0
)
THRESHOLDS = {"threshold": 0.2, "destructive_threshold": 0.3}
MODEL = Confidence(weights={"bias": -1.0} | dict.fromkeys(asdict(FEATURES), 0.5), **THRESHOLDS)


def test_every_feature_counts_by_its_weight() -> None:
    """With the bias, and with what else is known about it."""
    assert 26.5 == MODEL.log_odds(FEATURES)
    assert 24.0 == MODEL.log_odds(FEATURES, -2.5)


@pytest.mark.parametrize(
    ("more", "chance"), [(-26.5, 0.5), (-25.5, 0.731), (-27.5, 0.269), (-23.5, 0.953), (-1e6, 0.0), (1e6, 1.0)]
)
def test_log_odds_become_a_chance(more: float, chance: float) -> None:
    """Of 0 to 1, in thousandths; what is sure is no overflow, whatever a reader's opinion is."""
    assert chance == MODEL.of(FEATURES, more)


def test_nothing_more_is_usual() -> None:
    """Where nothing else is known, the features alone count."""
    undecided = Confidence(weights={"bias": 0.0} | dict.fromkeys(asdict(FEATURES), 0.0), **THRESHOLDS)

    assert (0.0, 0.5) == (undecided.log_odds(FEATURES), undecided.of(FEATURES))


@pytest.mark.parametrize("chance", [0.001, 0.25, 0.5, 0.75, 0.999])
def test_a_chance_becomes_log_odds(chance: float) -> None:
    """And the other way round it is the same."""
    assert chance == pytest.approx(1 / (1 + math.exp(-log_odds(chance))))


def test_what_is_certain_has_log_odds_too() -> None:
    """They are large, and no division by nothing."""
    assert (-13.816, 13.816) == (round(log_odds(0.0), 3), round(log_odds(1.0), 3))


def test_the_shipped_weights_are_those_of_the_features() -> None:
    """Each has one; and what can't be undone has to be surer."""
    shipped = shipped_confidence()

    assert {"bias", *asdict(FEATURES)} == set(shipped.weights)
    assert 0 < shipped.threshold < shipped.destructive_threshold < 1
