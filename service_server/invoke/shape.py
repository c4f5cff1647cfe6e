"""Turns the app's answer into the result: what is relayed of it, and the cursor of the next page."""

import structlog

from service_client.models import CallResult
from service_server.invoke.invocation import Answer, Parts, Ready, Sent
from service_server.invoke.next_page import seal_next_page
from service_server.json_texts.json_text import JsonText
from service_server.onward.values import Unanswered

_LOG = structlog.get_logger(__name__)

_NETWORK_CODES = {"timed_out": "504", "broken_off": "502", "too_large": "502"}


async def shape(sent: Sent, parts: Parts) -> CallResult:
    """Make the result; whatever goes wrong here, the call stays executed."""
    ready = sent.ready
    is_paginated = ready.request.function.pagination is not None
    if isinstance(sent.came, Unanswered):
        output = JsonText.of({"error": sent.came.kind, "reason": ready.secrets.removed_from(sent.came.reason)})
        return CallResult(
            network_code=_NETWORK_CODES[sent.came.kind], output=output, next_page="" if is_paginated else None
        )
    answer = sent.came
    try:
        next_page = _next_page(ready, answer, parts)
    except Exception as defect:
        # The type alone: a message may quote what the app answered.
        _LOG.error("call.next_page_missing", function=ready.request.function.name, error=type(defect).__name__)
        next_page = "" if is_paginated else None
    return CallResult(
        network_code=str(answer.response.status),
        output=answer.output,
        next_page=next_page,
        outcome=answer.read.outcome,
    )


def _next_page(ready: Ready, answer: Answer, parts: Parts) -> str | None:
    following = answer.read.following
    if following is None:
        return None if ready.request.function.pagination is None else ""
    if following.position is None:
        return ""
    arguments, account = ready.arguments.values, ready.opened.account
    return seal_next_page(parts.vault, following.position, ready.request, account, arguments)
