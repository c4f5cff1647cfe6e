"""What the vault seals opens only unchanged, for the same purpose and owner, with the same key."""

import base64
import re
import string
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service_server.vault import Unsealable, Vault, keys_from_text, new_keys
from service_server.vault.keys import Keys
from tests.service_server.connected_world import VAULT_KEY

KEYS = new_keys()
VAULT = Vault(KEYS)
ALPHABET = string.ascii_letters + string.digits + "-_+/=. é\n"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OWNERS = st.lists(st.text() | st.integers(), max_size=3)


def refuse(vault: Vault, sealed: str, purpose: str = "credentials", *owner: str | int) -> None:
    """Have a vault not open something."""
    with pytest.raises(Unsealable):
        vault.open(sealed, purpose, *owner)


@given(value=JSON, purpose=st.text(), owner=OWNERS)
def test_any_json_comes_back(value: Any, purpose: str, owner: list[str | int]) -> None:
    """For any purpose and owner."""
    assert value == VAULT.open(VAULT.seal(value, purpose, *owner), purpose, *owner)


@pytest.mark.parametrize(
    ("text", "sealed"),
    [
        ("é", "test.LBqVCofRRNBWSUMJJIygdl-CpiA0xUt3FG_cRwygYjNwodwBls-dXpla23vF"),
        ("éx", "test.73KXL75emQO6UWF-o5Gc1h2Zu0ELEbQTR8fCLhNAjCgsJoFYk-GYKQ8q6nN5QA"),
        ("éxx", "test.ifzWrNvIvjInVx0HyfpLxCnpgKdB9hKSfGNmIif9MKN7KeUY-X_4TYCPYIB7YIs"),
    ],
)
def test_what_was_sealed_before_an_update_opens(text: str, sealed: str) -> None:
    """Every version writes what is kept in the same way, whatever its length."""
    vault = Vault(keys_from_text(VAULT_KEY))

    assert {"text": text} == vault.open(sealed, "purpose", 1, "ann")
    assert len(sealed) == len(vault.seal({"text": text}, "purpose", 1, "ann"))


@given(value=JSON, position=st.integers(0, 10_000), put=st.text(ALPHABET, max_size=4), rest=st.integers(0, 10_000))
def test_nothing_can_be_changed_cut_or_added(value: Any, position: int, put: str, rest: int) -> None:
    """Whatever stands in whosever place."""
    sealed = VAULT.seal(value, "credentials")
    at = position % len(sealed)
    for end in (at, at + 1, at + rest):
        forged = sealed[:at] + put + sealed[end:]
        if forged != sealed:
            refuse(VAULT, forged)


def test_no_character_has_a_second_spelling() -> None:
    """Base64 leaves bits of the last one unused, and would read `+` as `-`."""
    for sealed in (VAULT.seal("x" * length, "credentials") for length in range(6)):
        for at in range(len(sealed)):
            for character in set(ALPHABET if at == len(sealed) - 1 else "+/-_=") - {sealed[at]}:
                refuse(VAULT, sealed[:at] + character + sealed[at + 1 :])


@given(text=st.text())
def test_any_text_that_was_not_sealed_is_refused(text: str) -> None:
    """In the one way that callers handle."""
    for forged in (text, f"{KEYS.sealing}.{text}"):
        refuse(VAULT, forged)


@given(purpose=st.text(), owner=OWNERS, other_purpose=st.text(), other_owner=OWNERS)
@example("credentials", [1, "ann"], "credentials", ["1", "ann"])
@example("credentials", ["a", "b"], "credentials", ["a,b"])
@example("credentials", ["ann"], "credentials", ["ann", ""])
@example("credentials", [], "credentials", [""])
@example("credentials", ["ab", "c"], "credentials", ["a", "bc"])
def test_it_opens_for_nothing_and_nobody_else(
    purpose: str, owner: list[str | int], other_purpose: str, other_owner: list[str | int]
) -> None:
    """Numbers and texts, joined and split parts are different owners."""
    if (purpose, owner) != (other_purpose, other_owner):
        refuse(VAULT, VAULT.seal("value", purpose, *owner), other_purpose, *other_owner)


def test_another_vault_does_not_open_it() -> None:
    """Neither with a key of another id nor with another one under the same id."""
    for keys in (new_keys(), Keys(KEYS.sealing, {KEYS.sealing: bytes(32)})):
        refuse(Vault(keys), VAULT.seal("value", "credentials"))


def test_what_is_sealed_shows_nothing_of_the_value() -> None:
    """It stands there in no spelling, and nobody learns that two users have the same key."""
    sealed = {VAULT.seal({"api_key": "planted-secret"}, "credentials") for _ in range(100)}

    assert 100 == len(sealed)
    for each in sealed:
        assert b"planted" not in each.encode() + base64.urlsafe_b64decode(each.partition(".")[2] + "==")


def test_a_pseudonym_says_the_same_of_an_owner_and_nothing_without_the_key() -> None:
    """In every release; owners are told apart however their parts join, and another key says otherwise."""
    key, other = Keys("a", {"a": bytes(range(32))}), new_keys()

    assert "04235e4fde645fde" == Vault(key).pseudonym(1, "ann")
    said = [Vault(each).pseudonym(*owner) for each in (key, other) for owner in ((1, "23"), (12, "3"), ("1", "23"))]
    assert 6 == len(set(said))
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in said)
