"""Carries out a model's calls."""

import json
import secrets
from collections.abc import Mapping
from typing import Any, TypeAlias

from service_client.errors import ServiceClientError, ServiceError
from service_client.models import Action, App, Code, ConnectSession, Function
from service_client.results import ExecutedCall
from service_client.tools.calls import Approve, ProposedCall, ToolCall, ToolResult
from service_client.tools.finding import Search, accounts_in, found
from service_client.tools.offers import FIND, Finding, Listing
from service_client.tools.reading import object_in
from service_client.tools.refusals import failed, not_approved, refusal, unknown_tool
from service_client.tools.schemas import ACCOUNT, NEXT_PAGE
from service_client.tools.stepping import Steps

LARGEST_OUTPUT = 256 * 1024
"""The most bytes of an answer that are passed on; a model could not read more anyway."""

_CONNECTING = (Code.NOT_CONNECTED, Code.RECONNECT_REQUIRED, Code.MISSING_SCOPE)


_Ready: TypeAlias = ProposedCall | Search | ToolResult


def answered(calls: list[ToolCall], offer: Listing | Finding, approve: Approve | None) -> Steps[list[ToolResult]]:
    """
    Carry out calls and return their results, in their order.

    All are checked, and approved if need be, before the first is made: if `approve` raises, no call has been made yet
    and no result is lost.
    """
    ready: list[_Ready] = []
    for call in calls:
        prepared = yield from _prepared(call, offer, approve)
        ready.append(prepared)
    results: list[ToolResult] = []
    for each in ready:
        if isinstance(each, ToolResult):
            results.append(each)
        elif isinstance(each, Search) and isinstance(offer, Finding):
            results.append((yield from found(each, offer)))
        elif isinstance(each, ProposedCall):
            results.append((yield from _executed(each)))
    return results


def _prepared(call: ToolCall, offer: Listing | Finding, approve: Approve | None) -> Steps[_Ready]:
    tool = next((each for each in offer.tools if each.name == call.name), None)
    if tool is None:
        return unknown_tool(call, [each.name for each in offer.tools])
    arguments = object_in(call.arguments)
    if arguments is None:
        return refusal(call, "the arguments are not a JSON object.")
    if tool.name == FIND and tool.function is None:
        prompt = arguments.get("prompt")
        return Search(call, prompt) if isinstance(prompt, str) else refusal(call, "prompt must be a text.")
    if tool.function is not None:
        proposed = _proposed(call, tool.function, arguments)
    else:
        proposed = yield from _named(call, offer, arguments)
    if not isinstance(proposed, ProposedCall) or not proposed.needs_approval:
        return proposed
    if approve is None:
        return not_approved(proposed, was_asked=False)
    reply = yield lambda client: approve(proposed)
    return proposed if reply is True else not_approved(proposed, was_asked=True)


def _named(call: ToolCall, offer: Listing | Finding, given: dict[str, Any]) -> Steps[ProposedCall | ToolResult]:
    """Return the call that `call_function` was asked for; only the service can say what the function is."""
    name, arguments = given.get("name"), object_in(given.get("arguments") or {})
    if not isinstance(name, str) or not name:
        return refusal(call, "name must be the name of a function.")
    if arguments is None:
        return refusal(call, "arguments must be an object.")
    try:
        function: Function = yield lambda client: client.functions.get(name, include="meta")
    except ServiceClientError as error:
        return failed(call, error)
    if not isinstance(offer, Finding) or not offer.allows(function):
        return refusal(call, f"{function.name} is not offered here. Call {FIND} for those that are.")
    if given.get(ACCOUNT) is not None:
        arguments.setdefault(ACCOUNT, given[ACCOUNT])
    return _proposed(call, function, arguments)


def _proposed(call: ToolCall, function: Function, arguments: dict[str, Any]) -> ProposedCall | ToolResult:
    account: Any = None
    if ACCOUNT not in function.parameters.properties:
        account = arguments.pop(ACCOUNT, None)
        if isinstance(account, str) and account.isascii() and account.isdigit() and len(account) < 17:
            account = int(account)
        if account is not None and (isinstance(account, bool) or not isinstance(account, int) or account < 1):
            return refusal(call, f"{ACCOUNT} must be a whole number.")
    if arguments.get(NEXT_PAGE) in (None, ""):  # this is how models ask for the first page
        arguments.pop(NEXT_PAGE, None)
    return ProposedCall(function=function, arguments=arguments, connected_account_id=account, tool_call=call)


def _executed(proposed: ProposedCall) -> Steps[ToolResult]:
    call = proposed.tool_call
    # With a key, the client repeats a call that certainly was not executed.
    key = secrets.token_urlsafe(24) if proposed.needs_approval else None
    try:
        executed: ExecutedCall = yield lambda client: client.functions.call(
            proposed.function.name,
            proposed.arguments,
            connected_account_id=proposed.connected_account_id,
            idempotency_key=key,
        )
    except ServiceError as error:
        refused = failed(call, error, changes=proposed.needs_approval)
        more = yield from _help(proposed, error)
        return refused if not more else _with(refused, more)
    except ServiceClientError as error:
        return failed(call, error, changes=proposed.needs_approval)
    content: dict[str, Any] = {"network_code": executed.network_code, "output": _kept(executed.output)}
    if executed.next_page is not None:
        content["next_page"] = executed.next_page
    is_error = not executed.network_code.startswith(("2", "3"))
    return ToolResult(call=call, content=content, is_error=is_error, executed=executed)


def _help(proposed: ProposedCall, error: ServiceError) -> Steps[dict[str, Any]]:
    """Return what helps the user on: a link to connect an account, or their accounts; empty if the request fails."""
    app_name = proposed.function.app_name
    try:
        if error.code in _CONNECTING:
            account = proposed.connected_account_id
            if error.action == Action.RECONNECT and account is None:
                app: App = yield lambda client: client.apps.get(app_name)
                account = app.connected_accounts[0].id if len(app.connected_accounts) == 1 else None
            session: ConnectSession = yield lambda client: client.connect_sessions.create(
                app_name,
                functions=[proposed.function.name],
                connected_account_id=account if error.action == Action.RECONNECT else None,
            )
            said = "Give the user this link, and call again once they have connected their account."
            return {"connect_url": session.url, "what_to_do": said}
        if error.action == Action.PICK_ACCOUNT:
            known: App = yield lambda client: client.apps.get(app_name)
            return {"connected_accounts": accounts_in(known), "what_to_do": f"Call again with {ACCOUNT}."}
    except ServiceClientError:  # the model's answer is complete without it
        pass
    return {}


def _with(result: ToolResult, more: Mapping[str, Any]) -> ToolResult:
    return ToolResult(
        call=result.call, content={**result.content, **more}, is_error=result.is_error, error=result.error
    )


def _kept(output: Any) -> Any:
    size = len(json.dumps(output, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    if size <= LARGEST_OUTPUT:
        return output
    return {
        "error": "too_large",
        "reason": f"the call was executed, but its answer of {size} bytes is more than the {LARGEST_OUTPUT} that a "
        "tool gives; ask for less at a time",
    }
