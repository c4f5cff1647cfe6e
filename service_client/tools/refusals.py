"""What a model is told when nothing was executed: what to fix, or what to tell the user."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from service_client.errors import (
    InternalServerError,
    MalformedAnswerError,
    ServiceClientError,
    ServiceError,
    ServiceUnreachableError,
)
from service_client.models import CONVERTER, Code
from service_client.tools.calls import ProposedCall, ToolCall, ToolResult

_LONGEST_SAID = 64
_NOT_SENT = 503
"""With this status the service says that it sent nothing to the app."""


def refusal(
    call: ToolCall, message: str, more: Mapping[str, Any] | None = None, error: ServiceClientError | None = None
) -> ToolResult:
    """Return the result of a call that was not sent, with the reason."""
    return ToolResult(
        call=call, content={"error": f"Not executed: {message}", **(more or {})}, is_error=True, error=error
    )


def unknown_tool(call: ToolCall, names: Iterable[str]) -> ToolResult:
    """Return what helps a model that made up a tool."""
    near = difflib.get_close_matches(call.name[:_LONGEST_SAID], list(names), n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return refusal(call, f"there is no tool named {_said(call.name)}.{hint}")


def not_approved(proposed: ProposedCall, *, was_asked: bool) -> ToolResult:
    """Return what a model is told if the user does not want a call, or nobody can be asked."""
    name = proposed.function.name
    if was_asked:
        told = f"the user did not want to call {name}. Nothing was sent. Don't try it again unless they ask for it."
    else:
        told = f"{name} may change something, so the user has to approve it, and nobody can be asked here."
    return refusal(proposed.tool_call, told)


def failed(call: ToolCall, error: ServiceClientError, *, changes: bool = False) -> ToolResult:
    """Return a failure in a form that a model can act on: every problem at its field, in the service's own words."""
    if isinstance(error, (ServiceUnreachableError, InternalServerError, MalformedAnswerError)):
        if changes and _may_have_executed(error):
            told = (
                "The service gave no usable answer: nobody knows whether this was executed. Look before you do it "
                "again, or ask the user."
            )
            return ToolResult(call=call, content={"error": told}, is_error=True, error=error)
        return refusal(call, "the service can't be used at the moment. Tell the user.", error=error)
    if not isinstance(error, ServiceError):
        return refusal(call, "the program that calls the service is at fault. Tell the user.", error=error)
    more: dict[str, Any] = {"error_details": list(CONVERTER.unstructure(error.details))}
    if error.retry_after is not None:
        more["retry_after_seconds"] = error.retry_after
    gone = " It may have been taken away." if error.code == Code.UNKNOWN_FUNCTION else ""
    return refusal(call, f"{error.envelope.error}{gone}", more, error)


def _may_have_executed(error: ServiceUnreachableError | InternalServerError | MalformedAnswerError) -> bool:
    if isinstance(error, ServiceUnreachableError):
        return error.may_have_executed
    return error.status != _NOT_SENT


def _said(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_SAID else f"{name[:_LONGEST_SAID]}…")
