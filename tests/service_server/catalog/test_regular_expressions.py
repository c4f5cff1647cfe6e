"""Regular expressions of connectors: what they describe, and that no text makes them take their time."""

import re

import pytest

from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.regular_expressions import fits, found_in, problem_with

RUNNING_AWAY = ["(a+)+", "(a|a)*", "(a|aa)+", "(a*)*b", r"([a-z]+)+\d", "(?=(a+)+$)a+", r"(a+)+\1!"]


@pytest.mark.parametrize("expression", RUNNING_AWAY)
def test_an_expression_that_runs_away_in_python_ends(expression: str) -> None:
    """A test that went on for ever would be ended by the runner: these take Python longer than the world has been."""
    assert problem_with(expression) is None
    assert not fits(expression, "a" * 4000 + "?")
    assert not found_in(f"(?:{expression})!", "a" * 4000 + "?")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("a|bc", "abc"),
        ("abc", "abc\n"),
        ("[a-z]+", "abc"),
        ("(?i)ABC", "abc"),
        (r"[^@\s]+@[^@\s]+", "ann@example.com"),
        (r"(?!www\.)[a-z.]+", "www.example"),
        ("^[0-9]+$", "123"),
        ("", ""),
        (".", "\ud800"),
    ],
)
def test_a_whole_text_is_what_python_takes_it_for(expression: str, text: str) -> None:
    """Connectors are written and tried with Python's; but half a letter is nothing."""
    expected = text != "\ud800" and re.fullmatch(expression, text) is not None

    assert expected == fits(expression, text)


@pytest.mark.parametrize("expression", ["(", "[z-a]", "a{9999999999}", "(?P<x>a)(?P=x)", "(?<=a+)b"])
def test_what_is_none_everywhere_is_told(expression: str) -> None:
    """What one of the two libraries doesn't know can't be written."""
    assert problem_with(expression)


def test_shipped_examples_fit() -> None:
    """Each example that a shipped connector gives for a value fits the expression that it is checked by."""
    connectors = load_catalog([SHIPPED]).connectors.values()
    variables = [each for connector in connectors for each in connector.variables.values()]
    given = [each for each in variables if each.pattern is not None and each.example is not None]

    assert given
    assert [] == [each.title for each in given if not fits(each.pattern, each.bare(each.example))]
