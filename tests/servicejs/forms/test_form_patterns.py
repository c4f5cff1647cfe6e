"""Patterns are checked where that takes no time, and left to the service where it might."""

import pytest

from servicejs.forms.patterns import matches


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(a|a)*$", r"(x+x+)+y", r"^(a?){40}a{40}$", r"^.*a.*a.*a.*a.*a$"])
def test_a_pattern_that_may_take_for_ever_is_left_to_the_service(pattern: str) -> None:
    """No text keeps the worker of all instances waiting; were these searched, this test would not end."""
    assert matches(pattern, "a" * 5000 + "!")


@pytest.mark.parametrize(
    ("pattern", "fitting", "other"),
    [
        (r"^[a-z]+$", "abc", "a1"),
        (r"^\d{3}-\d{4}$", "123-4567", "123-456"),
        (r"^(red|green)$", "red", "blue"),
        (r"^#?[0-9a-f]{6}$", "#12ab9f", "#12345g"),
        (r"^https?://.+", "http://a", "ftp://a"),
        (r"^C[A-Z0-9]{8,}$", "C01234567", "C0123456"),
        (r"[0-9]", "a1", "ab"),
        (r"^(?!x).{2,}$", "ab", "xb"),
    ],
)
def test_usual_patterns_are_searched(pattern: str, fitting: str, other: str) -> None:
    """What connectors ask for is said at the field before anything is sent."""
    assert (True, False) == (matches(pattern, fitting), matches(pattern, other))


def test_a_pattern_that_python_cannot_read_is_left_to_the_service() -> None:
    """JSON Schema's patterns are JavaScript's."""
    assert matches(r"^\p{L}+$", "1")
