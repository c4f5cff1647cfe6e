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

    def open(self, *arguments: object) -> object:  # type: ignore[override]
        """Open as any vault does."""
        self.opened += 1
        return super().open(*arguments)  # type: ignore[arg-type]


@pytest.fixture
def vault() -> CountingVault:
    """A vault with one key."""
    return CountingVault(Keys("k1", {"k1": bytes(32)}))


def test_opened_once_a_minute(vault: CountingVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for again is not opened again, until its time is over."""
    kept, sealed = OpenedSecrets(vault), seal_secrets(vault, Secrets(creds={"key": "first"}), *OWNER)
    began = time.monotonic()
    first = [kept.open(sealed, *OWNER) for _ in range(3)]
    opened = vault.opened
    monkeypatch.setattr(secrets_of_account.time, "monotonic", lambda: began + 2 * KEPT_SECONDS)
    later = kept.open(sealed, *OWNER)

    assert (1, 2) == (opened, vault.opened)
    assert {"first"} == {each.creds["key"] for each in [*first, later]}


def test_replaced_ones_count_at_once(vault: CountingVault) -> None:
    """Another text is opened for itself, even when the old one is still kept."""
    kept = OpenedSecrets(vault)
    for key in ("first", "second"):
        assert key == kept.open(seal_secrets(vault, Secrets(creds={"key": key}), *OWNER), *OWNER).creds["key"]


def test_they_open_for_their_owner_only(vault: CountingVault) -> None:
    """That somebody else's are open is no way in."""
    kept, sealed = OpenedSecrets(vault), seal_secrets(vault, Secrets(creds={"key": "of ana"}), *OWNER)
    kept.open(sealed, *OWNER)

    for other in [(2, "ana", "sandbox"), (1, "bob", "sandbox"), (1, "ana", "slack")]:
        with pytest.raises(Unsealable):
            kept.open(sealed, *other)


def test_no_more_than_so_many_are_kept(vault: CountingVault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first."""
    monkeypatch.setattr(secrets_of_account, "MOST_KEPT", 2)
    kept = OpenedSecrets(vault)
    sealed = [seal_secrets(vault, Secrets(creds={"key": str(number)}), *OWNER) for number in range(3)]
    for each in (*sealed, sealed[2], sealed[0]):
        kept.open(each, *OWNER)

    assert 4 == vault.opened
