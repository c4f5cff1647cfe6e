"""Claims of idempotency keys."""

from attrs import evolve

from service_server.store import Database, IdempotencyRecords, Processes
from service_server.store.clock import now
from service_server.store.idempotency import KEPT_SECONDS
from tests.service_server.store.databases import keyed


async def test_a_key_is_its_owners_and_gives_the_kept_answer(database: Database) -> None:
    """It belongs to one application, user and function, to the letter; completed it has the first call's answer."""
    records, nobody = IdempotencyRecords(database), Processes(database)
    first = keyed("key", nobody, call_id="a")
    others = [{"application_id": 2}, {"user_id": "bea"}, {"function_name": "sandbox-get"}, {"idempotency_key": "KEY"}]

    for record in (first, *(evolve(first, call_id="b", **changes) for changes in others)):
        assert await records.claim(record) is None
    await records.complete(first, "sealed answer")
    holder = await records.claim(keyed("key", nobody, call_id="c"))
    assert ("a", "sealed answer") == (holder.call_id, holder.response)


async def test_keys_end_after_a_day(database: Database) -> None:
    """A key is free again 24 hours later, and not before."""
    records, nobody = IdempotencyRecords(database), Processes(database)
    for key, seconds in (("old", -1), ("young", 60)):
        await records.claim(keyed(key, nobody, created_at=now() - KEPT_SECONDS + seconds))

    assert await records.claim(keyed("old", nobody, call_id="new")) is None
    assert await records.claim(keyed("young", nobody, call_id="new")) is not None
