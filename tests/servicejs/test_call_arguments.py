"""What a page passes to a method."""

from typing import Any

import pytest

from service_client.models import Prediction, ValueChoice
from servicejs.call_arguments import CallArguments, prediction_in
from servicejs.errors import SdkError


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


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "appName is missing: it must be a text that is not empty."),
        (True, "appName must be a text that is not empty, not true."),
        ({"name": None}, 'appName must be a text that is not empty, not {"name": null}.'),
        (["ü" * 300], f'appName must be a text that is not empty, not ["{"ü" * 198} ….'),
    ],
)
def test_a_wrong_value_is_shown_as_javascript_writes_it(value: Any, says: str) -> None:
    """Who reads it writes JavaScript: nothing is `None` or `True` there; a long value is cut."""
    with pytest.raises(SdkError) as refused:
        CallArguments({"appName": value}).text("appName")

    assert says == str(refused.value)
