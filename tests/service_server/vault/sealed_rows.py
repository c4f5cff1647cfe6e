"""A database with sealed values of every kind, and a look at what it holds."""

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

from attrs import evolve

from service_server.administration.administration import SECRET_PURPOSE
from service_server.files import Files, Owner
from service_server.oauth.app_settings import seal_client_secret
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.store import (
    SEALED_KINDS,
    Accounts,
    AppConfigurations,
    Applications,
    ConnectSessions,
    Database,
    IdempotencyRecords,
    Processes,
    SealedValues,
    StoredFiles,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.store.tables import METADATA
from service_server.vault import Kept, Vault
from service_server.vault.kept import PURPOSES
from service_server.webhooks.secrets import new_secret, seal_secret
from tests.service_server.databases import whole_tables
from tests.service_server.store.databases import connect, keyed, new_account, pending_session

_SEALED = re.compile(r"\b([a-z0-9]{1,16})\.[A-Za-z0-9_-]{38,}")
ACCOUNTS = 3


async def _content() -> AsyncIterator[bytes]:
    yield b"content"


async def fill(database: Database, vault: Vault) -> None:
    """Keep values of every kind, sealed by the vault; also rows that hold none."""
    for number in range(2):
        key = f"app_{number}"
        sealed = [vault.seal(f"secret {each}", SECRET_PURPOSE, key) for each in range(number + 1)]
        await Applications(database).create(f"Application {number}", key, sealed, [])
    for app, secret, owner in (("sandbox", "shared", ()), ("sandbox", "own", (1,)), ("kinto", None, ())):
        kept = None if secret is None else seal_client_secret(vault, app, secret, *owner)
        change = partial(evolve, client_id="client", sealed_client_secret=kept)
        await AppConfigurations(database).change(app, change, *owner)
    for number in range(ACCOUNTS):
        user = f"user {number}"
        secrets = Secrets(creds={"api_key": f"key of {user}"}, token={"refresh_token": "é\ud800", "expires_in": 1.5})
        sealed_credentials = seal_secrets(vault, secrets, 1, user, "sandbox")
        await connect(database, new_account(f"{number}", user_id=user, sealed_credentials=sealed_credentials))
    sessions = ConnectSessions(database)
    waiting, parked, _ = [await pending_session(database) for _ in range(3)]
    await sessions.progress(waiting.id, "state", vault.seal({"verifier": "v"}, Kept.CONNECT_PROGRESS, waiting.id))
    await sessions.await_redemption(parked.id, "code", vault.seal({"a": 1}, Kept.CONNECT_OUTCOME, parked.id))
    files = Files(StoredFiles(database), vault, 1000, 1000)
    await files.keep(Owner(1, "user 0"), "notes.txt", "text/plain", _content())
    webhook_secrets = tuple(seal_secret(vault, 1, "endpoint", new_secret()) for _ in range(2))
    endpoint = WebhookEndpoint(
        id="endpoint", application_id=1, url="u", event_types=(), sealed_secrets=webhook_secrets, created_at="2026"
    )
    await WebhookEndpoints(database).create(endpoint, most=1)
    for key in ("answered", "under way"):
        record = keyed(key, Processes(database), user_id="user 0", call_id=key)
        assert await IdempotencyRecords(database).claim(record) is None
        if key == "answered":
            owner_of_call = (1, "user 0", record.function_name, key)
            response = vault.seal({"network_code": "200"}, Kept.IDEMPOTENT_RESULT, *owner_of_call)
            await IdempotencyRecords(database).complete(record, response)


async def all_open(database: Database, vault: Vault) -> bool:
    """Whether the vault opens what `fill` kept, of all kinds but for what each says; Unsealable if it does not."""
    found = []
    for application in await Applications(database).everyone():
        found += [vault.open(each, SECRET_PURPOSE, application.app_key) for each in application.sealed_secrets]
    for number in range(ACCOUNTS):
        (account,) = await Accounts(database).of_user(1, f"user {number}")
        found.append(open_secrets(vault, account.sealed_credentials, 1, account.user_id, "sandbox").creds["api_key"])
    for kind in SEALED_KINDS:
        for row in await SealedValues(database).batch(kind, None, 100):
            for sealed in row.sealed:
                vault.reseal(sealed, PURPOSES[kind], *row.owner)
    expected = ["secret 0", "secret 0", "secret 1", *(f"key of user {number}" for number in range(ACCOUNTS))]
    return found == expected


def sealing_keys(database: str | Path) -> dict[str, set[str]]:
    """The ids of the keys that anything in a database (URL or data directory) is sealed with, by `table.column`."""
    found: dict[str, set[str]] = {}
    tables = [table.name for table in METADATA.sorted_tables]
    for name, rows in zip(tables, whole_tables(database, tables), strict=True):
        for row in rows:
            for column, value in row.items():
                for key_id in _SEALED.findall(value) if isinstance(value, str) else ():
                    found.setdefault(f"{name}.{column}", set()).add(key_id)
    return found


def sealing_keys_of_values(database: str | Path) -> set[str]:
    """The ids of the keys that what a database keeps is sealed with, but for the proofs of the keys themselves."""
    kept = sealing_keys(database)
    return set().union(*(keys for place, keys in kept.items() if place != "vault_keys.sealed_proof"))
