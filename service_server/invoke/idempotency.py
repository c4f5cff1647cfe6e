"""Idempotency keys: the same call with the same key happens once, and its result is answered again."""

import asyncio
import time

import attrs

from service_client.models import Action, CallResult, Code
from service_server.errors import ServiceError, failure, refused
from service_server.invoke.invocation import CallRequest, Executed, FormBody
from service_server.invoke.invoker import Invoker
from service_server.invoke.next_page import arguments_hash
from service_server.store import CallLog, DatabaseAway, IdempotencyRecord, IdempotencyRecords
from service_server.store.calls import call_id
from service_server.vault import Kept, Vault

LONGEST_KEY = 255
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.1
_PURPOSE = Kept.IDEMPOTENT_RESULT


class IdempotentInvoker:
    """Calls functions, at most once per idempotency key."""

    def __init__(self, invoker: Invoker, records: IdempotencyRecords, calls: CallLog, vault: Vault) -> None:
        self._invoker = invoker
        self._records = records
        self._calls = calls
        self._vault = vault
        self._under_way: set[asyncio.Task[tuple[Executed, bool]]] = set()

    async def call(self, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
        """
        Run a call; the second value tells whether it is a replay of an earlier one's result.

        A call goes on to its end even when its caller goes away meanwhile. A refused call gives its key back. Raises
        `idempotency_conflict` if the key was used with other arguments.
        """
        task = asyncio.create_task(self._run(request, key))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for the calls that are under way; the service is going down."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _run(self, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
        if key is None:
            return await self._invoker.call(request), False
        if not 0 < len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
            raise refused(Code.FORMAT, f"Idempotency-Key must be 1 to {LONGEST_KEY} printable ASCII characters.")
        record = _record(request, key, self._calls.process_id)
        holder = await self._records.claim(record)
        if holder is not None:
            return await self._replay(holder, record), True
        try:
            return await self._invoker.call(request, record, lambda result: self._keep(record, result)), False
        except (ServiceError, DatabaseAway):  # nothing was sent that may change something
            await self._records.release(record)
            raise

    async def _keep(self, record: IdempotencyRecord, result: CallResult) -> None:
        answer = attrs.asdict(result, recurse=False)
        await self._records.complete(record, self._vault.seal(answer, _PURPOSE, *_owner(record)))

    async def _replay(self, holder: IdempotencyRecord, record: IdempotencyRecord) -> Executed:
        if holder.arguments_hash != record.arguments_hash:
            raise failure(
                409,
                Code.IDEMPOTENCY_CONFLICT,
                "This Idempotency-Key was used for a call with other arguments. Use a new key for a new call.",
            )
        deadline = time.monotonic() + WAIT_SECONDS
        while holder.response is None:
            if await self._outcome_unknown(holder):
                return _executed(_unknown_outcome())
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
            holder = latest
        result = self._vault.open(holder.response, _PURPOSE, *_owner(record))
        return _executed(CallResult(**result))

    async def _outcome_unknown(self, holder: IdempotencyRecord) -> bool:
        call = await self._calls.get(holder.call_id)
        return call is not None and call.outcome == "unknown"


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


def _owner(record: IdempotencyRecord) -> tuple[str | int, ...]:
    return (record.application_id, record.user_id, record.function_name, record.idempotency_key)


def _executed(result: CallResult) -> Executed:
    return Executed(result=result, upstream_ms=0.0, total_ms=0.0)


def _unknown_outcome() -> CallResult:
    return CallResult(
        network_code="502",
        output={
            "error": "outcome_unknown",
            "reason": "the service stopped after sending this call and before seeing the answer; check in the app",
        },
    )
