"""Opened credentials are used again for a minute, for their owner only."""

import time

import pytest

from service_server.oauth import secrets_of_account
from service_server.oauth.secrets_of_account import KEPT_SECONDS, OpenedSecrets, Secrets, seal_secrets
from service_server.vault import Unsealable, Vault
from service_server.vault.keys import Keys

OWNER = (1, "ana", "sandbox")


class CountingVault(Vault):
    """Counts what it opens."""

    opened = 0

    def open(self, *arguments: object) -> object:
        """Open as any vault does."""
        self.opened += 1
        return super().open(*arguments)


@pytest.fixture
def vault() -> CountingVault:
    """A vault with one key."""
    return CountingVault(Keys("k1", {"k1": bytes(32)}))


def sealed(vault: Vault, key: str) -> str:
    """An API key as it is kept."""
    return seal_secrets(vault, Secrets(creds={"key": key}), *OWNER)


def test_opened_once_a_minute(vault: CountingVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for again is not opened again, until its time is over; another text is opened for itself."""
    kept, first, second = OpenedSecrets(vault), sealed(vault, "first"), sealed(vault, "second")
    began = time.monotonic()
    assert ["first"] * 3 == [kept.open(first, *OWNER).creds["key"] for _ in range(3)]
    assert 1 == vault.opened
    assert "second" == kept.open(second, *OWNER).creds["key"]
    monkeypatch.setattr(secrets_of_account.time, "monotonic", lambda: began + 2 * KEPT_SECONDS)
    assert "first" == kept.open(first, *OWNER).creds["key"]
    assert 3 == vault.opened


@pytest.mark.parametrize("other", [(2, "ana", "sandbox"), (1, "bob", "sandbox"), (1, "ana", "slack")])
def test_they_open_for_their_owner_only(vault: CountingVault, other: tuple[int, str, str]) -> None:
    """That somebody else's are open is no way in."""
    kept, of_ana = OpenedSecrets(vault), sealed(vault, "of ana")
    kept.open(of_ana, *OWNER)
    with pytest.raises(Unsealable):
        kept.open(of_ana, *other)


def test_no_more_than_so_many_are_kept(vault: CountingVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first."""
    monkeypatch.setattr(secrets_of_account, "MOST_KEPT", 2)
    kept = OpenedSecrets(vault)
    texts = [sealed(vault, str(number)) for number in range(3)]
    for each in (*texts, texts[2], texts[0]):
        kept.open(each, *OWNER)

    assert 4 == vault.opened
