"""Claims of idempotency keys."""

import asyncio

import pytest
from attrs import evolve

from service_server.store import Database, IdempotencyRecord, IdempotencyRecords
from service_server.store.clock import now
from service_server.store.idempotency import KEPT_SECONDS


def record(call_id: str, **changes: object) -> IdempotencyRecord:
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


async def test_one_of_many_gets_a_key(database: Database) -> None:
    """Of claims at the same time exactly one succeeds, and the others learn whose it is."""
    records = IdempotencyRecords(database)
    claims = [record(f"call-{number}") for number in range(20)]
    holders = await asyncio.gather(*(records.claim(claim) for claim in claims))

    (winner,) = (claim for claim, holder in zip(claims, holders, strict=True) if holder is None)
    assert {winner.call_id} == {holder.call_id for holder in holders if holder is not None}


async def test_a_claim_that_meets_a_release_is_one_or_the_other(database: Database) -> None:
    """Who is told to have the key really holds it, also when the holder gives it back at that moment."""
    records = IdempotencyRecords(database)
    for number in range(50):
        first, second = (record(f"call-{number}-{name}", idempotency_key=f"{number}") for name in ("a", "b"))
        assert await records.claim(first) is None
        holder, _ = await asyncio.gather(records.claim(second), records.release(first))
        kept = await records.get(second)
        assert (second if holder is None else None) == kept


@pytest.mark.parametrize(
    "other",
    [{"application_id": 2}, {"user_id": "bea"}, {"function_name": "sandbox-get-ticket"}, {"idempotency_key": "KEY"}],
)
async def test_keys_of_others_are_other_keys(database: Database, other: dict[str, object]) -> None:
    """A key belongs to one application, user and function, to the letter."""
    records = IdempotencyRecords(database)

    assert await records.claim(record("a")) is None
    assert await records.claim(record("b", **other)) is None


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
