"""The fields of a function: their names, titles, hints for forms, and which values fit them."""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

import jsonschema_rs

from service_server.openapi_import.alternatives import Schema
from service_server.openapi_import.texts import title_of_name

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_MOST_VALUES = 300
_LONG_TEXTS = frozenset({"body", "content", "text", "message", "comment", "notes", "note", "markdown", "description"})
_SECRET = re.compile(
    r"(^|_)(password|passwd|passphrase|secret|private_key|api_?key|(access|refresh|auth)_?token)\Z", re.I
)


def described(schema: Schema, name: str) -> Schema:
    """Return the schema of a field with the title and description that every field has, and hints for its form."""
    title = schema.get("title") or title_of_name(name)
    result: Schema = {"type": schema["type"], **schema, "title": title}
    result["description"] = schema.get("description") or _description(name, title)
    if schema["type"] == "string" and not {"enum", "format", "pattern"} & set(schema):
        if _SECRET.search(name):
            result["x-sensitive"] = True
        elif name.lower() in _LONG_TEXTS:
            result["x-multiline"] = True
    order = ("type", "multipleOf", "minimum", "maximum", "format", "pattern", "title", "description")
    return {key: result[key] for key in (*(key for key in order if key in result), *result)}


def fitting(schema: Schema, values: Iterable[Any]) -> list[Any]:
    """Return those of the document's own values that fit a flattened schema."""
    found: list[Any] = []
    given = [value for value in values if value is not None]
    if given:
        with suppress(ValueError, jsonschema_rs.ValidationError):  # a schema that nothing can be compared with
            checked = {key: each for key, each in schema.items() if key != "default"}
            validator = jsonschema_rs.validator_for(checked, validate_formats=True)
            for value in given:
                with suppress(ValueError, OverflowError):  # a number or text that JSON doesn't have
                    found.extend([value] if validator.is_valid(value) else [])
    return found


def set_values(schema: Schema, values: list[Any], limits: list[str]) -> None:
    """List the values of a schema, as far as they are of its type; `limits` gets what there is no room for."""
    if schema["type"] == "string":
        simple = [value for value in values if isinstance(value, str | int | float)]
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in simple]
        values = [text for text in texts if "".join(text.splitlines()) == text]
    else:
        values = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    different = list(dict.fromkeys(values))
    for key in ("pattern", "minimum", "maximum", "format"):
        schema.pop(key, None)
    if 0 < len(different) <= _MOST_VALUES:
        schema["enum"] = different
    elif different:
        limits.append("enum")


def is_short(text: str) -> bool:
    """Tell whether a text can stand in an empty field."""
    return 0 < len(text) <= 60 and text.isprintable()


def is_pattern(text: str) -> bool:
    """Tell whether a text is a regular expression, where arguments are checked and where forms are."""
    try:
        re.compile(text)
        jsonschema_rs.validator_for({"pattern": text})
    except (re.error, ValueError, OverflowError, RecursionError, jsonschema_rs.ValidationError):
        return False
    return True


def _description(name: str, title: str) -> str:
    words = title.split(" ")
    if len(words) > 1 and words[-1] in ("ID", "number", "key", "name") and name.lower() != words[-1]:
        return f"The {words[-1]} of the {' '.join(words[:-1]).lower()}."
    return f"{title}."
