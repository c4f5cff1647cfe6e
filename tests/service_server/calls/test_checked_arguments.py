"""Arguments that don't fit: every problem is told at its field, in words that help, and none repeats a value."""

from typing import Any

import jsonschema_rs
import pytest
from attrs import evolve

from service_client.models import Action, Code, ErrorDetail
from service_server.catalog.load import load_catalog
from service_server.catalog.parameters import arguments_validator, published_schema
from service_server.errors import ServiceError
from service_server.invoke import CallRequest, FormBody, JsonBody
from service_server.invoke.check_arguments import MAX_PROBLEMS, check_arguments, invalid, problems_of
from service_server.invoke.invocation import Arguments
from service_server.invoke.next_page import seal_next_page
from service_server.vault import Vault, new_keys
from tests.service_server.calls.callers import account_of, request_of
from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_connector, parameter
from tests.service_server.function_files import query

VAULT = Vault(new_keys())
PERSON = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "age": {"type": "number"}}}
DECLARED: dict[str, Any] = {
    "type": "object",
    "required": ["title"],
    "properties": {
        "title": {"type": "string", "pattern": "^[a-z]+$"},
        "count": {"type": "number", "minimum": 1, "maximum": 9},
        "half": {"type": "number", "multipleOf": 0.5},
        "whole": {"type": "number", "multipleOf": 1},
        "state": {"type": "string", "enum": ["open", "closed"]},
        "level": {"type": "number", "enum": list(range(30))},
        "list": {"type": "array", "items": {"type": "string"}},
        "owner": PERSON,
        "people": {"type": "array", "items": PERSON},
        "free": {"type": "object", "additionalProperties": True},
        "when": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "time"},
    },
}
SCHEMA = published_schema(DECLARED)
VALIDATOR = arguments_validator(DECLARED)
FINE = {"title": "ab"}
LISTED = {"count": parameter("number"), "kind": parameter()}


def problems(arguments: dict[str, Any]) -> list[ErrorDetail]:
    """What is wrong with arguments by the schema."""
    return problems_of(SCHEMA, VALIDATOR, arguments)


@pytest.mark.parametrize(
    ("arguments", "code", "field", "message"),
    [
        ({}, "required", "title", "is required"),
        ({"title": 1}, "type", "title", "must be a string"),
        ({"owner": []}, "type", "owner", "must be an object"),
        ({"list": "a"}, "type", "list", "must be an array"),
        ({"list": ["a", 1]}, "type", "list[1]", "must be a string"),
        ({"whole": 1.5}, "type", "whole", "must be a whole number"),
        ({"half": 0.7}, "format", "half", "must be a multiple of 0.5"),
        ({"state": "ajar"}, "enum", "state", "must be one of open, closed"),
        ({"level": 30}, "enum", "level", f"must be one of {', '.join(map(str, range(20)))}"),
        ({"title": "AB"}, "format", "title", "must match the pattern ^[a-z]+$"),
        ({"count": 0}, "format", "count", "must be at least 1"),
        ({"count": 10}, "format", "count", "must be at most 9"),
        ({"at": "noon"}, "format", "at", "must be a time of day, such as 14:30 or 14:30:00"),
        ({"when": "soon"}, "format", "when", "must be a valid date"),
        ({"owner": {}}, "required", "owner.name", "is required"),
        ({"owner": {"name": "A", "age": "x"}}, "type", "owner.age", "must be a number"),
        ({"people": [{"name": "A"}, {}]}, "required", "people[1].name", "is required"),
        ({"titel": "ab"}, "unknown_parameter", "titel", "is not a parameter of this function; did you mean title?"),
        ({"stxtyz": 1}, "unknown_parameter", "stxtyz", "is not a parameter of this function; did you mean state?"),
        ({"xyz": 1}, "unknown_parameter", "xyz", "is not a parameter of this function"),
        (
            {"people": [{"name": "A", "aged": 1}]},
            "unknown_parameter",
            "people[0].aged",
            "is not a parameter of this function; did you mean age?",
        ),
    ],
)
def test_a_problem_is_told_at_its_field(arguments: dict[str, Any], code: str, field: str, message: str) -> None:
    """With a code for programs and words for people, which say what would be right."""
    (problem,) = problems(FINE | arguments if arguments else {})

    assert (code, field) == (problem.code, problem.field)
    assert f"{field} {message}" == problem.message
    assert Action.FIX_FIELD == problem.action


def test_rules_of_the_services_own_tools() -> None:
    """Arguments of these are checked the same way; a rule that has no words of its own is told without its value."""
    schema = {"type": "object", "properties": {"prompt": {"maxLength": 5}, "odd": {"not": {"const": "secret"}}}}
    validator = jsonschema_rs.validator_for(schema)
    found = problems_of(schema, validator, {"prompt": "abcdef", "odd": "secret"})

    assert {"prompt must have at most 5 characters", "odd has a value that is not allowed"} == {
        each.message for each in found
    }


def test_what_fits_has_no_problem() -> None:
    """Each limit is still within."""
    fits = {"title": "abc", "count": 1, "half": 1.5, "whole": 2, "state": "open", "list": ["a"], "when": "2026-01-31"}

    assert [] == problems(fits | {"count": 9, "owner": {"name": "A", "age": 1}, "free": {"x": 1}})


def test_all_problems_are_told_at_once() -> None:
    """Unknown names first, then what the schema finds."""
    first, *others = problems({"x": 1, "count": 0, "list": [1, 2, 3]})

    assert "x" == first.field
    assert ["count", "list[0]", "list[1]", "list[2]", "title"] == sorted(str(each.field) for each in others)


def test_a_name_is_compared_only_if_it_could_be_a_typo() -> None:
    """A long one takes long to compare, and of a very long one the answer shows the beginning."""
    schema = {"type": "object", "properties": {"n" * 64: {}}}
    validator = jsonschema_rs.validator_for(schema)
    just, longer, (long,) = (
        problems_of(schema, validator, {name: 1}) for name in ("n" * 63 + "m", "n" * 64 + "m", "n" * 500)
    )

    assert just[0].message.endswith(f"; did you mean {'n' * 64}?")
    assert "did you mean" not in longer[0].message
    assert "n" * 200 == long.field


def test_problems_are_told_up_to_a_number() -> None:
    """Nobody reads more; in whatever they are found."""
    unknown, listed = {f"x{number}": 1 for number in range(60)}, {"list": [1] * 60}
    owner, both = {"owner": {"name": "A"} | unknown}, dict(list(unknown.items())[:40]) | listed

    assert [MAX_PROBLEMS] * 4 == [len(problems(FINE | each)) for each in (unknown, listed, owner, both)]


@pytest.mark.parametrize(
    ("arguments", "all_are_told"),
    [
        (FINE | {"people": [{}] * 332}, True),  # with what holds them a thousand values and a few
        (FINE | {"people": [{}] * 1100}, False),
        (FINE | {"list": ["x" * 9_000_000, 1, 2]}, False),
        (FINE | {"list": ["x" * 5_000_000, 1, 2]}, True),
        (FINE | {"free": {"x" * 9_000_000: 1}, "list": [1, 2]}, False),
    ],
    ids=["some values", "many values", "much text", "less text", "a long name"],
)
def test_of_very_large_arguments_the_first_problem_is_told(arguments: dict[str, Any], all_are_told: bool) -> None:
    """To find all of them would take a copy of it all for each."""
    assert all_are_told == (len(problems(arguments)) > 1)
    assert problems(arguments)


def test_the_refusal_names_each_field_once() -> None:
    """Its first line names all fields at fault, and it holds no more problems than anybody reads."""
    given = problems(FINE | {"list": [1, 2]}) + problems(FINE | {"list": [1]})
    refusal = invalid(given)
    many = invalid(given * 20)

    assert (400, tuple(given)) == (refusal.status, refusal.details)
    assert "The arguments are not valid: list[0], list[1]." == refusal.error
    assert MAX_PROBLEMS == len(many.details)


@pytest.fixture(scope="module")
def listing(tmp_path_factory: pytest.TempPathFactory) -> CallRequest:
    """A call of a function that has pages."""
    count = query({"get": "/things", "query": {name: f"${{args.{name}?}}" for name in LISTED}}, takes=LISTED)
    connector = minimal_connector() | {"pagination": {"links": {"type": "link"}}}
    directory = tmp_path_factory.mktemp("connectors")
    ConnectorFolder(connector, {"list": {**count, "paginate": "links"}, "count": count}).write(directory)
    return request_of(load_catalog([directory]), "acme-list")


def checked(request: CallRequest) -> Arguments:
    """The arguments of a call once they are checked."""
    return check_arguments(request, account_of(), VAULT)


def refusal_of(request: CallRequest) -> tuple[str | None, str]:
    """The field and the code of a refused call."""
    with pytest.raises(ServiceError) as refusal:
        checked(request)
    assert 400 == refusal.value.status
    assert Action.FIX_FIELD == refusal.value.details[0].action
    return refusal.value.details[0].field, refusal.value.code


def test_an_open_function_is_called_with_other_names(listing: CallRequest) -> None:
    """Its app knows them, we do not: none is unknown, and the others are checked."""
    validator = arguments_validator({"type": "object", "properties": LISTED, "additionalProperties": True})
    function = evolve(listing.function, allows_additional=True, validator=validator)
    open_call = evolve(listing, function=function, body=JsonBody({"custom": [1]}))

    assert {"custom": [1]} == checked(open_call).values
    assert ("count", Code.TYPE) == refusal_of(evolve(open_call, body=JsonBody({"custom": [1], "count": "x"})))
    assert ("custom", Code.UNKNOWN_PARAMETER) == refusal_of(evolve(listing, body=JsonBody({"custom": [1]})))


@pytest.mark.parametrize("form", [False, True])
@pytest.mark.parametrize("position", [None, {"page": 2}])
def test_a_cursor_is_no_argument(listing: CallRequest, form: bool, position: Any) -> None:
    """It is taken out of the arguments, and says where the list goes on; an empty one means the first page."""
    values = {"count": 2, "kind": "a"}
    given = values | {"next_page": seal_next_page(VAULT, position, listing, account_of(), values) if position else ""}
    body = FormBody(tuple((name, str(value)) for name, value in given.items())) if form else JsonBody(given)

    assert Arguments(values=values, position=position) == checked(evolve(listing, body=body))
    assert "next_page" in given  # the caller's own, which a repeat is compared by, stay as they are


def test_a_cursor_of_the_wrong_kind(listing: CallRequest) -> None:
    """One that is no text, one that was never given, and one for a function without pages."""
    closed = evolve(listing, function=listing.connector.functions["acme-count"])

    assert ("next_page", Code.TYPE) == refusal_of(evolve(listing, body=JsonBody({"next_page": 2})))
    with pytest.raises(ServiceError) as forged:
        checked(evolve(listing, body=JsonBody({"next_page": "x"})))
    assert Code.BAD_CURSOR == forged.value.code
    assert ("next_page", Code.UNKNOWN_PARAMETER) == refusal_of(evolve(closed, body=JsonBody({"next_page": "x"})))
    assert ("next_page", Code.UNKNOWN_PARAMETER) == refusal_of(evolve(closed, body=FormBody((("next_page", ""),))))


def test_problems_of_a_form_and_of_the_schema_are_told_together(listing: CallRequest) -> None:
    """What could not be read does not hide what nobody knows."""
    with pytest.raises(ServiceError) as refusal:
        checked(evolve(listing, body=FormBody((("count", "x"), ("knid", "a")))))

    assert ["count", "knid"] == [each.field for each in refusal.value.details]
