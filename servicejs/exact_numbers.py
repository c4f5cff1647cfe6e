"""
Whole numbers that JavaScript has no number for: it would round them, and an id that is rounded is another thing's.

The page gets them as texts of their digits, and may pass them on as such: where a function wants a number, the text
becomes the number again.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from service_client.models import Code, ErrorDetail
from servicejs.forms.paths import Path, path_text, plain_path_text

LARGEST = 2**53 - 1
"""JavaScript's `Number.MAX_SAFE_INTEGER`; beyond it, neighbours become one number."""

_MAY_BE_TOO_LARGE = re.compile(r"[0-9]{16}")
_DIGITS = re.compile(r"-?[1-9][0-9]{14,399}")
"""What the page writes a `bigint` of more than 15 characters as; shorter ones are numbers."""


def json_for_page(message: Any) -> str:
    """Write a message as JSON in which no number is too large for JavaScript."""
    text = json.dumps(message)
    return json.dumps(_with_texts(message)) if _MAY_BE_TOO_LARGE.search(text) else text


def with_numbers(arguments: Mapping[str, Any], details: Iterable[ErrorDetail]) -> dict[str, Any] | None:
    """
    Turn texts back into the numbers they stand for, where a service has refused them for their type.

    None if it has refused no such text.
    """
    refused = {detail.field for detail in details if detail.code == Code.TYPE and detail.field is not None}
    changed = _with_numbers(dict(arguments), (), refused)
    return None if changed == arguments else changed


def _with_texts(value: Any) -> Any:
    match value:
        case bool():
            return value
        case int():
            return value if -LARGEST <= value <= LARGEST else str(value)
        case dict():
            return {name: _with_texts(each) for name, each in value.items()}
        case list() | tuple():
            return [_with_texts(each) for each in value]
    return value


def _with_numbers(value: Any, path: Path, refused: set[str]) -> Any:
    match value:
        case dict():
            return {name: _with_numbers(each, (*path, name), refused) for name, each in value.items()}
        case list():
            return [_with_numbers(each, (*path, position), refused) for position, each in enumerate(value)]
        case str() if _DIGITS.fullmatch(value) and {path_text(path), plain_path_text(path)} & refused:
            return int(value)
    return value
