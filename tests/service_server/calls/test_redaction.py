"""What the log keeps holds no credential and no secret that the caller gave, nor a part of one, and has an end."""

from collections.abc import Iterator
from typing import Any

import pytest

from service_server.invoke.given_secrets import MOST_NAMES, MOST_PARAMETERS, TooMuchToLookThrough, given_secrets
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.redaction.spellings import REDACTED, Spellings

LIMIT = 1000
KEY = "the-key-0123456789-abcdefghij"
SECRETS, NONE = Spellings.of([KEY]), Spellings.of([])
GIVEN = {
    "pin": "top",
    "deep": {"pin": "deep", "deeper": {"pin": "deeper"}},
    "list": [{"pin": "first"}, {"pin": "second"}],
    "lists": [[{"pin": "inner"}]],
    "all": {"x": "a", "y": ["b", {"z": "c"}], "n": 1},
}


@pytest.mark.parametrize(
    ("arguments", "sensitive", "secrets"),
    [
        (GIVEN, "pin", ["top"]),
        (GIVEN, "deep.pin", ["deep"]),
        (GIVEN, "deep.deeper.pin", ["deeper"]),
        (GIVEN, "list[].pin", ["first", "second"]),
        (GIVEN, "lists[][].pin", ["inner"]),
        (GIVEN, "all", ["a", "b", "c"]),  # of an object everything counts
        (GIVEN, "other.pin", []),
        ([{"pin": "one"}], "[].pin", ["one"]),  # what is looked through may be any JSON value
        ("token=x", "", []),
        ({"first": 1, "password": "kept away", "last": "x=y"}, "", ["kept away"]),
        ({"deep": {"list": [{"api_key": "kept away"}]}}, "", ["kept away"]),
        ({"password": {"inner": ["kept away"]}}, "", ["kept away"]),
        ({"url": "/x?page=1&token=kept+away"}, "", ["kept away"]),
        ({"deep": {"urls": ["plain", "/x?api_key=kept%20away"]}}, "", ["kept away"]),
    ],
)
def test_what_a_caller_gives_as_secret(arguments: Any, sensitive: str, secrets: list[str]) -> None:
    """By the path that a connector declares sensitive, and by the names of fields and of query parameters."""
    assert secrets == sorted(given_secrets(arguments, {sensitive}))


def test_there_is_an_end_to_looking() -> None:
    """Rather than miss a secret, or look for seconds: as many names and parameters as allowed, and one more."""
    names = {f"n{number}": 1 for number in range(MOST_NAMES)}
    query = "?a=1" + "&a=1" * (MOST_PARAMETERS - 1)

    assert [] == given_secrets([names, names, {"n0": query}], ())
    for much in ({**names, "one more": 1}, [query, "?a=1"], {"q": query, "r": "?a=1"}):
        with pytest.raises(TooMuchToLookThrough):
            given_secrets(much, ())


@pytest.mark.parametrize(
    "given",
    [
        {"passwords": [f"secret number {number}" for number in range(100)]},
        {f"name {number}": 1 for number in range(10_000)},
        "&a=1" * 10_000,
        {"password": "x" * 100_000},
    ],
    ids=["secrets", "names", "queries", "a long one"],
)
def test_what_can_not_be_looked_through_in_time_is_not_logged(given: Any) -> None:
    """More than anybody means: nothing of the call is logged rather than a secret."""
    secrets = secrets_of_call(NONE, {"given": given}, ())

    assert REDACTED == redacted({"fine": "text"}, secrets, LIMIT)
    assert secrets.are_in("anything")


def test_declared_fields_are_left_out_of_the_log() -> None:
    """Whatever they hold, also if it is too short to be looked for elsewhere."""
    arguments, sensitive = {"pin": "1234", "list": [{"pin": 5}], "more": "1234"}, {"pin", "list[].pin"}
    kept = redacted(arguments, secrets_of_call(NONE, arguments, sensitive), LIMIT, sensitive)

    assert {"pin": REDACTED, "list": [{"pin": REDACTED}], "more": "1234"} == kept


def test_what_the_caller_gave_as_secret_is_left_out_of_the_answer() -> None:
    """An app that repeats a sensitive argument under a harmless name, or one from a query, does not get it logged."""
    arguments = {"pin": "four words are long", "deep": [{"pass_word": "kept", "password": "not kept"}]}
    secrets = secrets_of_call(NONE, arguments | {"url": "/x?api_key=typed%20into%20it"}, {"pin"})
    output = {"note": "four words are long, not kept", "more": "typed into it; typed%20into%20it", "pass_word": "kept"}

    assert {"note": "[redacted], [redacted]", "more": "[redacted]; [redacted]", "pass_word": "kept"} == redacted(
        output, secrets, LIMIT
    )


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("/items?api_key=mine&page=2", "/items?api_key=[redacted]&page=2"),
        ("https://x.example/?page=2&access_token=mine#top", "https://x.example/?page=2&access_token=[redacted]#top"),
        ("/items?token=mine", "/items?token=[redacted]"),
        ("/items?X-Amz-Credential=mine", "/items?X-Amz-Credential=[redacted]"),
        ("/login?next=/home?token=abcdefgh&page=2", "/login?next=/home?token=[redacted]&page=2"),
        ("/items?page=2&query=secret", "/items?page=2&query=secret"),
        ("secret=is no query", "secret=is no query"),
    ],
)
def test_a_credential_that_a_caller_puts_into_a_url_is_left_out(url: str, kept: str) -> None:
    """A free-form request may carry a secret of the caller's own in its query."""
    assert {"url": kept} == redacted({"url": url}, SECRETS, LIMIT)


def test_secrets_are_found_at_any_depth() -> None:
    """In the items of lists, and in what fields are called; as they are written in a URL, too."""
    value = {"list": [KEY, ["x", {"y": f"<{KEY}>"}], 1], f"by {KEY}": True, "url": "a%20key%2F"}
    kept = {"list": [REDACTED, ["x", {"y": f"<{REDACTED}>"}], 1], f"by {REDACTED}": True, "url": REDACTED}

    assert kept == redacted(value, Spellings.of([KEY, "a key/"]), LIMIT)


class Counted(list[int]):
    """A list that counts how many of its items were looked at."""

    looked_at = 0

    def __iter__(self) -> Iterator[int]:
        """Go through them."""
        for item in super().__iter__():
            self.looked_at += 1
            yield item


def test_no_more_is_looked_at_than_is_kept() -> None:
    """Of a list of a million numbers some hundreds."""
    value = Counted(range(1_000_000))
    kept = redacted(value, SECRETS, LIMIT)

    assert kept["truncated"]
    assert LIMIT // 8 == len(kept["beginning"])
    assert LIMIT > value.looked_at


def test_a_long_text_is_redacted_in_one_pass() -> None:
    """Megabytes that look like the beginning of many queries take no time to speak of."""
    text = "?=" + ("&" + "a" * 60) * 20_000 + "&" * 1_000_000 + "?" + "a" * 1_000_000

    assert text == redacted(text, SECRETS, 10_000_000)


def test_the_limit_counts_bytes() -> None:
    """What has just as many is kept whole; of one more the beginning is shown, an eighth of the limit."""
    value = {"text": "é" * 20 + "a" * 48}  # twelve characters of JSON around them

    assert value == redacted(value, NONE, 100)
    assert {"truncated": True, "beginning": '{"text": "éé'} == redacted(value, NONE, 99)


@pytest.mark.parametrize("value", [["x", "y" * 2000 + KEY], {"y" * 2000: 1}, {"a": {"b": ["y" * 2000]}}])
def test_a_text_may_be_cut_at_any_depth(value: object) -> None:
    """Also the name of a field."""
    kept = redacted(value, SECRETS, LIMIT)

    assert kept["truncated"]
    assert "yyy" in kept["beginning"]


def test_no_half_of_a_secret_is_left_where_a_text_is_cut() -> None:
    """Wherever the cut falls, and though removing other secrets moves what follows; however long the secret is."""
    for room in range(LIMIT - 40, LIMIT + 40):
        kept = redacted({"text": (KEY + " ") * 30 + "x" * (room - 30 * 30) + KEY + "y" * 2000}, SECRETS, LIMIT)
        assert KEY[:6] not in str(kept), room
    for length in range(1, 120, 7):
        beginning = redacted("z" * length + KEY * 400, SECRETS, LIMIT)["beginning"]
        assert KEY[:6] not in beginning, length
        assert REDACTED in beginning, length
    long = "".join(chr(65 + number % 26) + str(number) for number in range(200))
    assert long[:6] not in redacted(long * 20, Spellings.of([long]), LIMIT)["beginning"]
