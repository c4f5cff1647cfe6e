"""The secrets that a caller gives with a call: found by where they stand, by what they are called, and in queries."""

from typing import Any

import pytest

from service_server.invoke.given_secrets import MOST_NAMES, MOST_PARAMETERS, TooMuchToLookThrough, given_secrets
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.redaction.spellings import REDACTED, Spellings

NONE = Spellings.of([])


@pytest.mark.parametrize(
    ("sensitive", "secrets"),
    [
        ("pin", ["top"]),
        ("deep.pin", ["deep"]),
        ("deep.deeper.pin", ["deeper"]),
        ("list[].pin", ["first", "second"]),
        ("lists[][].pin", ["inner"]),
        ("all", ["a", "b", "c"]),
        ("other.pin", []),
    ],
)
def test_what_a_connector_declares_sensitive(sensitive: str, secrets: list[str]) -> None:
    """By its path; a list's items all have the same, and of an object everything counts."""
    arguments = {
        "pin": "top",
        "deep": {"pin": "deep", "deeper": {"pin": "deeper"}},
        "list": [{"pin": "first"}, {"pin": "second"}],
        "lists": [[{"pin": "inner"}]],
        "all": {"x": "a", "y": ["b", {"z": "c"}], "n": 1},
    }

    assert secrets == sorted(given_secrets(arguments, {sensitive}))


@pytest.mark.parametrize(
    "arguments",
    [
        {"password": "kept away"},
        {"deep": {"list": [{"api_key": "kept away"}]}},
        {"password": {"inner": ["kept away"]}},
        {"url": "/x?page=1&token=kept+away"},
        {"deep": {"urls": ["plain", "/x?api_key=kept%20away"]}},
    ],
)
def test_what_its_name_says(arguments: dict[str, Any]) -> None:
    """Fields and query parameters whose names say that they are secret, at any depth."""
    assert ["kept away"] == given_secrets({"first": 1, **arguments, "last": "x=y"}, ())


def test_a_list_as_the_arguments() -> None:
    """What is looked through may be any JSON value."""
    assert ["one"] == given_secrets([{"pin": "one"}], {"[].pin"})
    assert [] == given_secrets("token=x", ())


def test_there_is_an_end_to_looking() -> None:
    """Rather than miss a secret, or look for seconds: as many names and parameters as allowed, and one more."""
    names = {f"n{number}": 1 for number in range(MOST_NAMES)}
    query = "?a=1" + "&a=1" * (MOST_PARAMETERS - 1)

    assert [] == given_secrets([names, names, {"n0": query}], ())
    for much in ({**names, "one more": 1}, [query, "?a=1"], {"q": query, "r": "?a=1"}):
        with pytest.raises(TooMuchToLookThrough):
            given_secrets(much, ())


def test_declared_fields_are_left_out_of_the_log() -> None:
    """Whatever they hold, also if it is too short to be looked for elsewhere."""
    arguments = {"pin": "1234", "list": [{"pin": 5}], "more": "1234"}
    sensitive = {"pin", "list[].pin"}
    secrets = secrets_of_call(NONE, arguments, sensitive)

    assert {"pin": REDACTED, "list": [{"pin": REDACTED}], "more": "1234"} == redacted(
        arguments, secrets, 1000, sensitive
    )


def test_the_limit_counts_bytes() -> None:
    """What has just as many is kept whole; of one more the beginning is shown, an eighth of the limit."""
    value = {"text": "é" * 20 + "a" * 48}  # twelve characters of JSON around them

    assert value == redacted(value, NONE, 100)
    assert {"truncated": True, "beginning": '{"text": "éé'} == redacted(value, NONE, 99)


def test_half_a_long_secret_is_not_shown() -> None:
    """Where a text is cut, as many characters go as the longest secret has, however much of the text was secret."""
    long = "".join(chr(65 + number % 26) + str(number) for number in range(200))
    kept = redacted(long * 20, Spellings.of([long]), 1000)

    assert {"truncated": True, "beginning": '""'} == kept or REDACTED in kept["beginning"]
    assert long[:6] not in kept["beginning"]
