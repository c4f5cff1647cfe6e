"""Claims of idempotency keys."""

from typing import Any

from attrs import evolve

from service_server.store import Database, IdempotencyRecord, IdempotencyRecords
from service_server.store.clock import now
from service_server.store.idempotency import KEPT_SECONDS


def record(call_id: str, **changes: Any) -> IdempotencyRecord:
    """A claim of one key for a call, with `changes`."""
    first = IdempotencyRecord(
        application_id=1,
        user_id="ann",
        function_name="sandbox-create-ticket",
        idempotency_key="key",
        arguments_hash="hash",
        call_id=call_id,
        created_at=now(),
    )
    return evolve(first, **changes)


async def test_keys_of_others_are_other_keys(database: Database) -> None:
    """A key belongs to one application, user and function, to the letter."""
    records = IdempotencyRecords(database)
    others = [{"application_id": 2}, {"user_id": "bea"}, {"function_name": "sandbox-get"}, {"idempotency_key": "KEY"}]

    assert await records.claim(record("a")) is None
    assert [None] * 4 == [await records.claim(record("b", **other)) for other in others]


async def test_a_kept_answer_is_given_again(database: Database) -> None:
    """Whoever claims a completed key gets the first call's answer."""
    records = IdempotencyRecords(database)
    await records.claim(record("a"))
    await records.complete(record("a"), "sealed answer")
    holder = await records.claim(record("b"))

    assert holder is not None
    assert ("a", "sealed answer") == (holder.call_id, holder.response)


async def test_keys_end_after_a_day(database: Database) -> None:
    """A key is free again 24 hours later, and not before."""
    records = IdempotencyRecords(database)
    await records.claim(record("old", created_at=now() - KEPT_SECONDS - 1))
    await records.claim(record("young", created_at=now() - KEPT_SECONDS + 60, idempotency_key="young"))

    assert await records.claim(record("new")) is None
    assert await records.claim(record("new", idempotency_key="young")) is not None
