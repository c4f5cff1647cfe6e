"""Runs the steps of a call, and records the calls of which nothing was sent."""

from service_server.errors import ServiceError
from service_server.invoke.invocation import Begun, CallRequest, Executed, Key, Parts, Refused
from service_server.invoke.record import record_refusal
from service_server.invoke.steps import carry_out, prepare
from service_server.invoke.take_files import let_go_of_files


class Invoker:
    """Calls functions."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def call(self, request: CallRequest, key: Key | None = None) -> Refused | Executed:
        """
        Run a call to its end, as the one that holds the `key`.

        A refused call was not executed. It is listed among the refused calls, not in the log.
        """
        parts = self._parts
        if key is None:
            begun = Begun(request=request, process_id=parts.calls.process_id)
        else:
            begun = Begun(request=request, process_id=key.process_id, id=key.call_id, key=key)
        try:
            return await self._run(begun)
        finally:
            if begun.fetched:
                await let_go_of_files(begun, parts)

    async def _run(self, begun: Begun) -> Refused | Executed:
        parts = self._parts
        try:
            ready = await prepare(begun, parts)
        except ServiceError as error:
            await record_refusal(begun, error, parts)
            return Refused(error)
        except Exception:
            await record_refusal(begun, None, parts)
            raise
        return await carry_out(ready, parts)
