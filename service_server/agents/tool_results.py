"""What a model gets back from a tool: the app's answer, or what to fix; as text and as structured content."""

from typing import Any

from mcp import types

from service_client.models import CONVERTER, File
from service_server.errors import ServiceError
from service_server.files.files import ID
from service_server.invoke import Executed
from service_server.json_texts.json_text import JsonText, in_unicode

FILES = "integration-functions://files"
LARGEST_OUTPUT = 256 * 1024
"""Bytes of an answer that are passed on; a model could read no more of it anyway."""


def told_result(executed: Executed, *, replayed: bool, gives_file: bool = False) -> types.CallToolResult:
    """
    An executed call; an error to the model if the app reports one, since the model did not get what it wanted.

    Where the function `gives_file`, a link leads to it.
    """
    result = executed.result
    output = result.output if isinstance(result.output, JsonText) else JsonText.of(result.output)
    told: dict[str, Any] = {"network_code": result.network_code, "output": _kept(output)}
    if result.next_page is not None:
        told["next_page"] = result.next_page
    if result.outcome is not None:
        told["outcome"] = CONVERTER.unstructure(result.outcome)
    if replayed:
        told["replayed"] = True
    came = structured(told, is_error=not result.network_code.startswith(("2", "3")))
    link = _link(told["output"]) if gives_file and not came.is_error else None
    return came if link is None else came.model_copy(update={"content": [*came.content, link]})


def structured(value: dict[str, Any], *, is_error: bool = False) -> types.CallToolResult:
    """A result as structured content, and as text for clients that don't know structured content."""
    told = in_unicode(value)  # clients can't read any other, and would not learn that a call was executed
    return types.CallToolResult(
        content=[types.TextContent(text=JsonText.of(told).text.decode())], structured_content=told, is_error=is_error
    )


def file_uri(file_id: str) -> str:
    """The address of a kept file among the resources."""
    return f"{FILES}/{file_id}"


def _link(output: Any) -> types.ResourceLink | None:
    """A link to a file that a call gave, None if it gave none."""
    if not isinstance(output, dict) or not ID.fullmatch(str(output.get("id"))):
        return None
    file = CONVERTER.structure(output, File)
    return types.ResourceLink(
        uri=file_uri(file.id),
        name=file.name,
        mime_type=file.media_type,
        size=file.size,
        description=f"Kept until {file.expires_at:%Y-%m-%dT%H:%M:%SZ}. Other functions take it by the id {file.id}.",
    )


def tool_error(error: ServiceError) -> types.CallToolResult:
    """A refusal that the model can fix: every problem at its field, in the service's own words."""
    lines = [f"Not executed: {error.error}"]
    lines += [f"- {each.message}" for each in error.details if each.message != error.error]
    if "Retry-After" in error.headers:
        lines.append(f"Try again in {error.headers['Retry-After']} s.")
    details = CONVERTER.unstructure(error.details)
    return not_executed("\n".join(lines), {"error": error.error, "error_details": list(details)})


def not_executed(text: str, more: dict[str, Any] | None = None) -> types.CallToolResult:
    """A call that was not sent, and why."""
    return types.CallToolResult(
        content=[types.TextContent(text=text)], structured_content=more or {"error": text}, is_error=True
    )


def _kept(output: JsonText) -> Any:
    if len(output.text) <= LARGEST_OUTPUT:
        return output.value()
    return {
        "error": "too_large",
        "reason": f"the call was executed, but its answer of {len(output.text)} bytes is more than the "
        f"{LARGEST_OUTPUT} that a tool gives; ask for less at a time",
    }
