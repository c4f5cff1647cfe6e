"""Runs the steps of a call, records the calls of which nothing was sent, and tells how each went."""

from typing import Any

from service_server.errors import ServiceError
from service_server.events import tell, warn
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
            came = await self._run(begun)
        except Exception as defect:
            warn("call.failed", **self._about(begun), error=type(defect).__name__)
            raise
        finally:
            if begun.fetched:
                await let_go_of_files(begun, parts)
        self._tell(begun, came)
        return came

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

    def _tell(self, begun: Begun, came: Refused | Executed) -> None:
        if isinstance(came, Refused):
            tell("call.refused", **self._about(begun), code=came.error.code)
            return
        tell(
            "call.executed",
            **self._about(begun),
            network_code=came.result.network_code,
            service_ms=round(came.total_ms - came.upstream_ms, 2),
            app_ms=round(came.upstream_ms, 2),
        )

    def _about(self, begun: Begun) -> dict[str, Any]:
        request = begun.request
        return {
            "call": begun.id,
            "application": request.application_id,
            "app": request.connector.name,
            "function": request.function.name,
            "type": request.function.type,
            "user": self._parts.vault.pseudonym(request.application_id, request.user_id),
        }
