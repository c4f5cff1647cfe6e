"""Runs the steps of a call and keeps the refused ones apart."""

import time

import structlog

from service_server.errors import ServiceError
from service_server.invoke.invocation import CallRequest, Executed, Invocation, KeepResult, Parts
from service_server.invoke.steps import STEPS
from service_server.store import IdempotencyRecord, Refusal
from service_server.store.clock import timestamp

_log = structlog.get_logger(__name__)


class Invoker:
    """Calls functions."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def call(
        self, request: CallRequest, key: IdempotencyRecord | None = None, keep_result: KeepResult | None = None
    ) -> Executed:
        """
        Run a call to its end, as the one that holds the `key`; `keep_result` keeps the result for repeats.

        Raises:
            ServiceError: the call was not executed. It stands among the refused calls, not in the log.
        """
        if key is None:
            invocation = Invocation(request=request, process_id=self._parts.calls.process_id)
        else:
            invocation = Invocation(request=request, process_id=key.process_id, id=key.call_id, keep_result=keep_result)
        try:
            for step in STEPS:
                await step(invocation, self._parts)
        except ServiceError as error:
            await self._refuse(invocation, error)
            raise
        return Executed(
            result=invocation.result,
            upstream_ms=invocation.upstream_seconds * 1000,
            total_ms=(time.perf_counter() - invocation.began) * 1000,
        )

    async def _refuse(self, invocation: Invocation, error: ServiceError) -> None:
        request = invocation.request
        if invocation.recorded:
            await self._parts.calls.discard(invocation.id)
        await self._parts.calls.refuse(
            Refusal(
                id=invocation.id,
                application_id=request.application_id,
                user_id=request.user_id,
                function_name=request.function.name,
                code=error.code,
                error=error.error,
                at=timestamp(),
                request_id=request.request_id,
            )
        )
        _log.info("call refused", function=request.function.name, code=error.code, request_id=request.request_id)
