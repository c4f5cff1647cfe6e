"""What a backup had caught under way is ended in the database that was restored from it."""

from service_server.store import Accounts, CallLog, ConnectSessions, Database, IdempotencyRecords, Processes
from service_server.store.clock import now
from service_server.store.cut_off import CutOff, end_what_was_under_way
from tests.service_server.store.databases import call, connect, keyed, new_account, pending_session


async def test_nothing_is_under_way_afterwards(database: Database) -> None:
    """Calls are unknown, refreshes interrupted, grants gone; keys stay taken, as a call may have been sent since."""
    processes, log, records = Processes(database), CallLog(database), IdempotencyRecords(database)
    sessions, accounts = ConnectSessions(database), Accounts(database)
    account = await connect(database, new_account())
    async with processes.serving():
        await log.record(call("call-sent", process_id=processes.id))
        await log.record(call("call-ended", outcome="finished", network_code="200"))
        for key in ("sent", "claimed"):
            assert await records.claim(keyed(key, processes)) is None
        assert await accounts.take_lease(account, "refresher", 60.0) is not None
        waiting = await pending_session(database)
        assert await sessions.progress(waiting.id, "state", "sealed")
        gained = await pending_session(database)
        assert await sessions.await_redemption(gained.id, "code", "sealed")
        ended = await end_what_was_under_way(database)
    async with Processes(database).serving():  # which gives back what it finds of processes that are gone
        held = [await records.claim(keyed(key, Processes(database), call_id="other")) for key in ("sent", "claimed")]
    lease = await accounts.take_lease(account, "next", 60.0)

    assert CutOff(calls=1, idempotency_keys=2, refreshes=1, connect_sessions=2) == ended
    assert ["unknown", "finished"] == [(await log.get(each)).outcome for each in ("call-sent", "call-ended")]
    assert ["call-sent", "call-claimed"] == [record.call_id for record in held if record is not None]
    assert lease.follows_interruption
    for session in (waiting, gained):
        found = await sessions.get(session.id)
        assert ("expired", None, None) == (found.status, found.sealed_progress, found.sealed_outcome)
        assert found.expires_at > now()
    assert [] == await sessions.unredeemed()
