"""Bitbucket's searches, as the connector's hooks write them."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.connectors.building import connector_of, request_of


def search_of(function: str, **arguments: Any) -> list[str]:
    """Return the query that a list is asked for with."""
    connector = connector_of("bitbucket")
    url = request_of(connector, connector.functions[f"bitbucket-{function}"], arguments).url
    return parse_qs(urlsplit(url).query).get("q", [])


@pytest.mark.parametrize(
    ("search", "expected"), [("web", 'name ~ "web"'), ('a" OR "b', r'name ~ "a\" OR \"b"'), ("\\", r'name ~ "\\"')]
)
def test_a_search_stays_a_text(search: str, expected: str) -> None:
    """A quotation mark or a backslash that somebody searches for can't end the text in a query."""
    assert [expected] == search_of("list-repositories", search=search)


def test_conditions_are_all_asked_for() -> None:
    """Each argument narrows a list; without any there is no query."""
    assert ['title ~ "typo" AND source.branch.name = "fix/typo"'] == search_of(
        "list-pull-requests", repository="website", search="typo", branch="fix/typo"
    )
    assert ['project.key = "WEB"'] == search_of("list-repositories", project="WEB")
    assert [] == search_of("list-repositories")
