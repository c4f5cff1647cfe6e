"""What the client makes of answers: they are taken as they are or not at all, with new words of a newer service."""

import types
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client import models
from service_client.models import CONVERTER, App, CallResult, ConnectedAccount, Prediction
from service_client.plans import Response
from service_client.plans.reading import error_of, read

MODELS = [value for value in vars(models).values() if isinstance(value, type) and attrs.has(value)]
NEW: dict[str, Any] = {"later": {"more": [1]}}
ACCOUNT = {"id": 4, "display_name": "Ann", "modified_at": "2030-01-02T00:00:00.000000Z", "state": "asleep", **NEW}
FUNCTION = {"name": "a-b", "description": "", "parameters": {"type": "object", **NEW}, "type": "stream", **NEW}


@pytest.mark.parametrize(
    ("model", "answer", "told"),
    [
        (
            models.App,
            {"id": 1, "name": "a", "title": "", "icon_url": "", "connected_accounts": [ACCOUNT], **NEW},
            lambda app: app.connected_accounts[0].state == "asleep",
        ),
        (models.Function, FUNCTION, lambda function: function.type == "stream"),
        (models.ConnectSessionState, {"status": "paused", **NEW}, lambda state: state.status == "paused"),
    ],
)
def test_new_words_and_keys_pass(model: Any, answer: Any, told: Any) -> None:
    """A word is kept as it is, and nothing becomes unreadable."""
    assert told(read(Response.of_json(answer), model))


def test_new_codes_and_actions_pass() -> None:
    """An error with unknown ones is still that error."""
    detail = {"field": None, "code": "moon", "message": "Full.", "action": "howl", **NEW}
    error: Any = error_of(Response.of_json({"error": "No.", "error_details": [detail], **NEW}, 409), is_call=True)

    assert ("moon", "howl", 409) == (error.code, error.action, error.status)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_no_model_closes_a_list_of_words(model: type) -> None:
    """Wherever a model names today's words, text is allowed beside them."""
    for name, wanted in get_type_hints(model).items():
        choices = get_args(wanted) if get_origin(wanted) in (Union, types.UnionType) else (wanted,)
        closed = [
            each
            for each in choices
            if get_origin(each) is Literal or (isinstance(each, type) and issubclass(each, Enum))
        ]
        assert not closed or str in choices, name


@pytest.mark.parametrize("value", [5, None, True, [], {}])
def test_what_is_no_text_is_still_refused(value: Any) -> None:
    """An open list of words is one of texts, not of anything."""
    with pytest.raises(Exception, match="ConnectSessionState"):
        CONVERTER.structure({"status": value}, models.ConnectSessionState)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2030-01-02T03:04:05.000006Z", datetime(2030, 1, 2, 3, 4, 5, 6, UTC)),
        ("2030-01-02T03:04:05.5+02:00", datetime(2030, 1, 2, 1, 4, 5, 500_000, UTC)),
    ],
)
def test_a_moment_is_read_as_utc(text: str, expected: datetime) -> None:
    """Moments are aware, and in UTC however they were written."""
    moment = CONVERTER.structure(text, datetime)

    assert expected == moment
    assert timedelta(0) == moment.utcoffset()


@pytest.mark.parametrize("text", ["", "soon", "2030-01-02", "2030-01-02T03:04:05", 1893553445, None])
def test_what_is_no_moment_is_refused(text: Any) -> None:
    """A moment without a time zone is none."""
    with pytest.raises((ValueError, TypeError)):
        CONVERTER.structure(text, datetime)


@given(st.datetimes(timezones=st.sampled_from([UTC]), min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_a_moment_is_written_as_the_contract_says(moment: datetime) -> None:
    """Always 27 characters with microseconds and Z, so that moments sort as text; and it is read back as it was."""
    text = CONVERTER.unstructure(moment)

    assert len("2030-01-02T03:04:05.000006Z") == len(text)
    assert text.endswith("Z")
    assert moment == CONVERTER.structure(text, datetime)


APP: dict[str, Any] = {"id": 1, "name": "a", "title": "A", "icon_url": ""}


@pytest.mark.parametrize("change", [{"name": None}, {"name": 5}, {"id": "1"}, {"id": True}, {"id": 1.5}, {"title": []}])
def test_a_scalar_of_the_wrong_type_is_refused(change: dict[str, Any]) -> None:
    """Nothing is turned into text or a number that was none."""
    with pytest.raises(Exception, match="structuring App"):
        CONVERTER.structure({**APP, **change}, App)


def test_right_scalars_are_taken() -> None:
    """Whole numbers stand for numbers, and null for what may be absent."""
    account = {"id": 7, "display_name": "A", "modified_at": "2026-01-01T00:00:00.000000Z"}

    assert 1.0 == CONVERTER.structure({"confidence": 1}, Prediction).confidence
    assert CONVERTER.structure({"network_code": "200", "next_page": None}, CallResult).next_page is None
    assert (ConnectedAccount(**{**account, "modified_at": datetime(2026, 1, 1, tzinfo=UTC)}),) == CONVERTER.structure(
        {**APP, "connected_accounts": [account]}, App
    ).connected_accounts
