"""Sending: once, again where that is safe, and with renewed credentials after a 401."""

import asyncio
import time

from service_client.models import Action, CallResult, Code
from service_server.errors import refused
from service_server.invoke.build_request import build
from service_server.invoke.invocation import Invocation, Parts
from service_server.invoke.keep_budget import LONGEST_WAIT_SECONDS, may_repeat
from service_server.invoke.redaction import secrets_of_call
from service_server.invoke.shape import parse_body
from service_server.onward.values import HostNotAllowed, Interrupted, InvalidRequest, NotSent, OnwardResponse

FIRST_WAIT_SECONDS = 0.25
_NETWORK_CODES = {"timed_out": "504", "broken_off": "502", "too_large": "502"}


async def send(invocation: Invocation, parts: Parts) -> None:
    """
    Send the request; the app's answer goes to `response`, and what it says to `body`, read once.

    When the request went out and no whole answer came, the call counts as executed and its result is made here.
    Nothing sent at all is a refusal.
    """
    began = time.perf_counter()
    try:
        response = await _with_retries(invocation, parts)
        if invocation.request.connector.error_kind(response, invocation.body) == "reconnect":
            response = await _with_renewed_credentials(invocation, parts, response)
        invocation.response = response
    except Interrupted as interruption:
        invocation.result = CallResult(
            network_code=_NETWORK_CODES[interruption.kind],
            output={"error": interruption.kind, "reason": _said(invocation, interruption.reason)},
            next_page="" if invocation.request.function.paginated else None,
        )
    except InvalidRequest as problem:
        reason = _said(invocation, problem.reason)
        raise refused(Code.FORMAT, f"The request cannot be sent: {reason}", action=Action.FIX_FIELD) from None
    except NotSent as failure:
        title, reason = invocation.request.connector.title, _said(invocation, failure.reason)
        raise refused(
            Code.APP_UNREACHABLE,
            f"{title} cannot be reached now ({reason}); nothing was sent. Try again later.",
            action=Action.WAIT,
        ) from None
    except HostNotAllowed as problem:
        reason = _said(invocation, problem.reason)
        raise refused(Code.HOST_NOT_ALLOWED, reason, field="url", action=Action.FIX_FIELD) from None
    finally:
        invocation.upstream_seconds = time.perf_counter() - began


def _said(invocation: Invocation, reason: str) -> str:
    """A reason without the call's secrets: an app may have put one into the host that it redirects to."""
    sensitive = invocation.request.function.sensitive
    return secrets_of_call(invocation.opened.context, invocation.arguments, sensitive).removed_from(reason)


async def _with_retries(invocation: Invocation, parts: Parts) -> OnwardResponse:
    """Try again as the connector's retry rule says, if the app asks for no longer wait than a caller would bear."""
    rule = invocation.request.connector.retry
    response = await _once(invocation, parts)
    for attempt in range(rule.max):
        if not _may_be_repeated(invocation, response):
            break
        asked = rule.wait_seconds(response)
        wait = FIRST_WAIT_SECONDS * 2**attempt if asked is None else asked
        if wait > LONGEST_WAIT_SECONDS:
            break
        await asyncio.sleep(wait)
        if not await may_repeat(invocation, parts):
            break
        response = await _once(invocation, parts)
    return response


def _may_be_repeated(invocation: Invocation, response: OnwardResponse) -> bool:
    """Whether the answer passes, and asking again changes nothing more: a query only reads, by whatever method."""
    request, rule = invocation.request, invocation.request.connector.retry
    if invocation.onward.method not in rule.methods and request.function.type != "query":
        return False
    if response.status in rule.statuses:
        return True
    # An app may say so with another status, or in the body of a 200.
    named = response.status != 429 and any(rule.kind == "rate_limited" for rule in request.connector.error_rules)
    return named and request.connector.error_kind(response, invocation.body) == "rate_limited"


async def _with_renewed_credentials(invocation: Invocation, parts: Parts, response: OnwardResponse) -> OnwardResponse:
    """The app refused the credentials: renew them once and repeat, or mark the account as to be reconnected."""
    renewed = await parts.credentials.refresh_after_401(invocation.opened)
    if renewed is not None:
        invocation.opened = renewed
        invocation.account = renewed.account
        build(invocation)
        if not await may_repeat(invocation, parts):
            return response
        response = await _once(invocation, parts)
        if invocation.request.connector.error_kind(response, invocation.body) != "reconnect":
            return response
    said = "even renewed ones" if renewed is not None else f"with status {response.status}"
    await parts.accounts.require_reconnect(invocation.account, f"The app refused its credentials, {said}.")
    return response


async def _once(invocation: Invocation, parts: Parts) -> OnwardResponse:
    opened = invocation.opened
    response = await parts.sender.send(
        invocation.onward,
        invocation.request.connector.host_rules(opened.context),
        secret_headers=opened.auth.inject.secret_headers,
    )
    invocation.body = parse_body(response)
    return response
