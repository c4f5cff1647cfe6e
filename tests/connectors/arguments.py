"""Makes up arguments for functions, so that every parameter is sent at least once."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.catalog.values import FunctionDefinition

_TEXTS = {
    "date": "2026-11-21",
    "date-time": "2026-11-21T10:00:00Z",
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "file": "https://example.com/a.txt",
}


# What the schema of a parameter can't tell, because it takes values of every type.
_UNTOLD = {"clickup-create-task": {"custom_fields": [{"id": "0a52c486-5f05-403b-b4fd-c512ff05131c", "value": "low"}]}}
_FITTING = ("a1", "GB", "GBP", "00000000-0000-4000-8000-000000000000")  # one that a parameter's pattern takes


def every_argument(function: FunctionDefinition) -> dict[str, Any]:
    """Return arguments that fill every parameter of a function; the last example's values where it has them."""
    sample: dict[str, Any] = _sample(function.parameters)
    for _, arguments in function.examples:
        sample |= arguments
    return sample | _UNTOLD.get(function.name, {})


def _sample(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][-1]
    match schema["type"]:
        case "object":
            return {name: _sample(child) for name, child in schema["properties"].items()}
        case "array":
            return [_sample(schema["items"]), _sample(schema["items"])]
        case "number":
            return 7
        case "boolean":
            return True
        case _:
            pattern = re.compile(schema.get("pattern", ""))
            fitting = next((text for text in _FITTING if pattern.search(text)), _FITTING[0])
            return _TEXTS.get(schema.get("format", ""), fitting)
