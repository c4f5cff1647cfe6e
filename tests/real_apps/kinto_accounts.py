"""Looks into an account from outside the service: with the operator's key, and at the provider."""

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Protocol

import httpx
from attrs import evolve, frozen

from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.vault import Vault, keys_from_text
from tests.real_apps.processes import OidcProvider
from tests.service_server.processes import RunningService


class Served(Protocol):
    """Anything with a running service whose accounts are looked into."""

    @property
    def service(self) -> RunningService:
        """The service."""
        ...


@frozen
class _Kept:
    sealed: str
    owner: tuple[int, str, str]


def secrets_of(world: Served, account: int) -> Secrets:
    """What the vault holds of an account."""
    with _database(world) as connection:
        kept = _read(connection, account)
    return open_secrets(_vault(world), kept.sealed, *kept.owner)


def forget_expiry(world: Served, account: int) -> None:
    """Leave the account as it would be with a provider that does not tell how long its tokens live."""
    vault = _vault(world)
    with _database(world) as connection:
        kept = _read(connection, account)
        secrets = evolve(open_secrets(vault, kept.sealed, *kept.owner), expires_at=None)
        sealed = seal_secrets(vault, secrets, *kept.owner)
        statement = "UPDATE accounts SET sealed_credentials = ?, expires_at = NULL, version = version + 1 WHERE id = ?"
        connection.execute(statement, (sealed, account))
        connection.commit()


def revoke(provider: OidcProvider, token: str | None) -> None:
    """End a token at the provider, and with it its whole grant."""
    auth = (provider.client_id, provider.client_secret)
    url = f"{provider.url}/token/revocation"
    httpx.post(url, data={"token": str(token)}, auth=auth, trust_env=False).raise_for_status()


def _vault(world: Served) -> Vault:
    return Vault(keys_from_text((world.service.data_directory / "vault.key").read_text()))


@contextlib.contextmanager
def _database(world: Served) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(world.service.data_directory / "service.db", timeout=10)
    try:
        yield connection
    finally:
        connection.close()


def _read(connection: sqlite3.Connection, account: int) -> _Kept:
    query = "SELECT sealed_credentials, application_id, user_id, app_name FROM accounts WHERE id = ?"
    sealed, *owner = connection.execute(query, (account,)).fetchone()
    return _Kept(sealed, (owner[0], owner[1], owner[2]))
