"""Sending: once, again where that is safe, and with renewed credentials after a 401."""

import asyncio
import time
from collections.abc import Awaitable

import structlog
from attrs import evolve

from service_client.models import CONVERTER, Action, Code
from service_server.answers.beginning import beginning_of
from service_server.answers.reader import TooMuchToRead
from service_server.answers.reading import Read, Reading
from service_server.catalog.answers import ErrorKind
from service_server.errors import refused
from service_server.files import KeptFile, Owner, described
from service_server.invoke.build_request import build_request
from service_server.invoke.invocation import Answer, Parts, Ready, Refused, Sent
from service_server.invoke.keep_budget import LONGEST_WAIT_SECONDS, may_repeat
from service_server.invoke.refused_credentials import look_into
from service_server.invoke.take_files import Keeping
from service_server.json_texts.json_text import JsonText
from service_server.onward.headers import SAFE_METHODS
from service_server.onward.values import OnwardResponse, Pour, Unanswered, Unsent

FIRST_WAIT_SECONDS = 0.25

_LOG = structlog.get_logger(__name__)


async def send(ready: Ready, parts: Parts) -> Refused | Sent:
    """
    Send the request, and once more where that may bring a better answer.

    Only a call of which nothing left this machine is refused. Once something did, the call is executed: if a
    repetition fails, the answer from before it stays.
    """
    began = time.perf_counter()
    first = await _once(ready, parts)
    if isinstance(first, Unsent):
        return _refusal(ready, first)
    best = await _repeated(first, parts)
    return evolve(best, upstream_seconds=time.perf_counter() - began)


def _refusal(ready: Ready, unsent: Unsent) -> Refused:
    title, reason = ready.request.connector.title, ready.secrets.removed_from(unsent.reason)
    if unsent.kind == "not_allowed":
        return Refused(refused(Code.HOST_NOT_ALLOWED, reason, field="url", action=Action.FIX_FIELD))
    if unsent.kind == "invalid":
        message = f"The request cannot be sent: {reason}"
        return Refused(refused(Code.FORMAT, message, action=Action.FIX_FIELD))
    message = f"{title} cannot be reached now ({reason}); nothing was sent. Try again later."
    return Refused(refused(Code.APP_UNREACHABLE, message, action=Action.WAIT))


async def _once(ready: Ready, parts: Parts) -> Unsent | Sent:
    opened, request = ready.opened, ready.request
    sender = parts.sender.on_behalf_of(request.connector.name, request.application_id, request.user_id)
    secret_headers, pour = opened.auth.inject.secret_headers, _pour(ready, parts)
    onward = evolve(ready.onward, changing=ready.is_own_of_mutation)
    try:
        outcome = await sender.send(onward, ready.rules, secret_headers=secret_headers, pour=pour)
    except Exception as defect:  # nobody can tell whether it was sent
        outcome = _lost("sending failed in an unknown way", ready, defect)
    if isinstance(outcome, Unsent):
        return outcome
    if isinstance(outcome, OnwardResponse):
        return Sent(ready=ready, came=await _read(ready, outcome, parts))
    return Sent(ready=ready, came=outcome)


def _pour(ready: Ready, parts: Parts) -> Pour | None:
    """What keeps the answer as a file, if the call wants that."""
    request, arguments = ready.request, ready.arguments.values
    gives = request.function.gives_file
    if gives is None or not gives.is_wanted(arguments):
        return None
    name = gives.file_name(arguments)
    return Keeping(parts.files, Owner(request.application_id, request.user_id), name, gives.base64)


async def _read(ready: Ready, response: OnwardResponse, parts: Parts) -> Answer | Unanswered:
    if isinstance(response.poured, KeptFile):
        output = CONVERTER.unstructure(described(response.poured))
        beginning = beginning_of(output, parts.settings.max_log_entry_bytes, ready.secrets.longest)
        read = Read(output=JsonText.of(output), beginning=beginning, error_kind=None, following=None, defect=None)
        return Answer(response=response, read=read)
    try:
        read = await parts.reader.read(_reading(ready, parts), response)
    except TooMuchToRead:
        return Unanswered("too_large", f"the app answered {response.status} with more than can be read")
    except Exception as defect:
        return _lost(f"the app answered {response.status} with a body that can't be read", ready, defect)
    if read.defect is not None:
        hook, reason = read.defect
        _LOG.error("call.hook_failed", function=ready.request.function.name, hook=hook, reason=reason)
    if read.left_out:
        _LOG.warning("call.outcome_left_out", function=ready.request.function.name, reason="; ".join(read.left_out))
    return Answer(response=response, read=read)


def _reading(ready: Ready, parts: Parts) -> Reading:
    function = ready.request.function.given(ready.arguments.values)
    outcome = function.outcome if ready.request.with_outcome else None
    return Reading(
        picks=function.type == "query",
        picker=function.picker,
        reshape=function.reshape,
        error_rules=ready.request.connector.error_rules,
        pagination=function.pagination,
        position=ready.arguments.position,
        request=ready.onward,
        room=parts.settings.max_log_entry_bytes,
        longest_secret=ready.secrets.longest,
        outcome=outcome,
        given={} if outcome is None else outcome.given(ready.arguments.values, ready.opened.context["vars"]),
    )


def _lost(reason: str, ready: Ready, defect: Exception) -> Unanswered:
    # The type alone goes into the log: a message may quote the URL, or what the app answered.
    _LOG.error("call.answer_lost", reason=reason, function=ready.request.function.name, error=type(defect).__name__)
    return Unanswered("broken_off", reason)


async def _repeated(sent: Sent, parts: Parts) -> Sent:
    """Try again as the connector's retry rule says; then with renewed credentials, if the app refused these."""
    for attempt in range(sent.ready.request.connector.retry.max):
        before = sent
        sent = await _at_least(before, _with_patience(before, attempt, parts))
        if sent is before:
            break
    if _error_kind(sent) == "reconnect":
        sent = await _at_least(sent, _with_renewed_credentials(sent, parts))
    return sent


async def _at_least(sent: Sent, repetition: Awaitable[Sent]) -> Sent:
    """Return what a repetition brings, or the answer from before if it fails: a sent call stays a sent call."""
    try:
        return await repetition
    except Exception as failure:
        # The type alone: a message may quote what the app answered.
        _LOG.warning("call.not_repeated", function=sent.ready.request.function.name, reason=type(failure).__name__)
        return sent


async def _again(sent: Sent, ready: Ready, parts: Parts) -> Sent:
    """Send once more. If no answer comes, the earlier one counts, unless what was sent may have changed data."""
    repetition = await _once(ready, parts)
    if isinstance(repetition, Unsent):
        return sent
    unanswered = isinstance(repetition.came, Unanswered)
    return sent if unanswered and not ready.changes_data else repetition


async def _with_patience(sent: Sent, attempt: int, parts: Parts) -> Sent:
    """Repeat what may be repeated, unless the app asks for a longer wait than a caller would accept."""
    if not isinstance(sent.came, Answer) or not _may_be_repeated(sent.ready, sent.came):
        return sent
    asked = sent.ready.request.connector.retry.wait_seconds(sent.came.response)
    wait = FIRST_WAIT_SECONDS * 2**attempt if asked is None else asked
    if wait > LONGEST_WAIT_SECONDS:
        return sent
    await asyncio.sleep(wait)
    return await _again(sent, sent.ready, parts) if await may_repeat(sent.ready, parts) else sent


def _may_be_repeated(ready: Ready, answer: Answer) -> bool:
    """Whether the trouble passes, and asking again changes nothing more: a query only reads, by whatever method."""
    rule, status = ready.request.connector.retry, answer.response.status
    if ready.onward.method not in rule.methods and ready.request.function.type != "query":
        return False
    if ready.onward.method in SAFE_METHODS and ready.is_own_of_mutation:  # some apps change things by GET
        return False
    if status in rule.statuses:
        return True
    # An app may say so with another status, or in the body of a 200.
    return status != 429 and answer.read.error_kind == "rate_limited"


async def _with_renewed_credentials(sent: Sent, parts: Parts) -> Sent:
    """The app refused the credentials: renew them once and repeat; if they are refused again, test them."""
    ready = sent.ready
    opened = await parts.credentials.refresh_after_401(ready.opened)
    said = "even renewed ones"
    if opened is None:
        assert isinstance(sent.came, Answer)  # noqa: S101  it refused the credentials
        said = f"with status {sent.came.response.status}"
    else:
        onward, rules = build_request(ready.request, ready.arguments, opened, ready.looked_up)
        ready = evolve(ready, opened=opened, onward=onward, rules=rules)
        if not await may_repeat(ready, parts):
            return sent
        sent = await _again(sent, ready, parts)
        if sent.ready is not ready or _error_kind(sent) != "reconnect":
            return sent
    await look_into(ready, said, parts)
    return sent


def _error_kind(sent: Sent) -> ErrorKind | None:
    return sent.came.read.error_kind if isinstance(sent.came, Answer) else None
