"""Steps of a connect session: each may happen once, and only while the session is pending."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service_server.store import ConnectSessionRow, ConnectSessions, Database
from service_server.store.clock import now
from service_server.store.connect_sessions import KEPT_AFTER_EXPIRY_SECONDS
from tests.service_server.store.databases import pending_session

STEPS: dict[str, Callable[[ConnectSessions, str], Awaitable[bool]]] = {
    "bind": lambda sessions, id: sessions.bind(id, "browser"),
    "show": lambda sessions, id: sessions.show(id, "page"),
    "note_error": lambda sessions, id: sessions.note_error(id, "The key was refused."),
    "progress": lambda sessions, id: sessions.progress(id, "another state", "sealed"),
    "take_state": lambda sessions, id: sessions.take_state(id, "state"),
    "await_redemption": lambda sessions, id: sessions.await_redemption(id, "another code", "sealed"),
    "take_code": lambda sessions, id: sessions.take_code(id, "code"),
    "finish": lambda sessions, id: sessions.finish(id, "failed", error="It failed."),
}


async def as_kept(database: Database, session_id: str) -> ConnectSessionRow:
    """The session as it is kept now."""
    found = await ConnectSessions(database).get(session_id)
    assert found is not None
    return found


@pytest.mark.parametrize("step", ["bind", "take_state", "take_code", "finish"])
async def test_one_time_steps_happen_once(database: Database, step: str) -> None:
    """Of several at the same moment one succeeds; a repetition later does not."""
    session = await pending_session(database, state_hash="state", code_hash="code")
    sessions = ConnectSessions(database)
    results = await asyncio.gather(*(STEPS[step](sessions, session.id) for _ in range(5)))

    assert 1 == sum(results)
    assert not await STEPS[step](sessions, session.id)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("over", ["cancelled", "expired", "unknown"])
async def test_nothing_happens_to_a_session_that_is_over(database: Database, step: str, over: str) -> None:
    """After its end, after its time, and without a session every step is refused and changes nothing."""
    changes = {"expires_at": now() - 1} if over == "expired" else {}
    session = await pending_session(database, state_hash="state", code_hash="code", **changes)
    sessions = ConnectSessions(database)
    if over == "cancelled":
        await sessions.finish(session.id, "cancelled")
    before = await as_kept(database, session.id)

    assert not await STEPS[step](sessions, "no such session" if over == "unknown" else session.id)
    assert before == await as_kept(database, session.id)


@pytest.mark.parametrize("step", ["take_state", "take_code"])
async def test_only_the_right_value_is_taken(database: Database, step: str) -> None:
    """A wrong state or code uses nothing up."""
    session = await pending_session(database, state_hash="other", code_hash="other")

    assert not await STEPS[step](ConnectSessions(database), session.id)
    assert ("other", "other") == ((kept := await as_kept(database, session.id)).state_hash, kept.code_hash)


async def test_the_first_end_stands_and_leaves_nothing_secret(database: Database) -> None:
    """An ended session keeps how it ended, and neither states nor codes nor sealed values."""
    session = await pending_session(database, state_hash="state", code_hash="code", sealed_progress="sealed")
    sessions = ConnectSessions(database)
    assert await sessions.finish(session.id, "failed", error="It failed.")
    assert not await sessions.finish(session.id, "cancelled")

    kept = await as_kept(database, session.id)
    assert ("failed", "It failed.") == (kept.standing, kept.error)
    assert (None, None, None) == (kept.state_hash, kept.code_hash, kept.sealed_progress)


async def test_a_page_that_was_left_cannot_end_the_session(database: Database) -> None:
    """Closing a page ends the session only while the browser still shows that page."""
    session = await pending_session(database)
    sessions = ConnectSessions(database)
    await sessions.show(session.id, "second page")

    assert not await sessions.finish(session.id, "cancelled", page="first page")
    assert await sessions.finish(session.id, "cancelled", page="second page")


async def test_a_session_is_found_by_its_state_only_while_it_is_out(database: Database) -> None:
    """Once a state was used nobody finds a session by it."""
    session = await pending_session(database, state_hash="state")
    sessions = ConnectSessions(database)
    found = await sessions.with_state("state")
    await sessions.take_state(session.id, "state")

    assert session == found
    assert await sessions.with_state("state") is None


async def test_old_sessions_are_cleared_away(database: Database) -> None:
    """An expired session loses its secrets with the next one that begins, and is forgotten a day later."""
    expired = await pending_session(database, state_hash="state", sealed_progress="sealed", expires_at=now() - 1)
    forgotten = await pending_session(database, expires_at=now() - KEPT_AFTER_EXPIRY_SECONDS - 1)
    await pending_session(database)
    kept = await as_kept(database, expired.id)

    assert ("expired", None, None) == (kept.standing, kept.state_hash, kept.sealed_progress)
    assert await ConnectSessions(database).get(forgotten.id) is None
