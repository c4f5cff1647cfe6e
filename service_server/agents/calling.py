"""One call for an agent: like any other call, except that the user is asked where the protocol allows it."""

import asyncio
import difflib
import secrets
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import evolve, frozen
from mcp import types

from service_client.models import Action, Code
from service_server.agents.agent import Agent
from service_server.agents.asking import Conversation
from service_server.agents.confirmation import confirmation
from service_server.agents.tool_results import not_executed, told_result
from service_server.catalog.values import FunctionDefinition
from service_server.connect.sessions.sessions import LONGEST_WATCH_SECONDS
from service_server.errors import ServiceError, failure, shortened
from service_server.invoke import CallRequest, Executed, JsonBody
from service_server.invoke.check_arguments import check_arguments
from service_server.invoke.choose_account import choose_account

WATCHES = 2
"""How many times in a row to wait for the end of a connect session; most clients wait a minute for a tool."""

PROGRESS_SECONDS = 2.0
_CONNECTING = (Code.NOT_CONNECTED, Code.RECONNECT_REQUIRED, Code.MISSING_SCOPE)
_LONGEST_COMPARED = 64
_READING = ("GET", "HEAD")

_Came = TypeVar("_Came")


@frozen(kw_only=True)
class Wanted:
    """A call as a model asked for it."""

    name: str
    arguments: Mapping[str, Any]
    connected_account_id: int | None = None
    key: str | None = None


async def call_function(agent: Agent, wanted: Wanted, conversation: Conversation) -> types.CallToolResult:
    """Call a function; ServiceError tells what to mend, InputNeeded what the user has to be asked."""
    function = offered_function(agent, wanted.name)
    request = CallRequest(
        application_id=agent.caller.application.id,
        user_id=agent.caller.user_id,
        connector=agent.service.catalog.connectors[function.app_name],
        function=function,
        body=JsonBody(wanted.arguments, agent.message_bytes),
        connected_account_id=wanted.connected_account_id,
        request_id=agent.request_id,
        with_outcome=True,
    )
    try:
        return await _confirmed_call(agent, request, wanted.key, conversation)
    except ServiceError as error:
        if error.code not in _CONNECTING:
            raise
        connected = await _connect(agent, request, error, conversation)
        if connected is not None:
            return connected
    return await _confirmed_call(agent, request, wanted.key, conversation)


def offered_function(agent: Agent, name: str) -> FunctionDefinition:
    """The function of this name, if there is one that the agent may call."""
    function = agent.service.catalog.function(name)
    if function is None:
        raise _unknown(agent, name)
    agent.offer.require(function.name, function.type)
    agent.caller.require_function(function.name, function.type)
    return function


def _unknown(agent: Agent, name: str) -> ServiceError:
    connector = agent.service.catalog.connector(name.partition("-")[0])
    near = difflib.get_close_matches(name[:_LONGEST_COMPARED], list(connector.functions), n=3) if connector else []
    choices = f"{', '.join(near[:-1])} or {near[-1]}" if len(near) > 1 else "".join(near)
    hint = f" Did you mean {choices}?" if near else ""
    found = "find_functions finds those there are." if agent.offer.tools == "find" else "List the tools again."
    message = f"There is no function named {shortened(name)}; it may have been taken away.{hint} {found}"
    return failure(404, Code.UNKNOWN_FUNCTION, message)


async def _confirmed_call(
    agent: Agent, request: CallRequest, key: str | None, conversation: Conversation
) -> types.CallToolResult:
    if _is_for_good(request) and conversation.can_confirm:
        service = agent.service
        # Don't ask the user about a call that would then be refused.
        account = await choose_account(request, service.accounts)
        values = check_arguments(request, account, service.vault).values
        about: dict[str, Any] = {"account": account.id, "key": secrets.token_urlsafe(24)}
        reply, about = await conversation.confirm(confirmation(request, account, values), about)
        if reply != "accept":
            return _declined(f"call {request.function.name}")
        # If the reply is sent twice, the call is carried out once, in the account that the user was asked about.
        request, key = evolve(request, connected_account_id=account.id), key or about["key"]
    calling = asyncio.create_task(_call(agent, request, key))
    calling.add_done_callback(_heard)
    executed, replayed = await _reporting(conversation, calling, f"Waiting for {request.connector.title}")
    return told_result(executed, replayed=replayed, gives_file=request.function.gives_file is not None)


async def _call(agent: Agent, request: CallRequest, key: str | None) -> tuple[Executed, bool]:
    """Call, and hold a place until the call has ended, even if its caller leaves earlier."""
    with agent.calls_at_once.place(agent.caller):
        return await agent.service.invoker.call(request, key)


def _heard(calling: "asyncio.Task[tuple[Executed, bool]]") -> None:
    """Take the outcome of a call, since nobody else may be waiting for it."""
    if not calling.cancelled():
        calling.exception()


def _is_for_good(request: CallRequest) -> bool:
    """Whether a call may do what can't be undone."""
    function = request.function
    if function.type != "passthrough":
        return function.destructive
    method = request.body.values.get("method") if isinstance(request.body, JsonBody) else None
    return method not in _READING


async def _connect(
    agent: Agent, request: CallRequest, error: ServiceError, conversation: Conversation
) -> types.CallToolResult | None:
    """Have the user connect or reconnect an account; None once that is done, else what to tell the model."""
    app_name, caller = request.connector.name, agent.caller
    if conversation.declined_connecting is not None:
        return await _gave_up(agent, request, conversation.declined_connecting)
    if conversation.connecting is not None:
        return await _connected(agent, conversation.connecting, error, conversation)
    if not caller.may_connect(app_name):
        raise error
    try:
        session = await agent.service.connect.create(
            caller.application,
            caller.user_id,
            app_name,
            connected_account_id=await _account_to_reconnect(agent, request, error),
            functions=[request.function.name],
        )
    except ServiceError:
        raise error from None
    if not conversation.can_open_links:
        return _with_link(error, session.url)
    reply = await conversation.open_link(error.error, session.url, session.id)
    if reply != "accept":
        return await _gave_up(agent, request, session.id)
    return await _connected(agent, session.id, error, conversation)


async def _gave_up(agent: Agent, request: CallRequest, session_id: str) -> types.CallToolResult:
    """Cancel the connect session, so that nobody can use its link any more."""
    await agent.service.connect.cancel(agent.caller.application, agent.caller.user_id, session_id)
    return _declined(f"connect an account of {request.connector.title}")


async def _connected(
    agent: Agent, session_id: str, error: ServiceError, conversation: Conversation
) -> types.CallToolResult | None:
    """Wait for the end of a connect session."""
    caller = agent.caller
    for watch in range(WATCHES):
        state_of = agent.service.connect.state
        watching = asyncio.create_task(state_of(caller.application, caller.user_id, session_id, LONGEST_WATCH_SECONDS))
        said = "Waiting for the account to be connected"
        try:
            state = await _reporting(conversation, watching, said, since=watch * LONGEST_WATCH_SECONDS)
        finally:
            watching.cancel()
        if state.status == "connected":
            return None
        if state.status != "pending":
            return not_executed(f"Not executed: the account was not connected ({state.error or state.status}).")
    return not_executed(
        f"Not executed: {error.error} The user has the link and has not finished yet; call again once that is done."
    )


async def _account_to_reconnect(agent: Agent, request: CallRequest, error: ServiceError) -> int | None:
    if error.details[0].action != Action.RECONNECT:
        return None
    if request.connected_account_id is not None:
        return request.connected_account_id
    accounts = await agent.accounts(request.connector.name)
    return accounts[0].id if len(accounts) == 1 else None


async def _reporting(
    conversation: Conversation, working: "asyncio.Task[_Came]", message: str, since: float = 0.0
) -> _Came:
    """Wait for some work and tell the client now and then that it goes on; it goes on even if the client has left."""
    seconds = since
    while not (await asyncio.wait({working}, timeout=PROGRESS_SECONDS))[0]:
        seconds += PROGRESS_SECONDS
        await conversation.report(seconds, f"{message}.")
    return working.result()


def _with_link(error: ServiceError, url: str) -> types.CallToolResult:
    return not_executed(
        f"Not executed: {error.error} Give the user this link, which is good for ten minutes and for the browser that "
        f"opens it first, and call again once the account is connected: {url}",
        {
            "error": error.error,
            "error_details": [{"code": error.code, "message": error.error, "action": error.details[0].action}],
            "connect_url": url,
        },
    )


def _declined(what: str) -> types.CallToolResult:
    return not_executed(
        f"Not executed: the user did not want to {what}. Nothing was sent. Don't try it again unless they ask for it."
    )
