"""A database with sealed values of every kind, and a look at what it holds."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

from attrs import evolve
from sqlalchemy import select

from service_server.administration.administration import SECRET_PURPOSE
from service_server.files import Files, Owner
from service_server.oauth.app_settings import seal_client_secret
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.store import (
    Accounts,
    AppConfigurations,
    Applications,
    ConnectSessions,
    Database,
    IdempotencyRecord,
    IdempotencyRecords,
    StoredFiles,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.store.clock import now
from service_server.store.tables import FILES, METADATA
from service_server.vault import Kept, Vault
from service_server.webhooks.secrets import new_secret, seal_secret, secrets_of
from tests.service_server.databases import whole_tables
from tests.service_server.store.databases import connect, new_account, pending_session

_SEALED = re.compile(r"\b([a-z0-9]{1,16})\.[A-Za-z0-9_-]{38,}")


_OWNER = Owner(1, "user 0")


def _files(database: Database, vault: Vault) -> Files:
    return Files(StoredFiles(database), vault, 1000, 1000)


async def _content() -> AsyncIterator[bytes]:
    yield b"content"


async def fill(database: Database, vault: Vault, accounts: int = 3) -> None:
    """Keep values of every kind, sealed by the vault; also rows that hold none."""
    applications = Applications(database)
    for number in range(2):
        key = f"app_{number}"
        sealed = [vault.seal(f"secret {each}", SECRET_PURPOSE, key) for each in range(number + 1)]
        await applications.create(f"Application {number}", key, sealed, [])
    configurations = AppConfigurations(database)
    await configurations.change(
        "sandbox",
        lambda current: evolve(
            current, client_id="client", sealed_client_secret=seal_client_secret(vault, "sandbox", "client secret")
        ),
    )
    await configurations.change(
        "sandbox",
        lambda current: evolve(
            current,
            client_id="client",
            sealed_client_secret=seal_client_secret(vault, "sandbox", "own client secret", 1),
        ),
        1,
    )
    await configurations.change("kinto", lambda current: evolve(current, client_id="public client"))
    for number in range(accounts):
        user = f"user {number}"
        secrets = Secrets(creds={"api_key": f"key of {user}"}, token={"refresh_token": "é\ud800", "expires_in": 1.5})
        sealed_credentials = seal_secrets(vault, secrets, 1, user, "sandbox")
        await connect(database, new_account(f"{number}", user_id=user, sealed_credentials=sealed_credentials))
    sessions = ConnectSessions(database)
    waiting, parked, _ = [await pending_session(database) for _ in range(3)]
    await sessions.progress(waiting.id, "state", vault.seal({"verifier": "v"}, Kept.CONNECT_PROGRESS, waiting.id))
    await sessions.await_redemption(parked.id, "code", vault.seal({"a": 1}, Kept.CONNECT_OUTCOME, parked.id))
    await _files(database, vault).keep(_OWNER, "notes.txt", "text/plain", _content())
    await WebhookEndpoints(database).create(
        WebhookEndpoint(
            id="endpoint",
            application_id=1,
            url="https://hook.test",
            event_types=(),
            sealed_secrets=tuple(seal_secret(vault, 1, "endpoint", new_secret()) for _ in range(2)),
            created_at="2026",
        ),
        most=1,
    )
    records = IdempotencyRecords(database)
    for key in ("answered", "under way"):
        owner = (1, "user 0", "sandbox-create-ticket", key)
        record = IdempotencyRecord(
            application_id=1,
            user_id="user 0",
            function_name="sandbox-create-ticket",
            idempotency_key=key,
            arguments_hash="hash",
            call_id=key,
            created_at=now(),
        )
        assert await records.claim(record) is None
        if key == "answered":
            await records.complete(record, vault.seal({"network_code": "200"}, Kept.IDEMPOTENT_RESULT, *owner))


async def all_open(database: Database, vault: Vault, accounts: int = 3) -> bool:
    """Whether the vault opens what `fill` kept, where the service looks for it; Unsealable if it does not."""
    found = []
    for application in await Applications(database).everyone():
        found += [vault.open(each, SECRET_PURPOSE, application.app_key) for each in application.sealed_secrets]
    shared, own = await AppConfigurations(database).both("sandbox", 1)
    assert own is not None
    found.append(vault.open(shared.sealed_client_secret or "", Kept.CLIENT_SECRET, "sandbox"))
    found.append(vault.open(own.sealed_client_secret or "", Kept.CLIENT_SECRET, 1, "sandbox"))
    for number in range(accounts):
        (account,) = await Accounts(database).of_user(1, f"user {number}")
        found.append(open_secrets(vault, account.sealed_credentials, 1, account.user_id, "sandbox").creds["api_key"])
    async with database.read() as connection:
        file_id = await connection.scalar(select(FILES.c.id))
    kept = await _files(database, vault).find(_OWNER, file_id or "")
    assert kept is not None
    assert b"content" == b"".join([chunk async for chunk in kept.chunks()])
    endpoint = await WebhookEndpoints(database).get("endpoint")
    assert endpoint is not None
    assert 2 == len(secrets_of(vault, endpoint))
    expected = ["secret 0", "secret 0", "secret 1", "client secret", "own client secret"]
    return found == expected + [f"key of user {number}" for number in range(accounts)]


def sealing_keys(database: str | Path) -> dict[str, set[str]]:
    """
    The ids of the keys that anything in a database is sealed with, by `table.column`, wherever it stands.

    The database is that of a URL or a data directory.
    """
    found: dict[str, set[str]] = {}
    tables = [table.name for table in METADATA.sorted_tables]
    for name, rows in zip(tables, whole_tables(database, tables), strict=True):
        for row in rows:
            for column, value in row.items():
                for key_id in _SEALED.findall(value) if isinstance(value, str) else ():
                    found.setdefault(f"{name}.{column}", set()).add(key_id)
    return found
