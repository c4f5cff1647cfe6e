"""Erasing a user where it is not simple: calls under way, crashes, users who go on; and who may do it."""

import json
from typing import Any

import pytest

from service_server.administration.actors import NotAllowed
from service_server.administration.failures import AdministrationError
from service_server.administration.users import UserAdministration
from service_server.store import (
    USER_DATA_KINDS,
    AuditEvents,
    CallLog,
    IdempotencyRecords,
    Processes,
    Refusal,
    UserData,
)
from service_server.store.call_ids import call_id
from service_server.store.tables import METADATA
from service_server.vault import Kept
from tests.service_server.actors import OWNER, VIEWER
from tests.service_server.connected_world import World
from tests.service_server.oauth.due_accounts import connected_account
from tests.service_server.store.databases import call, connect, keyed, new_account, opened, pending_session

pytestmark = pytest.mark.slow


@pytest.fixture
def users(world: World) -> UserAdministration:
    """What operators do for users, in the world of the test."""
    return UserAdministration(
        vault=world.vault,
        accounts=world.accounts,
        sessions=world.sessions,
        credentials=world.credentials,
        data=UserData(world.database),
        audit=AuditEvents(world.database),
    )


def test_every_table_of_users_is_known() -> None:
    """A table that gets rows of users is told and erased: whoever adds one adds it there."""
    of_users = {table.name for table in METADATA.sorted_tables if "user_id" in table.c}
    assert {"account_events", "accounts", "calls", "connect_sessions", "files", "idempotency", "refusals"} == of_users
    assert len(of_users) + 1 == len(USER_DATA_KINDS)


async def test_viewers_may_not(users: UserAdministration, world: World) -> None:
    """Neither export nor erase nor disconnect."""
    account = await connected_account(world)
    for refused in (
        anext(aiter(users.export(VIEWER, world.application, "ann"))),
        users.erase(VIEWER, world.application, "ann"),
        users.disconnect(VIEWER, account),
    ):
        with pytest.raises(NotAllowed):
            await refused
    assert [account] == await world.accounts.of_user(world.application.id, "ann")


async def test_no_link_to_connect_with_is_told(users: UserAdministration, world: World) -> None:
    """The name of a pending session is all it takes to open its page, so that the export leaves it out."""
    owner = new_account("ann", user_id="ann", application_id=world.application.id)
    pending, over = await pending_session(world.database, owner), await pending_session(world.database, owner)
    await world.sessions.finish(over.id, "cancelled")

    told = [json.loads(line) async for line in users.export(OWNER, world.application, "ann")]

    sessions = {each["status"]: each["id"] for each in told if each["type"] == "connect_session"}
    assert {"pending": None, "cancelled": over.id} == sessions
    assert not any(pending.id in str(each) for each in told)


async def test_half_an_emoji_breaks_off_no_export(users: UserAdministration, world: World) -> None:
    """Apps cut texts anywhere: what is no Unicode is told as JSON can tell it."""
    log, of_user = CallLog(world.database), {"application_id": world.application.id, "user_id": "ann"}
    await log.record(call("c" * 32, output={"title": "\ud83d"}, **of_user))

    lines = [line.encode() async for line in users.export(OWNER, world.application, "ann")]

    told = [json.loads(line) for line in lines]
    assert [{"title": "\ud83d"}] == [each["output"] for each in told if each["type"] == "call"]


async def test_calls_under_way_are_waited_for(users: UserAdministration, world: World) -> None:
    """As long as is said: then nobody's row is taken away under a call, and erasing again does the rest."""
    await connected_account(world)
    await CallLog(world.database).record(call("c" * 32, application_id=world.application.id))
    with pytest.raises(AdministrationError, match="still under way"):
        await users.erase(OWNER, world.application, "ann", patience_seconds=0)
    assert [] == await world.accounts.of_user(world.application.id, "ann")
    running = await CallLog(world.database).get("c" * 32)
    assert running is not None
    await CallLog(world.database).finish(running)

    assert 1 == (await users.erase(OWNER, world.application, "ann")).counts["call"]
    assert await CallLog(world.database).get("c" * 32) is None


async def test_what_a_crash_has_left_is_erased_again(
    users: UserAdministration, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken off anywhere, nothing comes back, and the next run ends what was begun; the trail shows both."""
    await connected_account(world)

    async def crash(*_: object) -> dict[str, int]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(UserData, "delete", crash)
        with pytest.raises(KeyboardInterrupt):
            await users.erase(OWNER, world.application, "ann")
    assert 1 == len(world.sandbox.received("/oauth/revoke"))
    erased = await users.erase(OWNER, world.application, "ann")

    assert (0, 1) == (erased.counts["account"], erased.counts["connect_session"])
    trail = [(each.act, each.subject) for each in (await users.audit.events(limit=10))[::-1]]
    who = world.vault.pseudonym(world.application.id, "ann")
    assert [("user.erasure_begun", who)] * 2 + [("user.erased", who)] == trail


async def test_the_trail_forgets_whom_acts_were_about(users: UserAdministration, world: World) -> None:
    """That somebody looked stays; whom they looked at does not. An operator of the same name is somebody else."""
    await users.audit.add(OWNER.does("playground.opened", "ann", function="f"))
    await users.audit.add(OWNER.does("calls.exported", "", filters={"user": "ann", "app": "sandbox"}))
    await users.audit.add(OWNER.does("operator.removed", "ann"))
    await users.erase(OWNER, world.application, "ann")
    who = world.vault.pseudonym(world.application.id, "ann")
    trail = {each.act: (each.subject, each.changes) for each in await users.audit.events(limit=10)}

    assert (who, {"function": "f"}) == trail["playground.opened"]
    assert ("", {"filters": {"user": who, "app": "sandbox"}}) == trail["calls.exported"]
    assert "ann" == trail["operator.removed"][0]


async def test_the_trail_keeps_users_of_other_applications(users: UserAdministration, world: World) -> None:
    """One who has the same id there is somebody else."""
    here, there = world.application.id, world.application.id + 1
    for application in (here, there):
        await users.audit.add(OWNER.does("playground.opened", "1", application=application, function="f"))
        filters = {"user": "1", "application": str(application)}
        await users.audit.add(OWNER.does("calls.exported", "", filters=filters))
    await users.erase(OWNER, world.application, "1")
    who = world.vault.pseudonym(here, "1")
    trail = [each for each in await users.audit.events(limit=10) if not each.act.startswith("user.")][::-1]

    assert [who, "", "1", ""] == [each.subject for each in trail]
    assert [who, "1"] == [trail[place].changes["filters"]["user"] for place in (1, 3)]


async def test_history_and_search(users: UserAdministration, world: World) -> None:
    """Users are found by how their ids begin; what happened to one is told, newest first."""
    account = await connected_account(world)
    await CallLog(world.database).record(
        call(call_id(), application_id=world.application.id, outcome="finished", network_code="500", started_at="2020")
    )
    await world.accounts.require_reconnect(account, "It was refused.")
    found = await users.found(world.application, "an", 10)
    history = await users.history(world.application, "ann", 10)

    assert [("ann", 1)] == [(each.user_id, len(each.accounts)) for each in found]
    assert [] == await users.found(world.application, "a%", 10)
    assert [
        ("account.reconnect_required", "sandbox", "It was refused.", True),
        ("account.connected", "sandbox", None, False),
        ("call.finished", "sandbox-create-ticket", "The app answered 500.", True),
    ] == [(each.event, each.about, each.reason, each.went_wrong) for each in history]


async def test_what_waits_to_be_redeemed_is_revoked(users: UserAdministration, world: World) -> None:
    """A grant that no account has yet is ended at the app as well, and its session can't be redeemed."""
    session = await world.connect.create(
        world.application, "ann", "sandbox", redirect_url=f"{world.application.allowed_origins[0]}/back"
    )
    new = new_account("alice", application_id=world.application.id, sealed_credentials="unreadable")
    sealed = world.vault.seal(new.parked(), Kept.CONNECT_OUTCOME, session.id)
    assert await world.sessions.await_redemption(session.id, "code", sealed)
    erased = await users.erase(OWNER, world.application, "ann")

    assert (1, 1) == (erased.not_revoked, erased.counts["connect_session"])  # it could not be opened
    assert await world.sessions.get(session.id) is None


async def test_a_user_who_goes_on_is_told(
    users: UserAdministration, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If more and more comes, the operator is told to stop the user first."""
    log, delete = CallLog(world.database), UserData.delete

    async def with_another(self: UserData, application_id: int, user_id: str) -> dict[str, int]:
        refusal = {"function_name": "f", "code": "required", "error": "e", "at": "2026", "request_id": "r"}
        await log.refuse(Refusal(id=call_id(), application_id=application_id, user_id=user_id, **refusal))
        return await delete(self, application_id, user_id)

    monkeypatch.setattr(UserData, "delete", with_another)
    with pytest.raises(AdministrationError, match="The user is active"):
        await users.erase(OWNER, world.application, "ann")


async def test_many_rows_go_in_batches(database_url: str) -> None:
    """More than one batch of each kind is told, each row once, and deleted; others' rows stay, and so do accounts."""
    async with opened(database_url) as database:
        data, calls, keys = UserData(database), CallLog(database), IdempotencyRecords(database)

        async def kept(kind: str, user_id: str) -> list[dict[str, Any]]:
            return [row async for row in data.rows(kind, 1, user_id)]

        for user_id in ("ann", "Ann"):
            await connect(database, new_account(user_id=user_id))
            for number in range(101):
                await calls.record(call(call_id(), user_id=user_id, outcome="finished", request_id=f"{number}"))
        processes = Processes(database)
        async with processes.serving():
            await keys.claim(keyed("under way", processes))
            assert (1, 0) == (await data.under_way(1, "ann"), await data.under_way(1, "bob"))
            told = [row["request_id"] for row in await kept("call", "ann")]
            deleted = await data.delete(1, "ann")

        assert sorted(told) == sorted(f"{number}" for number in range(101))
        assert (101, 1, 0) == (deleted["call"], deleted["connect_session"], deleted["idempotency_key"])
        assert (101, 1) == (len(await kept("call", "Ann")), len(await kept("account", "ann")))
        assert "sealed" not in json.dumps(await kept("account", "Ann"))
