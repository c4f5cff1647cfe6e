"""Google's Gemini, in its own API and in Vertex AI. Keys are spelt as in JSON, which the SDK takes too."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import Tool
from service_client.tools.reading import arguments_in, first, part, parts
from service_client.tools.vendors.vendor import Vendor

_KEYWORDS = ("type", "description", "minimum", "maximum", "required")
_FORMATS = ("date-time", "date", "time")


def _definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    declarations: list[dict[str, Any]] = []
    for each in tools:
        declaration: dict[str, Any] = {"name": each.name, "description": each.description}
        if each.parameters.get("properties"):  # an object without any is refused
            declaration["parametersJsonSchema"] = _schema(each.parameters)
        declarations.append(declaration)
    return [{"functionDeclarations": declarations}]


def _schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with the keywords that Gemini takes; the description says the rest in words."""
    taken = {key: schema[key] for key in _KEYWORDS if key in schema}
    told = [schema["description"]] if "description" in schema else []
    if schema.get("format") in _FORMATS:
        taken["format"] = schema["format"]
    elif "format" in schema:
        told.append(f"Format: {schema['format']}.")
    if "pattern" in schema:
        told.append(f"Must match {schema['pattern']}")
    if "default" in schema:
        told.append(f"Default: {schema['default']}.")
    if told:
        taken["description"] = " ".join(told)
    if choices := [each for each in schema.get("enum", ()) if each != ""]:  # an empty text is refused
        taken["enum"] = choices
    if "items" in schema:
        taken["items"] = _schema(schema["items"])
    if "properties" in schema:
        taken["properties"] = {name: _schema(inner) for name, inner in schema["properties"].items()}
    elif schema.get("type") == "object":
        taken["additionalProperties"] = True
    return taken


def _calls(response: Any) -> list[ToolCall]:
    candidate = first(parts(response, "candidates"))
    found = [part(each, "function_call", "functionCall") for each in parts(part(candidate, "content"), "parts")]
    return [
        ToolCall(
            name=str(part(call, "name")), arguments=arguments_in(part(call, "args")), id=str(part(call, "id") or "")
        )
        for call in found
        if call is not None
    ]


def _messages(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    for each in results:
        response = {"name": each.call.name, "response": {"error" if each.is_error else "output": dict(each.content)}}
        if each.call.id:
            response["id"] = each.call.id
        answers.append({"functionResponse": response})
    return [{"role": "user", "parts": answers}] if answers else []


GEMINI: Final = Vendor(name="Gemini", definitions=_definitions, calls=_calls, messages=_messages)
"""`config={"tools": tools.definitions(GEMINI)}`; the results go into `contents`, after the model's content."""
