"""The reference of the REST API, as Markdown made of the OpenAPI description that the service gives of itself."""

from typing import Any

from litestar import Litestar

from service_server.app import ROUTES
from service_server.rest.dependencies import DEPENDENCIES
from service_server.rest.description import describe, openapi_config


def rest_reference() -> str:
    """Every operation with its parameters, body and answers, under a heading for each tag; then what answers hold."""
    document = describe(
        Litestar(route_handlers=ROUTES, dependencies=DEPENDENCIES, openapi_config=openapi_config(), logging_config=None)
    )
    tags: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tags.setdefault(operation["tags"][0], []).append(_operation(operation, method, path))
    parts = [part for tag, operations in tags.items() for part in (f"## {tag}", *operations)]
    parts.append("## What answers hold")
    parts.extend(_schema(name, schema) for name, schema in document["components"]["schemas"].items())
    return "\n\n".join(parts)


def _operation(operation: dict[str, Any], method: str, path: str) -> str:
    parts = [f"### {operation['summary']}", f"`{method.upper()} {path}`", operation.get("description", "")]
    rows = [
        (each["name"], each["in"], _type(each["schema"]), _required(each.get("required")), each.get("description"))
        for each in operation.get("parameters", ())
    ]
    parts.append(_table(("parameter", "in", "type", "", "what for"), rows))
    if body := operation.get("requestBody"):
        content = body["content"]
        schema = next(iter(content.values()))["schema"]
        parts.append(f"The body is {' or '.join(f'`{name}`' for name in content)}: {_type(schema)}.")
        parts.append(_properties(schema))
    answers = [
        (status, " or ".join(_content(*each) for each in answer.get("content", {}).items()), _said(answer))
        for status, answer in operation["responses"].items()
    ]
    parts.append(_table(("status", "answer", "what it says"), answers))
    return "\n\n".join(part for part in parts if part)


def _content(media_type: str, content: dict[str, Any]) -> str:
    """What comes as one media type: a value, or else bytes."""
    return _type(content["schema"]) if "schema" in content else f"`{media_type}`"


def _said(answer: dict[str, Any]) -> str:
    """What an answer is described as, but for the standard words for a status."""
    description: str = answer["description"]
    return "" if description.startswith(("Request fulfilled", "Document created")) else description


def _schema(name: str, schema: dict[str, Any]) -> str:
    parts = [f"### {name}", schema.get("description", "")]
    if choices := schema.get("enum"):
        parts.append("One of " + ", ".join(f"`{choice}`" for choice in choices) + ".")
    parts.append(_properties(schema))
    return "\n\n".join(part for part in parts if part)


def _properties(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = [
        (name, _type(each), _required(name in required), each.get("description"))
        for name, each in schema.get("properties", {}).items()
    ]
    return _table(("key", "type", "", "what for"), rows)


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words; one that has a name, as a link to it."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if choices := schema.get("enum"):
        return ", ".join(f"`{choice}`" for choice in choices)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_type(each) for each in schema[several]))
    kind = schema.get("type", "any")
    name = " or ".join(kind) if isinstance(kind, list) else kind
    if name == "array":
        return f"list of {_type(schema.get('items', {}))}"
    smallest, largest = schema.get("minimum"), schema.get("maximum")
    longest = schema.get("maxLength") or schema.get("maxItems")
    bounds = f", {smallest:.17g} to {largest:.17g}" if smallest is not None and largest is not None else ""
    return f"{name}{bounds}" + (f", at most {longest} characters" if longest else "")


def _required(holds: bool | None) -> str:
    return "required" if holds else ""


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A table of what there is: columns in which nothing stands are left out."""
    used = [at for at in range(len(head)) if any(row[at] for row in rows)]
    if not rows:
        return ""
    lines = ["| " + " | ".join(head[at] for at in used) + " |", "|" + "---|" * len(used)]
    lines += ["| " + " | ".join(_cell(row[at], code=at == 0) for at in used) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any, *, code: bool) -> str:
    text = " ".join(str(value or "").split()).replace("|", "\\|")
    return f"`{text}`" if code and text else text
