"""Reads what models and their vendors give, and takes nothing for granted."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def part(value: object, *names: str) -> Any:
    """Return the value of the first of these names that an SDK's object, or a JSON object, has; else None."""
    for name in names:
        found: Any = value.get(name) if is_object(value) else getattr(value, name, None)
        if found is not None:
            return found
    return None


def parts(value: object, *names: str) -> list[Any]:
    """Return the list found there, or an empty one."""
    found = part(value, *names)
    return list(found) if _is_list(found) else []


def first(values: list[Any]) -> Any:
    """Return the first of some values, if there is one."""
    return values[0] if values else None


def arguments_in(given: object) -> Mapping[str, Any] | str:
    """Return the arguments of a call as the model gave them; empty if it gave none."""
    if given is None:
        return {}
    return given if is_object(given) else str(given)


def object_in(given: object) -> dict[str, Any] | None:
    """
    Return the object that a model gave, as such or as text: a copy, so that what was approved can't change.

    None for what can't be sent as JSON: no object, NaN or a number beyond every float, half a surrogate pair.
    """
    try:
        text = (given or "{}") if isinstance(given, str) else json.dumps(dict(given) if is_object(given) else given)
        read: object = json.loads(text)
        json.dumps(read, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return None
    return dict(read) if is_object(read) else None


def in_unicode(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a JSON object that can be sent: half a surrogate pair, which an app's answer may hold, becomes U+FFFD."""
    text = json.dumps(content, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        readable: dict[str, Any] = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        return readable
    return content


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, Mapping)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
