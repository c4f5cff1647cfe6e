"""`POST /functions/<name>/`: calling a function, the passthrough ones included."""

from typing import Any

from litestar import Request, post
from litestar.status_codes import HTTP_200_OK

from service_client.models import CallResult
from service_server.catalog.values import FunctionDefinition
from service_server.errors import unknown_function
from service_server.invoke import CallRequest, Executed
from service_server.rest.bodies import read_body
from service_server.rest.caller import Caller
from service_server.rest.calls_at_once import calls_at_once
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.described_bodies import taking_arguments
from service_server.rest.envelope import request_id
from service_server.rest.parameters import FunctionName, GivenAccountId, GivenKey
from service_server.rest.wire import WireResponse
from service_server.service import Service


@post(
    "/functions/{function_name:str}",
    status_code=HTTP_200_OK,
    summary="Call a function",
    tags=["Functions"],
    operation_class=taking_arguments(),
)
async def call_function(
    request: Request[Any, Any, Any],
    service: GivenService,
    caller: GivenCaller,
    function_name: FunctionName,
    connected_account_id: GivenAccountId = None,
    idempotency_key: GivenKey = None,
) -> CallResult:
    """
    Call a function in the user's account.

    200 means it was executed, whatever the app answered: `network_code` tells. With an `Idempotency-Key` header a
    repeated call answers the first one's result.
    """
    function = service.catalog.function(function_name)
    if function is None:
        raise unknown_function(function_name)
    caller.require_function(function.name, function.type)
    with calls_at_once(request).place(caller):
        return await _call(request, service, caller, function, connected_account_id, idempotency_key)


async def _call(
    request: Request[Any, Any, Any],
    service: Service,
    caller: Caller,
    function: FunctionDefinition,
    connected_account_id: int | None,
    idempotency_key: str | None,
) -> CallResult:
    call = CallRequest(
        application_id=caller.application.id,
        user_id=caller.user_id,
        connector=service.catalog.connectors[function.app_name],
        function=function,
        body=await read_body(request),
        connected_account_id=connected_account_id,
        request_id=request_id(request),
    )
    executed, replayed = await service.invoker.call(call, idempotency_key)
    headers = {"Server-Timing": _server_timing(executed)}
    if replayed:
        headers["Idempotency-Replayed"] = "true"
    return WireResponse(executed.result, headers=headers)  # type: ignore[return-value]  # annotated for OpenAPI


def _server_timing(executed: Executed) -> str:
    """Our own share of the call beside the app's, in ms."""
    own = executed.total_ms - executed.upstream_ms
    return f"service;dur={own:.2f}, upstream;dur={executed.upstream_ms:.2f}, total;dur={executed.total_ms:.2f}"


CALL_ROUTES = [call_function]
