"""Steps of a connect session: each may happen once, and only while the session is pending."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service_client.models import ConnectStatus
from service_server.store import ConnectSessionRow, ConnectSessions, Database
from service_server.store.clock import now
from tests.service_server.databases import execute
from tests.service_server.store.databases import pending_session

STEPS: dict[str, Callable[[ConnectSessions, str], Awaitable[bool]]] = {
    "bind": lambda sessions, id: sessions.bind(id, "browser", now() + 600),
    "show": lambda sessions, id: sessions.show(id, "page"),
    "note_error": lambda sessions, id: sessions.note_error(id, "The key was refused."),
    "progress": lambda sessions, id: sessions.progress(id, "another state", "sealed"),
    "await_choice": lambda sessions, id: sessions.await_choice(id, "sealed"),
    "take_state": lambda sessions, id: sessions.take_state(id, "state", "taken"),
    "await_redemption": lambda sessions, id: sessions.await_redemption(id, "another code", "sealed"),
    "take_code": lambda sessions, id: sessions.take_code(id, "code"),
    "finish": lambda sessions, id: sessions.finish(id, "failed", error="It failed."),
}


async def as_kept(database: Database, session_id: str) -> ConnectSessionRow:
    """The session as it is kept now."""
    found = await ConnectSessions(database).get(session_id)
    assert found is not None
    return found


async def test_one_time_steps_happen_once(several: list[Database]) -> None:
    """Of several at the same moment one succeeds, whichever processes they reach; a repetition later does not."""
    for step in ("bind", "take_state", "take_code", "finish"):
        session = await pending_session(several[0], state_hash="state", code_hash="code")
        everywhere = [ConnectSessions(database) for database in several]
        results = await asyncio.gather(*(STEPS[step](sessions, session.id) for sessions in everywhere * 2))

        assert 1 == sum(results), step
        assert not await STEPS[step](everywhere[0], session.id), step
        # Else the next one could not have the same state.
        await everywhere[0].progress(session.id, f"state of {session.id}", "sealed")


@pytest.mark.parametrize("over", ["cancelled", "expired", "unknown"])
async def test_nothing_happens_to_a_session_that_is_over(database: Database, over: str) -> None:
    """After its end, after its time, and without a session every step is refused and changes nothing."""
    sessions, expired = ConnectSessions(database), {"expires_at": now() - 1} if over == "expired" else {}
    session = await pending_session(database, state_hash="state", code_hash="code", **expired)
    if over == "cancelled":
        await sessions.finish(session.id, "cancelled")
    before = await as_kept(database, session.id)

    for name, step in STEPS.items():
        assert not await step(sessions, "no such session" if over == "unknown" else session.id), name
        assert before == await as_kept(database, session.id), name


async def test_only_the_right_value_is_taken(database: Database) -> None:
    """A wrong state or code uses nothing up; a state that was used leads to the session by its mark alone."""
    session = await pending_session(database, state_hash="state", code_hash="code")
    sessions = ConnectSessions(database)

    assert not await sessions.take_state(session.id, "other", "taken")
    assert not await sessions.take_code(session.id, "other")
    assert session == await as_kept(database, session.id) == await sessions.with_state("state")
    assert await sessions.take_state(session.id, "state", "taken")
    assert await sessions.with_state("state") is None
    assert await as_kept(database, session.id) == await sessions.with_state("taken")


async def test_the_first_end_stands_and_leaves_nothing_secret(database: Database) -> None:
    """An ended session keeps how it ended, and nothing sealed; a page ends it only while the browser shows it."""
    session = await pending_session(database, code_hash="code", sealed_progress="sealed")
    sessions = ConnectSessions(database)
    await sessions.show(session.id, "second page")
    assert not await sessions.finish(session.id, "cancelled", page="first page")
    assert await sessions.finish(session.id, "failed", error="It failed.", page="second page")
    assert not await sessions.finish(session.id, "cancelled")

    kept = await as_kept(database, session.id)
    assert ("failed", "It failed.") == (kept.standing, kept.error)
    assert (None, None) == (kept.code_hash, kept.sealed_progress)


async def test_an_expired_session_loses_what_its_next_step_needed(database: Database) -> None:
    """And nothing else; one that goes on keeps it."""
    expired = await pending_session(database, state_hash="state", sealed_progress="sealed", expires_at=now() - 1)
    pending = await pending_session(database, state_hash="other", sealed_progress="sealed")
    await ConnectSessions(database).erase_progress()
    kept = await as_kept(database, expired.id)

    assert ("expired", "state", None) == (kept.standing, kept.state_hash, kept.sealed_progress)
    assert pending == await as_kept(database, pending.id)


@pytest.mark.parametrize("over", ["cancelled", "failed", "expired"])
async def test_what_was_gained_outlives_the_session_until_it_is_erased(
    database: Database, database_url: str, over: ConnectStatus
) -> None:
    """It has to be revoked first, by one at a time, and by another if that one does not come to its end."""
    sessions = ConnectSessions(database)
    changes = {"expires_at": now() - 60} if over == "expired" else {}
    session = await pending_session(database, code_hash="code", sealed_outcome="sealed", **changes)
    going_on = await pending_session(database, code_hash="code", sealed_outcome="sealed")
    if over != "expired":
        await sessions.finish(session.id, over)
    found = [each.id for each in await sessions.unredeemed()]
    claims = await asyncio.gather(*(sessions.claim_unredeemed(session.id, 600) for _ in range(5)))
    claimed = await sessions.unredeemed()
    execute(database_url, "UPDATE connect_sessions SET revoking_until = 1 WHERE revoking_until IS NOT NULL")
    again = await sessions.unredeemed()
    await sessions.erase_outcome(session.id)

    assert ([session.id], 1, [], ["sealed"]) == (found, sum(claims), claimed, [each.sealed_outcome for each in again])
    assert [] == await sessions.unredeemed()
    assert "sealed" == (await as_kept(database, going_on.id)).sealed_outcome
    assert not await sessions.claim_unredeemed(going_on.id, 60)


async def test_those_who_wait_are_told_what_has_ended(database: Database) -> None:
    """With one look for all of them, however many; who is not there any more has ended too."""
    sessions = ConnectSessions(database)
    pending, ended = await pending_session(database), await pending_session(database)
    await sessions.finish(ended.id, "cancelled")
    strangers = [f"stranger {number}" for number in range(1200)]

    assert [*strangers, ended.id] == await sessions.ended_of([*strangers, pending.id, ended.id])
