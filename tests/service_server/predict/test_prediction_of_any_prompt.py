"""What holds for every prompt, however odd."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from service_server.predict.predictor import Predictor
from service_server.predict.words import word_set
from tests.service_server.predict.catalogue import CATALOGUE
from tests.service_server.predict.conftest import chosen

pytestmark = pytest.mark.slow

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)
PREDICTOR = Predictor(CATALOGUE)
FUNCTIONS = {each.function.name: each.function for each in CATALOGUE}

# Bits of requests make prompts that reach deep into the reading; any text reaches its edges.
_PIECES = sorted(
    word_set(
        """create ticket issue titled called saying about for with in from to labels bug , and : = ; . ? ' " “ ” # @ / -
        not private urgent priority high open closed tomorrow today Friday 3pm 12:30 noon 2025-12-24 12/24/2025 March 5
        5th 20% 1,000.50 1.000,50 twenty five hundred ann@example.org https://example.org acme/web #general @bob C0123
        project Website title: title=x severity: 4 browser: message event meeting calendar start end GitHub Trello
        delete don't ß İ 日本 🙂"""
    )
    | {" ", "\n", "\t", "\u202e", "\x00"}
)
_PROMPTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(_PIECES), max_size=40).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=40).map("".join),
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(_PROMPTS)
def test_function_prediction_never_fails(prompt: str) -> None:
    """Any prompt is answered with a function of the catalogue and a confidence from 0 to 1, or with nothing."""
    prediction = chosen(PREDICTOR, prompt)

    if prediction is not None:
        assert prediction.name in FUNCTIONS
        assert 0 <= prediction.confidence <= 1
        assert all(alternative.name in FUNCTIONS for alternative in prediction.alternatives)


@settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FUNCTIONS)), _PROMPTS)
def test_arguments_always_validate(name: str, prompt: str) -> None:
    """Every predicted argument fits its schema, every evidence stands in the prompt, and what is missing is told."""
    prediction = PREDICTOR.predict_arguments(name, prompt, now=NOW)
    parameters = FUNCTIONS[name].parameters

    schema: dict[str, Any] = {"type": "object", "properties": parameters.properties, "additionalProperties": False}
    assert Draft202012Validator(schema, validate_formats=True).is_valid(prediction.arguments)
    assert all(words in prompt and words for words in prediction.evidence.values())
    assert set(prediction.arguments) == {path.partition(".")[0] for path in prediction.evidence}
    assert set(parameters.required) == set(prediction.missing) | (set(prediction.arguments) & set(parameters.required))
    assert 0 <= prediction.confidence <= 1


@pytest.mark.parametrize(
    "piece",
    [
        *("a", '"', "' ", "for ", "1 ", "1:00 ", "1.", "called ", "A ", "labels ", "title: ", "a@", "not private "),
        *("one hundred ", "in 3 days ", "March 5 ", "acme/web ", "#a ", "issue 5 ", "urgent high ", "İ", "ticket "),
        *("«", "-", "\n", "about x "),
    ],
)
def test_longest_prompts_are_read(piece: str) -> None:
    """A prompt of the greatest length that repeats one thing is read like any other, for every function."""
    prompt = (piece * 4_000)[:4_000]
    chosen(PREDICTOR, prompt)

    for name in FUNCTIONS:
        prediction = PREDICTOR.predict_arguments(name, prompt, now=NOW)
        assert all(words in prompt for words in prediction.evidence.values())
