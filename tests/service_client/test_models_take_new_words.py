"""A newer service's words: states, types, codes and actions that this version has never heard of."""

import types
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_client import models
from service_client.models import CONVERTER
from service_client.plans import Response
from service_client.plans.reading import error_of, read

RESPONSES = (
    models.AppList,
    models.CallResult,
    models.ConnectSession,
    models.ConnectSessionState,
    models.ErrorEnvelope,
    models.FunctionList,
    models.SessionToken,
)
MODELS = [value for value in vars(models).values() if isinstance(value, type) and attrs.has(value)]

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.text(max_size=3),
    lambda children: st.lists(children, max_size=2) | st.dictionaries(st.text(max_size=3), children, max_size=2),
    max_leaves=3,
)
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
    lambda moment: moment.isoformat("T", "microseconds") + "Z"
)


def json_of(wanted: Any) -> st.SearchStrategy[Any]:
    """Return what a newer service may write where this version expects a type: any text in place of any text."""
    origin, choices = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return ANYTHING
    if origin in (Union, types.UnionType):
        return (
            st.none() | st.text(max_size=5)
            if str in choices and type(None) in choices
            else st.one_of(
                *(st.text(max_size=5) if get_origin(choice) is Literal else json_of(choice) for choice in choices)
            )
        )
    if origin is tuple:
        return st.lists(json_of(choices[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(st.text(max_size=5), json_of(choices[1]), max_size=2)
    if attrs.has(wanted):
        hints = get_type_hints(wanted)
        return st.fixed_dictionaries({field.name: json_of(hints[field.name]) for field in attrs.fields(wanted)})
    simple: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(max_size=5),
        int: st.integers(),
        float: st.floats(0, 1),
        bool: st.booleans(),
        type(None): st.none(),
        datetime: MOMENTS,
    }
    return simple[wanted]


def lean(value: Any) -> Any:
    """Return a value without what may be absent just as well."""
    if isinstance(value, dict):
        return {key: lean(each) for key, each in value.items() if each not in (None, [], {})}
    return [lean(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("resource", RESPONSES, ids=lambda resource: resource.__name__)
def test_any_words_pass_as_text(resource: type[Any]) -> None:
    """Every text of every answer may be any other text: it is kept as it is, and nothing becomes unreadable."""

    @settings(deadline=None, max_examples=40)
    @given(json_of(resource))
    def check(answer: Any) -> None:
        taken = read(Response.of_json(answer), resource)

        assert lean(answer) == lean(CONVERTER.unstructure(taken))
        if resource is models.ErrorEnvelope:
            error: Any = error_of(Response.of_json(answer, 500), is_call=True)
            assert [detail["code"] for detail in answer["error_details"]] == list(error.codes)

    check()


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
        ("2030-01-02T03:04:05Z", datetime(2030, 1, 2, 3, 4, 5, 0, UTC)),
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


@settings(deadline=None)
@given(st.datetimes(timezones=st.sampled_from([UTC]), min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_a_moment_is_written_as_the_contract_says(moment: datetime) -> None:
    """Always 27 characters with microseconds and Z, so that moments sort as text; and it is read back as it was."""
    text = CONVERTER.unstructure(moment)

    assert len("2030-01-02T03:04:05.000006Z") == len(text)
    assert text.endswith("Z")
    assert moment == CONVERTER.structure(text, datetime)
