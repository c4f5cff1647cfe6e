"""What BambooHR makes of arguments and answers."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.connectors.building import connector_of, request_of

_TABLES = [
    {"alias": "compensation", "fields": [{"id": 1, "name": "Pay", "alias": "rate", "type": "currency"}]},
    {"alias": "jobInfo", "fields": [{"id": 2, "name": "Date", "alias": "date", "type": "date"}]},
]


def query_of(function: str, **arguments: Any) -> dict[str, list[str]]:
    """Return the query that a function sends."""
    connector = connector_of("bamboohr")
    return parse_qs(urlsplit(request_of(connector, connector.functions[f"bamboohr-{function}"], arguments).url).query)


def read(function: str, answer: Any, **arguments: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("bamboohr").functions[f"bamboohr-{function}"].given(arguments).pick(answer)


def test_an_employee_is_shown_with_fields() -> None:
    """BambooHR answers with no more than a number unless fields are named: those of the caller, or the usual ones."""
    assert ["displayName"] == [field.split(",")[0] for field in query_of("get-employee", employee="1")["fields"]]
    assert ["hireDate,gender"] == query_of("get-employee", employee="1", fields=["hireDate", "gender"])["fields"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-11-01T00:00:00Z", "2026-11-01 00:00:00"),
        ("2026-11-01T09:30:00+02:00", "2026-11-01 07:30:00"),
        ("2026-11-01t09:30:00z", "2026-11-01 09:30:00"),
    ],
)
def test_moments_are_in_universal_time(given: str, expected: str) -> None:
    """BambooHR takes a moment without a zone."""
    assert [expected] == query_of("list-applications", new_since=given)["newSince"]


def test_a_table_has_its_own_fields() -> None:
    """A row's fields are those of the one table, by the names that BambooHR takes, with types that forms know."""
    assert [{"key": "date", "title": "Date", "type": "date"}] == read("list-table-fields", _TABLES, table="jobInfo")
    assert ["string"] == [each["type"] for each in read("list-table-fields", _TABLES, table="compensation")]


def test_fields_without_a_name_of_their_own_go_by_their_number() -> None:
    """A company's own field may lack an alias; what BambooHR calls deprecated isn't offered."""
    fields = [
        {"id": 4, "name": "Shirt size", "type": "list"},
        {"id": "firstName", "name": "First name", "type": "text", "alias": "firstName"},
        {"id": 9, "name": "Old", "type": "text", "alias": "old", "deprecated": True},
    ]

    assert ["4", "firstName"] == [each["key"] for each in read("list-fields", fields)]


def test_what_is_private_is_never_logged() -> None:
    """Fields of employees (addresses, dates of birth, pay) and reasons of time off are sensitive."""
    functions = connector_of("bamboohr").functions
    sensitive = {name: function.sensitive for name, function in functions.items() if function.sensitive}

    assert {
        "bamboohr-create-employee": {"fields"},
        "bamboohr-update-employee": {"fields"},
        "bamboohr-add-table-row": {"fields"},
        "bamboohr-request-time-off": {"note"},
    } == sensitive
