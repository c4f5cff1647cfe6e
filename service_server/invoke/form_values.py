"""Arguments that came as a form, read by the parameters' schema; what can't be read is an error, never a guess."""

import re
from collections.abc import Iterable
from typing import Any

from service_client.models import Action, Code, ErrorDetail
from service_server.json_texts.foreign import read_json

_KEY = re.compile(r"(?P<name>[^\[\]]+)(?P<rest>(?:\[[^\[\]]*\])*)")
_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
MAX_PAIRS = 1000
_LONGEST_KEY = 1000


def read_form(pairs: Iterable[tuple[str, str]], schema: dict[str, Any]) -> tuple[dict[str, Any], list[ErrorDetail]]:
    """
    Return the arguments, and the problems of those that could not be read.

    `a=1&a=2` and `a[]=1` make arrays, `a[b]=c` objects. A single value that starts with `[` for an array, or with `{`
    for an object, is JSON.
    """
    texts: dict[str, list[str]] = {}
    nested: dict[str, list[tuple[str, str]]] = {}
    problems: list[ErrorDetail] = []
    for key, text in pairs:
        match = _KEY.fullmatch(key) if len(key) <= _LONGEST_KEY else None
        if match is None:
            problems.append(_problem(key, "is not a parameter name"))
            continue
        name, rest = match["name"], match["rest"]
        if rest in ("", "[]"):
            texts.setdefault(name, []).append(text)
        else:
            inner, _, deeper = rest[1:].partition("]")
            nested.setdefault(name, []).append((inner + deeper, text))
    values: dict[str, Any] = {}
    properties = schema.get("properties") or {}
    for name in [*texts, *(name for name in nested if name not in texts)]:
        kind = properties.get(name, {})
        try:
            values[name] = _read(texts.get(name, []), nested.get(name, []), kind)
        except ValueError as error:
            problems.append(_problem(name, str(error)))
    return values, problems


def _read(texts: list[str], nested: list[tuple[str, str]], schema: dict[str, Any]) -> Any:
    kind = schema.get("type", "string")
    if nested and (texts or kind != "object"):
        raise ValueError(f"must be {_named(kind)}")
    if kind == "object":
        return _object(texts, nested, schema)
    if kind == "array":
        return _array(texts, schema.get("items") or {})
    if len(texts) > 1:
        raise ValueError("is given more than once")
    return _scalar(texts[0], kind)


def _object(texts: list[str], nested: list[tuple[str, str]], schema: dict[str, Any]) -> Any:
    if texts:
        value = _json(texts[0]) if len(texts) == 1 and not nested else None
        if not isinstance(value, dict):
            raise ValueError("must be an object, as name[key]=value or one JSON object")
        return value
    values, problems = read_form(nested, schema)
    if problems:
        raise ValueError(f"{problems[0].field}: {problems[0].message}")
    return values


def _array(texts: list[str], items: dict[str, Any]) -> Any:
    if len(texts) == 1 and texts[0].lstrip().startswith("["):
        return _json(texts[0])
    return [_read([text], [], items) for text in texts]


def _scalar(text: str, kind: str) -> Any:
    if kind == "string":
        return text
    if kind == "boolean":
        if text.lower() in ("true", "false", "1", "0"):
            return text.lower() in ("true", "1")
        raise ValueError("must be true or false")
    if kind == "number" and _NUMBER.fullmatch(text.strip()):
        return _json(text.strip().removeprefix("+"))
    raise ValueError(f"must be {_named(kind)}")


def _json(text: str) -> Any:
    try:
        return read_json(text, as_unicode=True)
    except ValueError:
        raise ValueError("is not valid JSON") from None


def _named(kind: str) -> str:
    return {"array": "an array", "object": "an object"}.get(kind, f"a {kind}")


def _problem(name: str, message: str) -> ErrorDetail:
    return ErrorDetail(field=name[:200], code=Code.TYPE, message=f"{name[:200]} {message}", action=Action.FIX_FIELD)
