"""What looks before it writes, done by several processes at the same moment: as if one had come after the other."""

import asyncio
from collections.abc import Callable

import pytest
from attrs import evolve
from sqlalchemy import text

from service_server.store import (
    Accounts,
    AppConfiguration,
    AppConfigurations,
    AppIds,
    Application,
    Applications,
    Database,
    IdempotencyRecords,
    Operators,
    Processes,
    VaultKeys,
)
from tests.service_server.databases import rows
from tests.service_server.store.databases import connect, keyed, new_account, pending_session, put_operator

pytestmark = pytest.mark.slow


async def test_an_app_gets_one_number(several: list[Database]) -> None:
    """All who start with the same new apps agree on their numbers."""
    names = [f"app{number}" for number in range(30)]
    found = await asyncio.gather(*(AppIds(database).allocate(names) for database in several))

    assert [dict(zip(sorted(names), range(1, 31), strict=True))] * 4 == found


async def test_the_last_password_stands(several: list[Database], database_url: str) -> None:
    """Put by several at once, one of them is there, whole."""
    for turn in range(5):
        await asyncio.gather(*(put_operator(Operators(database), "olga", f"{turn}") for database in several))

        assert [("olga", f"{turn}")] == rows(database_url, "SELECT name, password_hash FROM operators")


async def test_no_change_is_lost(several: list[Database]) -> None:
    """Each change, of an app's configuration or of an application, begins with what the one before has left."""
    application = await Applications(several[0]).create("Acme", "key", ["secret"], [])

    def setting(name: str) -> Callable[[AppConfiguration], AppConfiguration]:
        return lambda current: evolve(current, variables={**current.variables, name: "set"})

    def allowing(origin: str) -> Callable[[Application], Application]:
        return lambda current: evolve(current, allowed_origins=(*current.allowed_origins, origin))

    names = [f"{number}-{turn}" for number in range(len(several)) for turn in range(5)]
    await asyncio.gather(
        *(AppConfigurations(several[int(name[0])]).change("x", setting(name)) for name in names),
        AppConfigurations(several[0]).change("x", lambda current: evolve(current, client_id="ours")),
    )
    await asyncio.gather(
        *(Applications(several[int(name[0])]).change(application.id, allowing(name)) for name in names)
    )
    kept = await AppConfigurations(several[0]).get("x")
    changed = await Applications(several[0]).get(application.id)

    assert ("ours", dict.fromkeys(names, "set")) == (kept.client_id, kept.variables)
    assert names == sorted(changed.allowed_origins)


async def test_a_new_vault_has_one_first_key(several: list[Database], database_url: str) -> None:
    """Of processes that begin with keys of their own one is first; the others are told, and add nothing."""
    added = await asyncio.gather(
        *(VaultKeys(database).add(f"key{number}", "proof", ()) for number, database in enumerate(several))
    )

    assert 1 == sum(added)
    assert [(f"key{added.index(True)}",)] == rows(database_url, "SELECT key_id FROM vault_keys")
    assert await VaultKeys(several[0]).add("next", "proof", [f"key{added.index(True)}"])


async def test_an_identity_is_one_account(several: list[Database]) -> None:
    """Connected in many sessions at once."""
    accounts = await asyncio.gather(*(connect(database, new_account("alice")) for database in several * 4))

    assert 1 == len({account.id for account in accounts})
    assert list(range(1, 17)) == sorted(account.version for account in accounts)


async def test_a_reconnect_that_meets_a_disconnect_is_one_or_the_other(several: list[Database]) -> None:
    """Either the account is gone and nobody is told that it was reconnected, or it has the new credentials."""
    here, there = several[:2]
    for _ in range(20):
        account = await connect(here, new_account("alice"))
        session = await pending_session(here)
        reconnected, erased = await asyncio.gather(
            Accounts(here).connect(new_account("alice"), session_id=session.id, reconnect_account_id=account.id),
            Accounts(there).disconnect(account),
            return_exceptions=True,
        )
        kept = await Accounts(here).get(account.id)

        assert (kept is None) == (erased is True)
        assert kept == (None if isinstance(reconnected, LookupError) else reconnected)


async def test_a_key_is_claimed_once(several: list[Database]) -> None:
    """Of claims in many processes one succeeds, and the others learn whose it is; also as it is given back."""
    nobody = Processes(several[0])
    for turn in range(5):
        claims = [
            (IdempotencyRecords(database), keyed(f"{turn}", nobody, call_id=f"{turn}-{number}"))
            for number, database in enumerate(several * 4)
        ]
        holders = await asyncio.gather(*(records.claim(record) for records, record in claims))
        (winner,) = (claim for claim, holder in zip(claims, holders, strict=True) if holder is None)
        assert {winner[1].call_id} == {holder.call_id for holder in holders if holder is not None}

        other = keyed(f"{turn}", nobody, call_id="other")
        records = IdempotencyRecords(several[1])
        holder, _ = await asyncio.gather(records.claim(other), winner[0].release(winner[1]))
        kept = await records.get(other)
        assert (other if holder is None else None) == kept


async def test_an_app_keeps_its_number(database: Database) -> None:
    """Other apps that come, go and come back do not change it; nobody gets that of one that left or was deleted."""
    ids = AppIds(database)
    assert {"github": 1, "kinto": 2} == await ids.allocate(["kinto", "github"])
    assert {"kinto": 2, "sandbox": 3} == await ids.allocate(["kinto", "sandbox"])
    assert {"github": 1, "kinto": 2, "sandbox": 3} == await ids.allocate(["sandbox", "github", "kinto"])

    async with database.write() as connection:
        await connection.execute(text("DELETE FROM app_ids WHERE name = 'sandbox'"))
    assert {"zoom": 4} == await ids.allocate(["zoom"])
