"""What a page passes to a method."""

from typing import Any

import pytest

from service_client.models import Prediction, ValueChoice
from servicejs.call_arguments import prediction_in


@pytest.mark.parametrize(
    "record", [{}, {"evidence": "words", "choices": [1]}, {"evidence": {"title": 7}, "choices": {"project": "Apollo"}}]
)
def test_what_is_no_prediction_is_passed_over(record: dict[str, Any]) -> None:
    """A page may pass on anything; a form only shows what it knows."""
    assert Prediction(confidence=0.0) == prediction_in(record)


def test_a_prediction_of_the_service() -> None:
    """The words and what they may mean are shown, whatever else there is."""
    record = {
        "confidence": 0.7,
        "evidence": {"title": "broken printer"},
        "choices": {"project": [{"value": 1, "label": "Apollo"}, {"value": 2}, "Borealis"]},
    }

    prediction = prediction_in(record)

    assert {"title": "broken printer"} == prediction.evidence
    assert {"project": (ValueChoice(value=1, label="Apollo"),)} == prediction.choices
