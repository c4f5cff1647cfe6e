"""Connected accounts: merged by identity, newest first, changed only by what is still true."""

import asyncio
from pathlib import Path

import pytest
from attrs import evolve

from service_server.store import (
    Account,
    AccountGone,
    Accounts,
    ConnectSessions,
    Database,
    IdentityConflict,
    Lease,
    Renewals,
    SessionEnded,
)
from service_server.store.clock import now
from tests.service_server.databases import execute
from tests.service_server.store.databases import connect, new_account, opened_copy, pending_session


async def as_kept(database: Database, account: Account) -> Account:
    """The account as it is kept now."""
    return await Accounts(database).get(account.id)


async def test_the_same_identity_stays_one_account(database: Database) -> None:
    """By another way too, with the new credentials; what was begun with the old ones changes nothing."""
    accounts = Accounts(database)
    stale = await connect(database, new_account("alice"))
    again = await connect(database, new_account("alice", auth_id="key", sealed_credentials="newer"))

    assert (stale.id, "key", "newer") == (again.id, again.auth_id, again.sealed_credentials)
    assert again.version > stale.version
    assert not await accounts.replace_credentials(stale, "from the old token", None, {})
    assert not await accounts.require_reconnect(stale, "invalid_grant")
    assert not await accounts.disconnect(stale)
    assert [again] == await accounts.of_user(1, "ann")


async def test_identities_merge_only_within_their_owner(database: Database) -> None:
    """Of another application, user or app, or without a name, each is its own, and untouched by the others."""
    accounts = Accounts(database)
    others = [{"application_id": 2}, {"user_id": "bea"}, {"app_name": "github"}]
    new = [new_account("alice"), *(new_account("alice", **other) for other in others), *[new_account(None)] * 2]
    first, *rest = connected = [await connect(database, each) for each in new]

    assert 6 == len({account.id for account in connected})
    assert connected == [await as_kept(database, account) for account in connected]
    assert [rest[1]] == await accounts.of_user(1, "bea")
    await accounts.take_lease(first, "refresher", 60)
    assert await accounts.replace_credentials(first, "refreshed", 5.0, {})
    assert await accounts.require_reconnect(await as_kept(database, first), "invalid_grant")
    again = await connect(database, new_account("alice", sealed_credentials="newer"), reconnect=first.id)
    assert await accounts.disconnect(again)
    assert await accounts.get(first.id) is None
    assert rest == [await as_kept(database, account) for account in rest]
    assert all([await accounts.take_lease(account, "refresher", 60) for account in rest])


async def test_reconnecting_replaces_in_place(database: Database) -> None:
    """It makes the account active with new credentials and ends its lease; other identities change nothing."""
    accounts = Accounts(database)
    alices = await connect(database, new_account("alice"))
    await accounts.take_lease(alices, "refresher", 60)
    await accounts.require_reconnect(alices, "invalid_grant")
    alices = await connect(database, new_account("alice", sealed_credentials="newer"), reconnect=alices.id)
    bobs, nameless = [await connect(database, new_account(each)) for each in ("bob", None)]

    assert ("active", None, "newer") == (alices.state, alices.state_reason, alices.sealed_credentials)
    for identity, account in (("bob", alices), ("carol", alices), ("bob", nameless)):
        with pytest.raises(IdentityConflict):
            await connect(database, new_account(identity, sealed_credentials="stolen"), reconnect=account.id)
    assert [nameless, bobs, alices] == await accounts.of_user(1, "ann")
    assert await accounts.take_lease(alices, "another refresher", 60)


async def test_an_account_that_is_gone_or_foreign_cannot_be_reconnected(database: Database) -> None:
    """Disconnected meanwhile and someone else's are the same: not there; an id never means another account."""
    accounts = Accounts(database)
    gone = await connect(database, new_account("alice"))
    assert [True, False] == [await accounts.disconnect(gone) for _ in range(2)]
    foreign = await connect(database, new_account("alice", user_id="bea"))
    for account in (gone, foreign):
        with pytest.raises(AccountGone):
            await connect(database, new_account("alice"), reconnect=account.id)
        with pytest.raises(AccountGone):
            await accounts.check_connect(new_account("alice"), account.id)

    assert foreign == await as_kept(database, foreign)
    assert foreign.id > gone.id
    assert [] == await accounts.of_user(1, "ann")


@pytest.mark.parametrize("ended", ["connected", "cancelled", "expired"])
async def test_an_ended_session_connects_nothing(database: Database, ended: str) -> None:
    """Account and session change together: the session names the account, and afterwards no credentials are kept."""
    accounts, sessions = Accounts(database), ConnectSessions(database)
    session = await pending_session(database, **({"expires_at": 1.0} if ended == "expired" else {}))
    if ended == "connected":
        existing = await accounts.connect(new_account("alice"), session_id=session.id)
        kept = await sessions.get(session.id)
        assert ("connected", existing.id) == (kept.standing, kept.connected_account_id)
    else:
        existing = await connect(database, new_account("alice"))
        await sessions.finish(session.id, "cancelled")
    for identity in ("alice", "bob"):
        with pytest.raises(SessionEnded):
            await accounts.connect(new_account(identity, sealed_credentials="late"), session_id=session.id)

    assert [existing] == await accounts.of_user(1, "ann")


async def test_newest_first_moves_with_connecting_and_not_with_refreshing(database: Database) -> None:
    """Connecting again brings an account to the front; a token refresh and a refusal leave modified_at alone."""
    accounts = Accounts(database)
    first, second = [await connect(database, new_account(each)) for each in ("first", "second")]
    assert [second.id, first.id] == [each.id for each in await accounts.of_user(1, "ann")]
    assert await accounts.replace_credentials(first, "refreshed", 1.0, {})
    assert await accounts.require_reconnect(await as_kept(database, first), "invalid_grant")

    assert first.modified_at == (await as_kept(database, first)).modified_at
    assert [second.id, first.id] == [each.id for each in await accounts.of_user(1, "ann")]
    again = await connect(database, new_account("first"), reconnect=first.id)
    assert again.modified_at > second.modified_at
    assert [first.id, second.id] == [each.id for each in await accounts.of_user(1, "ann")]


async def test_replaced_and_disconnected_credentials_are_erased(empty_database: Path, tmp_path: Path) -> None:
    """After a refresh and a disconnect the files hold nothing of them, not even in freed pages."""
    async with opened_copy(empty_database, tmp_path) as database:
        accounts = Accounts(database)
        account = await connect(database, new_account("alice", sealed_credentials="find-me-first" * 50))
        await connect(database, new_account("bob"))
        before = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        await accounts.replace_credentials(account, "find-me-second" * 50, None, {})
        await accounts.disconnect(await as_kept(database, account))
    after = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert b"find-me" in before
    assert b"find-me" not in after


async def test_a_lease_is_taken_once(several: list[Database]) -> None:
    """Of many who want to refresh an account one does; the others may once it has given the lease back."""
    accounts = Accounts(several[0])
    account = await connect(several[0], new_account("alice"))
    taken = await asyncio.gather(*(Accounts(each).take_lease(account, "refresher", 60) for each in several * 3))

    (lease,) = [each for each in taken if each is not None]
    await accounts.release_lease(account, Lease("somebody else", False), interrupted=False)
    assert await accounts.take_lease(account, "late", 60) is None
    await accounts.release_lease(account, lease, interrupted=False)
    assert Lease("late", False) == await accounts.take_lease(account, "late", 60)


async def test_an_interrupted_refresh_is_remembered(database: Database) -> None:
    """A lease ends by itself; until a refresh succeeds each one tells that an earlier one was cut off or has died."""
    accounts = Accounts(database)
    account = await connect(database, new_account("alice"))
    assert Lease("died", False) == await accounts.take_lease(account, "died", -1)
    second = await accounts.take_lease(account, "second", 60)
    assert Lease("second", True) == second
    await accounts.release_lease(account, second, interrupted=False)
    assert Lease("third", True) == await accounts.take_lease(account, "third", 60)
    await accounts.replace_credentials(account, "refreshed", None, {})
    account = await as_kept(database, account)
    first = await accounts.take_lease(account, "first", 60)
    assert Lease("first", False) == first
    await accounts.release_lease(account, first, interrupted=True)

    assert Lease("next", True) == await accounts.take_lease(account, "next", 60)


async def test_no_lease_for_what_has_changed(database: Database) -> None:
    """After a refresh the next one begins with the new credentials; of what must be reconnected or is gone, none."""
    accounts = Accounts(database)
    account = await connect(database, new_account("alice"))
    await accounts.take_lease(account, "refresher", 60)
    assert await accounts.replace_credentials(account, "refreshed", 5.0, {"region": "eu"})
    assert not await accounts.take_lease(account, "late", 60)
    current = await as_kept(database, account)

    expected = evolve(account, sealed_credentials="refreshed", expires_at=5.0, variables={"region": "eu"})
    assert evolve(expected, version=account.version + 1, refreshed_at=current.refreshed_at) == current
    assert current.refreshed_at is not None
    lease = await accounts.take_lease(current, "another", 60)
    await accounts.release_lease(current, lease, interrupted=False)
    await accounts.require_reconnect(current, "invalid_grant")
    assert not await accounts.take_lease(current, "late", 60)
    await accounts.disconnect(current)
    assert not await accounts.take_lease(current, "late", 60)


def test_sealed_credentials_are_not_shown() -> None:
    """Even sealed credentials stay out of representations, which end up in logs."""
    assert "find-me" not in repr(new_account(sealed_credentials="find-me"))


async def test_due_accounts_are_found_and_put_off_once(database: Database, database_url: str) -> None:
    """Those that wait longest first, without those of some apps; who was found twice is put off by one."""
    renewals = Renewals(database)
    for number, app in enumerate(("sandbox", "wiki", "sandbox")):
        await connect(database, new_account(f"{number}", app_name=app))
    execute(database_url, "UPDATE accounts SET renewal_due_at = 10 - id")
    found = await renewals.due(10)
    assert [3, 2, 1] == [each.account.id for each in found]
    assert [3, 1] == [each.account.id for each in await renewals.due(10, {"wiki"})]
    assert [3] == [each.account.id for each in await renewals.due(1)]

    assert await renewals.put_off(found[0], now() + 60)
    assert not await renewals.put_off(found[0], now() + 60)
    assert [2, 1] == [each.account.id for each in await renewals.due(10)]


async def test_only_active_accounts_are_due(database: Database) -> None:
    """One that its user has to bring back is not asked for; a new account is due, so that somebody looks at it."""
    account = await connect(database, new_account())
    assert [account] == [each.account for each in await Renewals(database).due(10)]
    await Accounts(database).require_reconnect(account, "The app refused.")

    assert [] == await Renewals(database).due(10)
