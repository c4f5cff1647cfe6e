"""Cursor paging: `limit` and `cursor` in, `items` and `next_cursor` out."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from examples.sandbox_app.messages import Refusal, Request

MAX_LIMIT = 100
MAX_NUMBER = 1_000_000

Item = TypeVar("Item")


def single(request: Request, name: str) -> str | None:
    """A query parameter that may come once; raises `Refusal` 400 when it comes more often."""
    values = request.query.get(name, [])
    if len(values) > 1:
        raise Refusal(400, "bad_request", f"{name} may be given only once.")
    return values[0] if values else None


def whole_number(request: Request, name: str, default: int, maximum: int) -> int:
    """A query parameter that is a whole number from 1 to `maximum`; raises `Refusal` 400 for anything else."""
    text = single(request, name)
    if text is None:
        return default
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MAX_NUMBER)) else 0
    if not 1 <= number <= maximum:
        raise Refusal(400, "bad_request", f"{name} must be a whole number from 1 to {maximum}.")
    return number


def page_of(
    request: Request,
    items: Sequence[Item],
    *,
    position: Callable[[Item], int],
    show: Callable[[Item], dict[str, Any]],
    filters: dict[str, str | None],
) -> dict[str, Any]:
    """
    One page of `items`, which rise in `position`; a cursor belongs to the filters it was made for.

    Raises `Refusal` 400 for a limit or cursor that is not right.
    """
    limit = whole_number(request, "limit", 20, MAX_LIMIT)
    text = single(request, "cursor")
    after = _read_cursor(text, filters) if text else None
    rest = [item for item in items if after is None or position(item) > after]
    page = rest[:limit]
    more = len(rest) > limit
    return {
        "items": [show(item) for item in page],
        "next_cursor": _write_cursor(position(page[-1]), filters) if more else None,
    }


def _write_cursor(after: int, filters: dict[str, str | None]) -> str:
    return base64.urlsafe_b64encode(json.dumps([after, filters]).encode()).decode().rstrip("=")


def _read_cursor(cursor: str, filters: dict[str, str | None]) -> int:
    try:
        value = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        value = None
    if isinstance(value, list) and len(value) == 2 and type(value[0]) is int and value[1] == filters:
        return value[0]
    raise Refusal(400, "invalid_cursor", "The cursor is not one of this list.")
