"""What the vault seals opens only unchanged, for the same purpose and owner, with the same key."""

import base64
import re
import string
from typing import Any

import pytest
from hypothesis import given, settings
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


@settings(deadline=None)
@given(value=JSON, purpose=st.text(), owner=OWNERS)
def test_any_json_comes_back(value: Any, purpose: str, owner: list[str | int]) -> None:
    """Whatever JSON is sealed, for any purpose and owner, is opened the same."""
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
    """What is kept is written in the same way by every version, whatever its length."""
    vault = Vault(keys_from_text(VAULT_KEY))

    assert {"text": text} == vault.open(sealed, "purpose", 1, "ann")
    assert len(sealed) == len(vault.seal({"text": text}, "purpose", 1, "ann"))


@settings(deadline=None)
@given(value=JSON, position=st.integers(0, 10_000), character=st.sampled_from(ALPHABET))
def test_no_character_can_be_changed(value: Any, position: int, character: str) -> None:
    """One other character anywhere, those that decode to the same bytes included, and it does not open."""
    sealed = VAULT.seal(value, "credentials", "ann")
    at = position % len(sealed)
    forged = sealed[:at] + character + sealed[at + 1 :]
    if forged == sealed:
        return
    with pytest.raises(Unsealable):
        VAULT.open(forged, "credentials", "ann")


def test_the_last_character_counts_as_well() -> None:
    """Bits that base64 leaves unused in the last character are no room for a second spelling."""
    for sealed in (VAULT.seal("x" * length, "credentials") for length in range(6)):
        for character in set(ALPHABET) - {sealed[-1]}:
            with pytest.raises(Unsealable):
                VAULT.open(sealed[:-1] + character, "credentials")


@settings(deadline=None)
@given(cut=st.integers(0, 200), added=st.text(alphabet=ALPHABET, max_size=4))
def test_nothing_can_be_cut_or_added(cut: int, added: str) -> None:
    """A shorter or longer value does not open."""
    sealed = VAULT.seal({"token": "t" * 20}, "credentials")
    forged = sealed[: min(cut, len(sealed))] + added
    if forged == sealed:
        return
    with pytest.raises(Unsealable):
        VAULT.open(forged, "credentials")


@settings(deadline=None)
@given(text=st.text())
def test_any_text_that_was_not_sealed_is_refused(text: str) -> None:
    """Whatever comes in from outside is refused in the one way that callers handle."""
    for forged in (text, f"{KEYS.sealing}.{text}"):
        with pytest.raises(Unsealable):
            VAULT.open(forged, "credentials")


@settings(deadline=None)
@given(purpose=st.text(), owner=OWNERS, other_purpose=st.text(), other_owner=OWNERS)
def test_it_opens_for_nothing_and_nobody_else(
    purpose: str, owner: list[str | int], other_purpose: str, other_owner: list[str | int]
) -> None:
    """Another purpose or owner, however the two are split, does not open it."""
    if (purpose, owner) == (other_purpose, other_owner):
        return
    with pytest.raises(Unsealable):
        VAULT.open(VAULT.seal("value", purpose, *owner), other_purpose, *other_owner)


@pytest.mark.parametrize(
    ("owner", "other"),
    [
        ((1, "ann"), ("1", "ann")),
        (("a", "b"), ("a,b",)),
        (("ann",), ("ann", "")),
        ((), ("",)),
        (("ab", "c"), ("a", "bc")),
    ],
)
def test_owners_that_read_alike_are_different(owner: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Numbers and texts, joined and split parts are different owners."""
    with pytest.raises(Unsealable):
        VAULT.open(VAULT.seal("value", "credentials", *owner), "credentials", *other)


def test_another_vault_does_not_open_it() -> None:
    """Neither another key of another id nor another key under the same id opens it."""
    sealed = VAULT.seal("value", "credentials")
    same_id = Keys(KEYS.sealing, {KEYS.sealing: bytes(32)})
    for keys in (new_keys(), same_id):
        with pytest.raises(Unsealable):
            Vault(keys).open(sealed, "credentials")


def test_the_same_value_never_seals_to_the_same_text() -> None:
    """Nobody who reads the database learns that two users have the same key."""
    assert 100 == len({VAULT.seal("value", "credentials", "ann") for _ in range(100)})


def test_what_is_sealed_shows_nothing_of_the_value() -> None:
    """Neither the value nor its base64 stands in the sealed text."""
    sealed = VAULT.seal({"api_key": "planted-secret"}, "credentials")

    assert "planted" not in sealed
    assert b"planted" not in base64.urlsafe_b64decode(sealed.partition(".")[2] + "==")


def test_a_pseudonym_says_the_same_of_an_owner_and_nothing_without_the_key() -> None:
    """Two vaults with one key agree, owners are told apart however their parts join, and another key says otherwise."""
    key, other = new_keys(), new_keys()
    said = Vault(key).pseudonym(1, "23")

    assert re.fullmatch("[0-9a-f]{16}", said)
    assert said == Vault(key).pseudonym(1, "23")
    assert 4 == len(
        {said, Vault(key).pseudonym(12, "3"), Vault(key).pseudonym("1", "23"), Vault(other).pseudonym(1, "23")}
    )


def test_a_pseudonym_is_the_same_in_every_release() -> None:
    """Lines of the log from before an upgrade and after it name a user alike."""
    assert "04235e4fde645fde" == Vault(Keys("a", {"a": bytes(range(32))})).pseudonym(1, "ann")
