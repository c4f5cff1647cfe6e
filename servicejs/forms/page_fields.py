"""Fields that the page draws itself, and what it is told about each. The form does the rest for such a field."""

import re
from typing import Any

from attrs import frozen

from service_client.models import DynamicFields, Source
from servicejs.exact_numbers import json_for_page
from servicejs.forms.fields import Field
from servicejs.forms.form import Form
from servicejs.forms.paths import Path, path_text
from servicejs.forms.values import ABSENT, Node, filled_value

_POSITION = re.compile(r"\[\d+\]")


@frozen
class PageField:
    """A field that the page draws: which of its renderers draws it, and what that is told, as JSON."""

    renderer: str
    data: str


@frozen
class PageFields:
    """
    Which fields the page draws, by their paths in `meta` (`a`, `a.b`, `a[].b`).

    `account_id` is the account that choices are looked up with.
    """

    renderers: frozenset[str] = frozenset()
    account_id: int | None = None

    def find(self, form: Form, node: Node, path: Path) -> PageField | None:
        """Return what the page is told about the field at a path; None if it doesn't draw that one."""
        name = path_text(path)
        renderer = _POSITION.sub("[]", name)
        if renderer not in self.renderers:
            return None
        field = node.field
        value = filled_value(node)
        told = {
            "name": name,
            "title": field.title,
            "description": field.description,
            "type": field.kind if field.kind != "json" else field.expects or "json",
            "format": field.limits.format,
            "required": field.required,
            "options": [{"value": each.value, "label": each.label} for each in _options(field)],
            "value": None if value is ABSENT else value,
            "error": form.problems[path].message if path in form.problems else "",
            "params": _params(form, path, field.source or field.dynamic),
            "account": self.account_id,
        }
        return PageField(renderer, json_for_page(told))


def _options(field: Field) -> Any:
    return field.options or (field.item.options if field.item else ())


def _params(form: Form, path: Path, listed: Source | DynamicFields | None) -> dict[str, Any]:
    """Return the arguments that choices depend on, and the one around a nested field, which may hold them, too."""
    needed = {parent.partition(".")[0].removesuffix("[]") for parent in (listed.depends_on if listed else ())}
    if listed and len(path) > 1:
        needed.add(str(path[0]))
    given = {name: filled_value(node) for name, node in form.root.members.items() if name in needed}
    return {name: value for name, value in given.items() if value is not ABSENT}
