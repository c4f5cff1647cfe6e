"""Functions' parameters as JSON Schemas that all clients accept, in as few words as possible."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.values import FunctionDefinition
from service_server.invoke.check_arguments import NEXT_PAGE

ACCOUNT = "connected_account_id"
_ACCOUNT_SCHEMA = {"type": "integer", "description": "The connected account to use, of the several there are."}
_FILE = "The id of an uploaded file (file_…) or an https address of one."
_PAGE_SCHEMA = {"type": "string", "description": "The next_page of the page before; left out for the first."}


def tool_schema(function: FunctionDefinition, *, with_account: bool = False) -> dict[str, Any]:
    """The schema of a function's arguments, and of what a call takes besides them."""
    properties = {name: _plain(schema) for name, schema in function.parameters["properties"].items()}
    if function.pagination is not None:
        properties.setdefault(NEXT_PAGE, _PAGE_SCHEMA)
    if with_account:
        properties.setdefault(ACCOUNT, _ACCOUNT_SCHEMA)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if function.parameters["required"]:
        schema["required"] = list(function.parameters["required"])
    return schema


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that calls whole numbers what every client calls them, and leaves out empty keywords."""
    plain = {key: value for key, value in schema.items() if value not in ("", [], ())}
    if plain.get("type") == "number" and plain.get("multipleOf") == 1:
        plain["type"] = "integer"
        del plain["multipleOf"]
    if plain.get("format") == "file":
        plain["description"] = f"{plain.get('description', '')} {_FILE}".strip()
    if isinstance(plain.get("items"), Mapping):
        plain["items"] = _plain(plain["items"])
    if isinstance(plain.get("properties"), Mapping):
        plain["properties"] = {name: _plain(inner) for name, inner in plain["properties"].items()}
    return plain
