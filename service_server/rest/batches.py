"""
`POST /functions/<name>/batch`: one function with many sets of arguments, answered line by line.

Each set is a call of its own, run as `rest/calls.py` runs one: with a row in the log, an idempotency key, the limits
and a refusal of its own. Lines come in the order of the sets, as soon as those before are there.
"""

import asyncio
import contextlib
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import evolve, frozen
from litestar import post
from litestar.exceptions import NotFoundException
from litestar.openapi.spec import Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.status_codes import HTTP_200_OK

from service_client.models import Action, Code
from service_server.errors import ServiceError, failure, going_down, refused
from service_server.invoke import CallRequest, Executed, FormBody, JsonBody
from service_server.invoke.idempotency import LONGEST_KEY
from service_server.json_texts.foreign import MAX_VALUES
from service_server.rest.bodies import CallerGone
from service_server.rest.caller import Caller
from service_server.rest.calls import Asked, CallRoute
from service_server.rest.described_bodies import taking_json
from service_server.rest.envelope import told
from service_server.rest.parameters import FunctionName, GivenAccountId, GivenInclude, GivenKey
from service_server.rest.under_way import IS_CLOSING
from service_server.rest.wire import encode, encode_failure, encode_result, send_failure

MOST_SETS = 100
AT_ONCE = 8
"""How many calls of a batch are under way, or wait to be told, at a time."""

WAITING_SECONDS = 30.0
"""How long after its beginning a batch still waits for room within limits, before it tells a set that there is none."""

_PATH = re.compile(r"/functions/([^/]+)/batch/?")
_FIELD = "arguments"
_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")
_LONGEST_SUFFIX = len(f":{MOST_SETS - 1}")
_TOO_MANY_REQUESTS = 429

_SET = Schema(type=OpenAPIType.OBJECT, additional_properties=True, max_properties=MAX_VALUES)
_BODY = Schema(
    type=OpenAPIType.OBJECT,
    properties={
        _FIELD: Schema(
            type=OpenAPIType.ARRAY, items=_SET, min_items=1, max_items=MOST_SETS, description="The sets of arguments."
        )
    },
    required=[_FIELD],
    additional_properties=False,
)


@post(
    "/functions/{function_name:str}/batch",
    status_code=HTTP_200_OK,
    summary="Call a function with many sets of arguments",
    tags=["Functions"],
    media_type="application/x-ndjson",
    operation_class=taking_json(_BODY, required=True),
)
async def call_batch(
    function_name: FunctionName,
    connected_account_id: GivenAccountId = None,
    include: GivenInclude = None,
    idempotency_key: GivenKey = None,
) -> str:
    """
    Call a function once for each of up to 100 sets of arguments.

    The answer is a line of JSON for each set, in their order: `index`, `status`, and with the status 200 what a call
    answers (`network_code`, `output`, `next_page`, `outcome` with `include=outcome`, and `replayed` where an earlier
    call's result came again), else what a refused call answers (`error`, `error_details`, `request_id`, and
    `retry_after` in seconds where it helps). With an `Idempotency-Key` each set has that key with `:` and its index
    behind it.
    """
    raise NotFoundException  # answered in front of the framework, as calls are


@frozen(kw_only=True)
class _Batch:
    """What a request asks for: the call that all sets have in common, and the sets."""

    caller: Caller
    call: CallRequest
    sets: list[Any]
    key: str | None
    is_closing: Callable[[], bool]
    waits_until: float


@frozen
class BatchRoute:
    """Answers batches by calls, and hands everything else on to them."""

    calls: CallRoute

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if match is None:
            await self.calls(scope, receive, send)
            return
        try:
            asked = await self.calls.asked(scope, match[1])
            with self.calls.calls_at_once.place(asked.caller):  # the batch's own, so that it always makes progress
                call = await self.calls.request(asked, scope, receive)
                batch = _batch(call, asked, scope["state"][IS_CLOSING])
                await self._answer(batch, receive, send)
        except CallerGone:
            return
        except Exception as error:
            await send_failure(send, told(error, scope), scope["state"]["request_id"])

    async def _answer(self, batch: _Batch, receive: Any, send: Any) -> None:
        """Send the lines; once the caller has gone, what has begun goes on to its end and nothing else begins."""
        headers = [(b"content-type", b"application/x-ndjson")]
        await send({"type": "http.response.start", "status": HTTP_200_OK, "headers": headers})
        gone = asyncio.create_task(_until_gone(receive))
        lines: deque[asyncio.Task[bytes]] = deque()
        begun = 0
        try:
            while not gone.done() and (lines or begun < len(batch.sets)):
                while begun < len(batch.sets) and len(lines) < AT_ONCE:
                    line = self._begin(batch, begun, sum(not each.done() for each in lines))
                    if line is None:
                        break
                    lines.append(line)
                    begun += 1
                await asyncio.wait({lines[0], gone}, return_when=asyncio.FIRST_COMPLETED)
                while lines and lines[0].done() and not gone.done():
                    body = lines.popleft().result()
                    await send({"type": "http.response.body", "body": body, "more_body": True})
            if lines:
                await asyncio.wait(lines)
            if not gone.done():
                await send({"type": "http.response.body", "body": b""})
        finally:
            for task in (gone, *lines):
                task.cancel()

    def _begin(self, batch: _Batch, index: int, under_way: int) -> asyncio.Task[bytes] | None:
        """Begin the call of one set; None while the caller's other calls leave it no place beside those under way."""
        held = contextlib.ExitStack()
        if under_way:
            try:
                held.enter_context(self.calls.calls_at_once.place(batch.caller))
            except ServiceError:
                return None
        task = asyncio.create_task(self._line(batch, index))
        task.add_done_callback(lambda _: held.close())
        return task

    async def _line(self, batch: _Batch, index: int) -> bytes:
        scope = {"state": {"request_id": batch.call.request_id}, "path": f"/functions/{batch.call.function.name}/batch"}
        try:
            executed, replayed = await self._call(batch, index)
        except Exception as error:
            known = told(error, scope)
            after = known.headers.get("Retry-After")
            rest = {} if after is None else {"retry_after": int(after)}
            return as_line(index, known.status, rest, encode_failure(known, batch.call.request_id))
        return as_line(index, HTTP_200_OK, {"replayed": True} if replayed else {}, encode_result(executed.result))

    async def _call(self, batch: _Batch, index: int) -> tuple[Executed, bool]:
        values = batch.sets[index]
        if not isinstance(values, dict):
            raise refused(Code.TYPE, f"{_FIELD}[{index}] must be an object", field=f"{_FIELD}[{index}]")
        call = evolve(batch.call, body=JsonBody(values, batch.call.body.size // len(batch.sets)))
        key = None if batch.key is None else f"{batch.key}:{index}"
        is_counted = index == 0  # it was counted with the request
        while True:
            if batch.is_closing():
                raise going_down()
            try:
                if not is_counted:
                    self.calls.rate_limit.count(batch.caller.application.id, batch.caller.user_id)
                    is_counted = True
                return await self.calls.service.invoker.call(call, key)
            except ServiceError as error:
                if error.status != _TOO_MANY_REQUESTS:
                    raise
                seconds = float(error.headers.get("Retry-After", "1"))
                if time.monotonic() + seconds > batch.waits_until:
                    raise
            await asyncio.sleep(seconds)


def _batch(call: CallRequest, asked: Asked, is_closing: Callable[[], bool]) -> _Batch:
    body, key = call.body, asked.key
    if isinstance(body, FormBody):
        raise failure(
            415, Code.UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json and name it in Content-Type."
        )
    for name in body.values:
        if name != _FIELD:
            raise refused(
                Code.UNKNOWN_PARAMETER,
                f"{name[:200]} is not a field of this request",
                field=name[:200],
                action=Action.FIX_FIELD,
            )
    sets = body.values.get(_FIELD)
    if sets is None:
        raise refused(Code.REQUIRED, f"{_FIELD} is required", field=_FIELD, action=Action.FIX_FIELD)
    if not isinstance(sets, list) or not 1 <= len(sets) <= MOST_SETS:
        raise refused(
            Code.TYPE,
            f"{_FIELD} must be an array of 1 to {MOST_SETS} objects",
            field=_FIELD,
            action=Action.FIX_FIELD,
        )
    if key is not None and not 1 <= len(key) <= LONGEST_KEY - _LONGEST_SUFFIX:
        most = LONGEST_KEY - _LONGEST_SUFFIX
        raise refused(Code.FORMAT, f"The Idempotency-Key of a batch must be 1 to {most} printable ASCII characters.")
    return _Batch(
        caller=asked.caller,
        call=call,
        sets=sets,
        key=key,
        is_closing=is_closing,
        waits_until=time.monotonic() + WAITING_SECONDS,
    )


async def _until_gone(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def as_line(index: int, status: int, rest: dict[str, Any], body: bytes) -> bytes:
    """
    A line: its own keys in front of those of an answer, whose output may be megabytes.

    An output is the text that came from the app, perhaps over several lines; these are only ever between its values.
    """
    own = encode({"index": index, "status": status, **rest})
    return b"".join((own[:-1], b",", body[1:].translate(_ONE_LINE), b"\n"))


BATCH_ROUTES = [call_batch]
