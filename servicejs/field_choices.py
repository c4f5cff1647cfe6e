"""The choices of one parameter, for host pages that draw forms of their own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_client import AsyncClient
from service_client.models import FieldMeta, Function, Source
from servicejs.errors import SdkError
from servicejs.forms.listings import NotAListError, choices, entries
from servicejs.forms.options import Option, having_words, options_from
from servicejs.forms.sources import resolve

MOST_PAGES = 10
"""How many pages of a source function a search goes through, at most, until it finds something."""

_STEP = re.compile(r"[^.\[\]]+|\[\d*\]")


async def list_choices(
    client: AsyncClient,
    function: Function,
    path: str,
    params: Mapping[str, Any],
    *,
    search: str = "",
    cursor: str = "",
    account_id: int | None = None,
) -> dict[str, Any]:
    """
    Return `{choices: [{value, label}], cursor}` of the field at a path: `a`, `a.b`, or `a[0].b` for an entry of a list.

    `params` are the arguments so far; the choices may depend on them. The app does the `search` itself if it can;
    otherwise the labels must have its words. The cursor is empty on the last page.
    """
    field = _field(function, path)
    if field.source is None:
        fixed = having_words(options_from(field.options or ()), search)
        return _listed(fixed, "")
    source = field.source
    arguments = resolve(source.arguments, _Reference(path, params).look_up)
    if search and source.search:
        arguments[source.search] = search
    for _page in range(MOST_PAGES):
        found, following = await _call(client, source, arguments, cursor, account_id)
        offered = found if source.search else having_words(found, search)
        cursor = following if following != cursor else ""  # a page token that doesn't change would be asked for forever
        if offered or not cursor:
            break
    return _listed(offered, cursor)


def _listed(options: Sequence[Option], cursor: str) -> dict[str, Any]:
    return {"choices": [{"value": each.value, "label": each.label} for each in options], "cursor": cursor}


def _field(function: Function, path: str) -> FieldMeta:
    fields = function.meta.fields if function.meta is not None else {}
    field = fields.get(re.sub(r"\[\d+\]", "[]", path))
    if field is None:
        raise SdkError("invalid_argument", f"{function.name} has no field {path!r}; it has {', '.join(fields)}.")
    if field.source is None and field.options is None:
        raise SdkError("invalid_argument", f"The field {path!r} of {function.name} has no choices.")
    return field


async def _call(
    client: AsyncClient, source: Source, arguments: Mapping[str, Any], cursor: str, account_id: int | None
) -> tuple[Sequence[Option], str]:
    given = {**arguments, **({"next_page": cursor} if cursor else {})}
    result = await client.functions.call(source.function, given, connected_account_id=account_id)
    if not result.succeeded:
        raise SdkError("choices_failed", f"{source.function} was answered with an error ({result.network_code}).")
    try:
        return choices(source, entries(result.output)), result.next_page or ""
    except NotAListError as error:
        raise SdkError("choices_failed", f"{source.function}: {error}") from error


class _Reference:
    """What `${param}` means in the arguments of a source function, seen from the field at a path."""

    def __init__(self, path: str, params: Mapping[str, Any]) -> None:
        self._path = path
        self._around: list[Mapping[str, Any]] = [params]  # the objects that contain the field, outermost first
        value: Any = params
        for step in _STEP.findall(path)[:-1]:
            value = _below(value, step)
            if isinstance(value, Mapping):
                self._around.append(value)

    def look_up(self, name: str, optional: bool) -> Any:
        """Return a value from the same object, or from those around it."""
        for value in reversed(self._around):
            found: Any = value
            for step in name.replace("[]", "").split("."):
                found = _below(found, step)
            if found not in (None, ""):
                return found
        if optional:
            return None
        raise SdkError("invalid_argument", f"The choices of {self._path!r} depend on {name!r}: give it in params.")


def _below(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, list) and (number := step.strip("[]")).isdigit() and int(number) < len(value):
        return value[int(number)]
    return None
