"""What the log keeps is found in the time that its own size asks for, and holds no part of a secret either."""

from collections.abc import Iterator

import pytest

from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.redaction.spellings import REDACTED, Spellings

LIMIT = 1000
KEY = "the-key-0123456789-abcdefghij"
SECRETS = Spellings.of([KEY])


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


@pytest.mark.parametrize("room", range(LIMIT - 40, LIMIT + 40))
def test_no_half_of_a_secret_is_left_where_a_text_is_cut(room: int) -> None:
    """Wherever the cut falls, before, in or behind it, and though removing other secrets moves what follows."""
    kept = redacted({"text": (KEY + " ") * 30 + "x" * (room - 30 * 30) + KEY + "y" * 2000}, SECRETS, LIMIT)

    assert KEY[:6] not in str(kept)


@pytest.mark.parametrize("length", range(1, 120, 7))
def test_the_end_of_what_is_shown_holds_no_half_of_a_secret(length: int) -> None:
    """A text that is nothing but secrets, cut at any place."""
    kept = redacted("z" * length + KEY * 400, SECRETS, LIMIT)

    assert KEY[:6] not in kept["beginning"]
    assert REDACTED in kept["beginning"]


def test_secrets_are_found_at_any_depth() -> None:
    """In the items of lists, and in what fields are called."""
    value = {"list": [KEY, ["x", {"y": f"<{KEY}>"}], 1], f"by {KEY}": True}

    assert {"list": [REDACTED, ["x", {"y": f"<{REDACTED}>"}], 1], f"by {REDACTED}": True} == redacted(
        value, SECRETS, LIMIT
    )


@pytest.mark.parametrize("value", [["x", "y" * 2000 + KEY], {"y" * 2000: 1}, {"a": {"b": ["y" * 2000]}}])
def test_a_text_may_be_cut_at_any_depth(value: object) -> None:
    """Also the name of a field."""
    kept = redacted(value, SECRETS, LIMIT)

    assert kept["truncated"]
    assert "yyy" in kept["beginning"]


def test_what_can_not_be_looked_through_in_time_is_not_logged() -> None:
    """More secrets, names or queries than anybody means: nothing of the call is logged rather than one of them."""
    many = {
        "secrets": {"passwords": [f"secret number {number}" for number in range(100)]},
        "names": {f"name {number}": 1 for number in range(10_000)},
        "queries": "&a=1" * 10_000,
        "a long one": {"password": "x" * 100_000},
    }

    assert [REDACTED] * 4 == [
        redacted({"fine": "text"}, secrets_of_call(Spellings.of([]), {"given": given}, ()), LIMIT)
        for given in many.values()
    ]
    assert Spellings.of_every_text().are_in("anything")


def test_a_query_within_a_query_is_looked_at() -> None:
    """The value of a harmless parameter may be an address with a secret in it."""
    text = "/login?next=/home?token=abcdefgh&page=2"

    assert {"url": "/login?next=/home?token=[redacted]&page=2"} == redacted({"url": text}, SECRETS, LIMIT)
