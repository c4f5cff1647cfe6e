"""Idempotency keys: the same call with the same key runs once, and repeats get its result again."""

import asyncio
import time
from functools import partial

from service_client.models import Action, CallResult, Code
from service_server.errors import failure, going_down, refused
from service_server.invoke.endings import Ending
from service_server.invoke.invocation import CallRequest, Executed, FormBody, Key, Parts, Refused
from service_server.invoke.invoker import Invoker
from service_server.invoke.kept_answer import answer_of, kept_answer, not_kept, unknown_outcome
from service_server.invoke.next_page import arguments_hash
from service_server.store import IdempotencyRecord, IdempotencyRecords
from service_server.store.call_ids import call_id
from service_server.vault import Kept

LONGEST_KEY = 255
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.1
GIVING_UP_SECONDS = 1.0
_PURPOSE = Kept.IDEMPOTENT_RESULT


class IdempotentInvoker:
    """Calls functions, at most once per idempotency key."""

    def __init__(self, invoker: Invoker, parts: Parts, records: IdempotencyRecords) -> None:
        self._invoker = invoker
        self._records = records
        self._calls = parts.calls
        self._vault = parts.vault
        self._endings = parts.endings
        self._kept_bytes = parts.settings.max_kept_answer_bytes
        self._under_way: set[asyncio.Task[tuple[Executed, bool]]] = set()

    async def call(self, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
        """
        Run a call; the second value tells whether the result is replayed from an earlier call.

        A call runs to its end even if its caller goes away meanwhile. A refused call gives its key back. Raises
        `idempotency_conflict` if the key was used with other arguments.
        """
        task = asyncio.create_task(self._run(request, key))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait until no call is under way and all is written; the service is going down."""
        while self._under_way:
            await asyncio.wait(self._under_way)
        await self._endings.drain()

    async def give_up(self) -> None:
        """
        End the calls that are still under way.

        Calls that were sent are answered as executed, with an unknown outcome; the others are refused.
        """
        for task in self._under_way:
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=GIVING_UP_SECONDS)
        self._endings.give_up()

    async def _run(self, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
        try:
            return await self._run_once(request, key)
        except asyncio.CancelledError:
            raise going_down() from None

    async def _run_once(self, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
        if key is None:
            return _executed_or_raised(await self._invoker.call(request)), False
        if not 0 < len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
            raise refused(Code.FORMAT, f"Idempotency-Key must be 1 to {LONGEST_KEY} printable ASCII characters.")
        await request.give_way()
        record = _record(request, key, self._calls.process_id)
        await request.give_way()
        try:
            holder = await self._records.claim(record)
        except Exception:  # the key may be claimed even so, and nothing of the call is sent
            release = partial(self._records.release, record)
            self._endings.write_later(Ending(call_id=record.call_id, writes=[release]))
            raise
        if holder is not None:
            return await self._replay(holder, record), True
        held = Key(
            call_id=record.call_id,
            process_id=record.process_id,
            keep=partial(self._keep, record),
            give_back=partial(self._records.release, record),
        )
        return _executed_or_raised(await self._invoker.call(request, held)), False

    async def _keep(self, record: IdempotencyRecord, result: CallResult) -> None:
        answer = kept_answer(result, self._kept_bytes)
        await self._records.complete(record, self._vault.seal(answer, _PURPOSE, *_owner(record)))

    async def _replay(self, holder: IdempotencyRecord, record: IdempotencyRecord) -> Executed:
        _check_same(holder, record)
        deadline = time.monotonic() + WAIT_SECONDS
        while holder.response is None:
            ended = self._endings.result_of(holder.call_id) or await self._lost_result(holder, record)
            if ended is not None:
                return _executed(ended)
            if time.monotonic() > deadline:
                raise failure(
                    409,
                    Code.IDEMPOTENCY_CONFLICT,
                    "The first call with this Idempotency-Key is still under way. Ask again later.",
                    action=Action.WAIT,
                )
            await asyncio.sleep(POLL_SECONDS)
            latest = await self._records.get(record)
            if latest is None:  # the first call was refused: nothing happened, and nothing may happen unasked
                raise failure(
                    409,
                    Code.IDEMPOTENCY_CONFLICT,
                    "The first call with this Idempotency-Key was refused. Send the call again.",
                )
            _check_same(latest, record)  # the first call may have been refused, and another one has the key now
            holder = latest
        result = self._vault.open(holder.response, _PURPOSE, *_owner(record))
        return _executed(answer_of(result))

    async def _lost_result(self, holder: IdempotencyRecord, record: IdempotencyRecord) -> CallResult | None:
        """What is known about a call whose answer will never be kept; None if it may still be, or is."""
        call = await self._calls.get(holder.call_id)
        if call is None or call.outcome == "started":
            return None
        if call.outcome == "unknown":
            return unknown_outcome()
        latest = await self._records.get(record)  # an answer is written with the call's end in the log, or not at all
        if latest is None or latest.response is not None:
            return None
        return CallResult(network_code=call.network_code or "", output=not_kept("the answer could not be written"))


def _record(request: CallRequest, key: str, process_id: str | None) -> IdempotencyRecord:
    body = request.body
    arguments = list(body.pairs) if isinstance(body, FormBody) else dict(body.values)
    return IdempotencyRecord(
        application_id=request.application_id,
        user_id=request.user_id,
        function_name=request.function.name,
        idempotency_key=key,
        arguments_hash=arguments_hash([arguments, request.connected_account_id]),
        call_id=call_id(),
        process_id=process_id,
        created_at=time.time(),
    )


def _check_same(holder: IdempotencyRecord, record: IdempotencyRecord) -> None:
    """Refuse a key that is held by a call with other arguments."""
    if holder.arguments_hash != record.arguments_hash:
        raise failure(
            409,
            Code.IDEMPOTENCY_CONFLICT,
            "This Idempotency-Key was used for a call with other arguments. Use a new key for a new call.",
        )


def _owner(record: IdempotencyRecord) -> tuple[str | int, ...]:
    return (record.application_id, record.user_id, record.function_name, record.idempotency_key)


def _executed_or_raised(came: Refused | Executed) -> Executed:
    """The boundary to the code that answers requests, where a refusal becomes an error again."""
    if isinstance(came, Refused):
        raise came.error
    return came


def _executed(result: CallResult) -> Executed:
    return Executed(result=result, upstream_ms=0.0, total_ms=0.0)
