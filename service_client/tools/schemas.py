"""Functions' parameters as JSON Schemas for models: as short as possible, with the keywords that vendors take."""

from collections.abc import Mapping
from typing import Any

from service_client.models import Function

ACCOUNT, NEXT_PAGE = "connected_account_id", "next_page"
LONGEST_DESCRIPTION = 1024

_ACCOUNT_SCHEMA = {"type": "integer", "description": "The connected account to use, of the several there are."}
_PAGE_SCHEMA = {"type": "string", "description": "The next_page of the page before; left out for the first."}
_FILE = "The id of an uploaded file (file_…) or an https address of one."
_KEPT = ("type", "description", "format", "pattern", "enum", "default", "minimum", "maximum")


def tool_schema(function: Function, *, with_account: bool = False) -> dict[str, Any]:
    """Return the schema of a function's arguments, with what a call takes besides them."""
    parameters = function.parameters
    schema = _plain({"type": "object", "properties": parameters.properties, "required": parameters.required})
    properties: dict[str, Any] = schema.setdefault("properties", {})
    if function.meta is not None and function.meta.paginated:
        properties.setdefault(NEXT_PAGE, _PAGE_SCHEMA)
    if with_account:
        properties.setdefault(ACCOUNT, _ACCOUNT_SCHEMA)
    return schema


def shortened(text: str, longest: int = LONGEST_DESCRIPTION) -> str:
    """Return a text, cut if it is longer than vendors take."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with `integer` for whole numbers and `items` in each list, without titles and empty keywords."""
    plain = {key: schema[key] for key in _KEPT if schema.get(key) not in (None, "", [], ())}
    if "description" not in plain and schema.get("title"):
        plain["description"] = schema["title"]
    if plain.get("format") == "file":  # no vendor knows of it, and a model has to know what to write
        plain |= {"description": f"{plain.get('description', '')} {_FILE}".strip()}
        del plain["format"]
    if plain.get("type") == "number" and schema.get("multipleOf") == 1:
        plain["type"] = "integer"
    if plain.get("type") == "array":
        plain["items"] = _plain(schema.get("items") or {"type": "string"})
    if plain.get("type") == "object":
        if schema.get("properties"):
            plain["properties"] = {name: _plain(inner) for name, inner in schema["properties"].items()}
        if schema.get("required"):
            plain["required"] = list(schema["required"])
    return plain
