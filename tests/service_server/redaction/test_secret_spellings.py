"""Secrets are found and removed in every spelling that an app may repeat them in."""

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_server.redaction.spellings import REDACTED, Spellings, texts_in

pytestmark = pytest.mark.slow

SECRETS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=12, max_size=60)
SPELL = {
    "plain": str,
    "lower case": str.lower,
    "percent-encoded": lambda text: quote(text, safe=""),
    "percent-encoded as a form": quote_plus,
    "percent-encoded in lower case": lambda text: re.sub("%..", lambda found: found[0].lower(), quote(text, safe="")),
    "JSON": json.dumps,
    "JSON as Unicode": lambda text: json.dumps(text, ensure_ascii=False),
    "HTML": html.escape,
    "hexadecimal": lambda text: text.encode().hex(),
}


@pytest.mark.parametrize("name", SPELL)
@settings(max_examples=50)
@given(secret=SECRETS, before=st.text(max_size=5), after=st.text(max_size=5))
def test_every_spelling_is_removed(name: str, secret: str, before: str, after: str) -> None:
    """Whatever stands around it, nothing of the secret is left."""
    spelled = SPELL[name](secret)
    left = Spellings.of([secret]).removed_from(f"{before} {spelled} {after}")

    assert spelled not in left
    assert REDACTED in left
    assert Spellings.of([secret]).are_in(spelled)


@given(secret=SECRETS, before=st.binary(max_size=5), after=st.binary(max_size=5), urlsafe=st.booleans())
def test_a_secret_within_base64_is_removed(secret: str, before: bytes, after: bytes, urlsafe: bool) -> None:
    """At each of the three offsets, in both alphabets, as in Basic authentication: what is left does not hold it."""
    encode = base64.urlsafe_b64encode if urlsafe else base64.b64encode
    left = Spellings.of([secret]).removed_from(encode(before + secret.encode() + after).decode())

    assert REDACTED in left
    assert len(left.replace(REDACTED, "")) <= 4 * (len(before) + len(after)) / 3 + 10


def test_the_longest_is_removed_first() -> None:
    """A secret that begins another one leaves nothing of the longer one behind."""
    assert f"{REDACTED}." == Spellings.of(["secret", "secret-and-more"]).removed_from("secret-and-more.")


def test_short_texts_are_no_secrets() -> None:
    """They would be found in everything."""
    assert "bob and bobby" == Spellings.of(["bob", ""]).removed_from("bob and bobby")
    assert not Spellings.of([]).are_in("anything")


def test_texts_of_a_token_answer() -> None:
    """Every text counts, at any depth, but those that say what kind of token it is."""
    answer = {"access_token": "a", "token_type": "bearer", "scope": "read", "more": [{"id_token": "b"}, 1, None]}

    assert ["a", "b"] == list(texts_in(answer))
