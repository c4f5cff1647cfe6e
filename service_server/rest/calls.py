"""
`POST /functions/<name>/`: calling a function, the passthrough ones included.

It is what the service is for, so it is answered without the framework, whose dependencies, response classes and
middleware would cost as much as the rest of a call. What is declared below is what `/openapi.json` says of it.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

import msgspec
from attrs import frozen
from litestar import post
from litestar.exceptions import NotFoundException
from litestar.status_codes import HTTP_200_OK

from service_client.models import CallResult
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.errors import unknown_function
from service_server.invoke import CallRequest, Executed
from service_server.rest.authentication import Authenticator
from service_server.rest.bodies import CallerGone, parse_body, receive_body
from service_server.rest.caller import Caller
from service_server.rest.calls_at_once import CallsAtOnce
from service_server.rest.described_bodies import taking_arguments
from service_server.rest.envelope import invalid_query, told
from service_server.rest.parameters import LARGEST_ID, FunctionName, GivenAccountId, GivenInclude, GivenKey
from service_server.rest.queries import read_query
from service_server.rest.rate_limit import RateLimit
from service_server.rest.wire import encode_result, send_failure, send_json
from service_server.service import Service

_PATH = re.compile(r"/functions/([^/]+)/?")
_ACCOUNT_ID = "connected_account_id"
_INCLUDE = "include"
_AccountId = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_ID)] | None


@post(
    "/functions/{function_name:str}",
    status_code=HTTP_200_OK,
    summary="Call a function",
    tags=["Functions"],
    operation_class=taking_arguments(),
)
async def call_function(
    function_name: FunctionName,
    connected_account_id: GivenAccountId = None,
    include: GivenInclude = None,
    idempotency_key: GivenKey = None,
) -> CallResult:
    """
    Call a function in the user's account.

    200 means it was executed, whatever the app answered: `network_code` tells. With an `Idempotency-Key` header a
    repeated call answers the first one's result. With `include=outcome` a successful answer of the app comes with an
    `outcome`, where the function says what people should see of it: a title, a link, a few facts.
    """
    raise NotFoundException  # a path that only the framework takes for ours, such as one with two slashes


@frozen
class Asked:
    """
    What the head of a request asks for: a function, in whose account, under which idempotency key.

    `with_outcome` tells whether the result is also to say what came of it. The connector is the one that the function
    belongs to: by the time the body is there, the catalogue may hold another one, or none.
    """

    caller: Caller
    connector: Connector
    function: FunctionDefinition
    connected_account_id: int | None
    key: str | None
    with_outcome: bool = False


@frozen
class CallRoute:
    """Answers calls of functions, and hands everything else on to the framework."""

    application: Callable[[Any, Any, Any], Awaitable[None]]
    service: Service
    authenticator: Authenticator
    rate_limit: RateLimit
    calls_at_once: CallsAtOnce

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if match is None:
            await self.application(scope, receive, send)
            return
        try:
            executed, replayed = await self._call(scope, receive, match[1])
        except CallerGone:
            return
        except Exception as error:
            await send_failure(send, told(error, scope), scope["state"]["request_id"])
            return
        headers = {"Server-Timing": _server_timing(executed)}
        if replayed:
            headers["Idempotency-Replayed"] = "true"
        await send_json(send, HTTP_200_OK, encode_result(executed.result), headers)

    async def _call(self, scope: Any, receive: Any, function_name: str) -> tuple[Executed, bool]:
        asked = await self.asked(scope, function_name)
        with self.calls_at_once.place(asked.caller):
            return await self.service.invoker.call(await self.request(asked, scope, receive), asked.key)

    async def asked(self, scope: Any, function_name: str) -> Asked:
        """Who asks for what, before anything of the body is read; it counts as one request."""
        caller = await self.authenticator.caller(scope["headers"])
        self.rate_limit.count(caller.application.id, caller.user_id)
        connected_account_id, with_outcome = _given(scope["query_string"])
        connector = self.service.catalog.connector(function_name.partition("-")[0])
        function = None if connector is None else connector.functions.get(function_name)
        if connector is None or function is None:
            raise unknown_function(function_name)
        caller.require_function(function.name, function.type)
        key = dict(scope["headers"]).get(b"idempotency-key")
        key = None if key is None else key.decode("latin-1")
        return Asked(caller, connector, function, connected_account_id, key, with_outcome)

    async def request(self, asked: Asked, scope: Any, receive: Any) -> CallRequest:
        """The call that is asked for, with its body."""
        headers = dict(scope["headers"])
        body = await receive_body(headers, receive, self.service.settings.max_body_bytes)
        return CallRequest(
            application_id=asked.caller.application.id,
            user_id=asked.caller.user_id,
            connector=asked.connector,
            function=asked.function,
            body=parse_body(body, headers.get(b"content-type", b"").decode("latin-1")),
            connected_account_id=asked.connected_account_id,
            request_id=scope["state"]["request_id"],
            with_outcome=asked.with_outcome,
        )


def _given(query: bytes) -> tuple[int | None, bool]:
    """The account that a query names, and whether it asks for the outcome."""
    if not query:
        return None, False
    texts = read_query(query, {_ACCOUNT_ID: int | None, _INCLUDE: GivenInclude})
    account = _converted(texts, _ACCOUNT_ID, _AccountId)
    return account, _converted(texts, _INCLUDE, GivenInclude) is not None


def _converted(texts: Mapping[str, str], name: str, kind: Any) -> Any:
    """The value that a query has for a parameter, None where it has none."""
    if name not in texts:
        return None
    try:
        return msgspec.convert(texts[name], kind, strict=False)
    except msgspec.ValidationError as problem:
        raise invalid_query([{"key": name, "message": str(problem)}]) from None


def _server_timing(executed: Executed) -> str:
    """Our own share of the call beside the app's, in ms."""
    own = executed.total_ms - executed.upstream_ms
    return f"service;dur={own:.2f}, upstream;dur={executed.upstream_ms:.2f}, total;dur={executed.total_ms:.2f}"


CALL_ROUTES = [call_function]
