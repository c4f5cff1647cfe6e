"""Lists of an app through the whole service: page by page, and as the choices of a form's field."""

import re
from collections.abc import Mapping
from functools import reduce
from typing import Any

from service_client import CallResult, Client
from service_client.models import FieldMeta


def pages_of(client: Client, function: str, arguments: Mapping[str, Any] | None = None) -> list[CallResult]:
    """Call a function for all pages of its list."""
    return list(client.functions.call_pages(function, arguments))


def field_of(client: Client, function: str, field: str) -> FieldMeta:
    """What forms are told of a field."""
    described = client.functions.get(function, include="meta")
    assert described.meta is not None
    return described.meta.fields[field]


def choices(
    client: Client, function: str, field: str, arguments: Mapping[str, Any] | None = None, search: str = ""
) -> dict[Any, Any]:
    """What a field's dropdown offers, given the fields that it depends on: labels by their values."""
    source = field_of(client, function, field).source
    assert source is not None
    given = {name: _referred(value, arguments or {}) for name, value in source.arguments.items()}
    given |= {source.search: search} if search and source.search else {}
    rows = client.functions.items(source.function, given)
    return {_found(row, source.value): _found(row, source.label) for row in rows}


def _referred(value: Any, arguments: Mapping[str, Any]) -> Any:
    """What a source's argument comes to: a constant, or what was given for the field that it refers to."""
    reference = re.fullmatch(r"\$\{(.+)\}", value) if isinstance(value, str) else None
    return value if reference is None else arguments[reference[1]]


def _found(row: Any, path: str) -> Any:
    """What stands in a row at a path such as `criteria.from`."""
    return reduce(lambda inner, key: inner.get(key), path.split("."), row)
