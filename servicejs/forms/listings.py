"""What source functions answer, read as choices for a dropdown or as the fields of an object."""

from collections.abc import Mapping
from typing import Any

from service_client.models import FIELD_TYPES, DynamicFields, FieldMeta, Source
from servicejs.forms.fields import Field, field_from_schema
from servicejs.forms.options import Option, is_scalar, options_from, scalar_text
from servicejs.language import gettext as _

_FORMATS = ("date", "date-time", "time", "email", "uri")
_KIND_OF = {word: kind for kind, words in FIELD_TYPES.items() for word in words}


class NotAListError(ValueError):
    """A source function answered with something other than an array."""


def entries(output: Any) -> list[Any]:
    """Take the entries out of a source function's output; an empty answer has none."""
    if output is None or output == "":
        return []
    if not isinstance(output, list):
        raise NotAListError(_("The app’s answer isn’t a list."))
    return output


def choices(source: Source, found: list[Any]) -> tuple[Option, ...]:
    """Read the options of a dropdown; entries without a value are left out, the first of equal values stays."""
    options: dict[str, Option] = {}
    for entry in found:
        value = _pick(entry, source.value) if isinstance(entry, dict) else entry
        label = _pick(entry, source.label) if isinstance(entry, dict) else entry
        if is_scalar(value) and value != "":
            shown = scalar_text(label) if is_scalar(label) and label != "" else scalar_text(value)
            option = Option(value=value, label=shown)
            options.setdefault(option.text, option)
    return tuple(options.values())


def fields_of_object(dynamic: DynamicFields, found: list[Any]) -> tuple[Field, ...]:
    """Read the fields of an object; entries without a key are left out, the first of equal keys stays."""
    fields: dict[str, Field] = {}
    for entry in found:
        key = _pick(entry, dynamic.key) if isinstance(entry, dict) else entry
        if not is_scalar(key) or isinstance(key, bool) or key == "":
            continue
        name = scalar_text(key)
        fields.setdefault(name, _field(dynamic, entry if isinstance(entry, dict) else {}, name))
    return tuple(fields.values())


def _field(dynamic: DynamicFields, entry: Mapping[str, Any], name: str) -> Field:
    title = _pick(entry, dynamic.title)
    kind = _pick(entry, dynamic.type)
    known = _KIND_OF.get(kind.lower(), "string") if isinstance(kind, str) else "string"
    schema = _schema(known, _pick(entry, dynamic.options)) | {"description": entry.get("description")}
    meta = FieldMeta(title=scalar_text(title) if is_scalar(title) and title != "" else name, widget=known)
    return field_from_schema(name, schema, {"": meta}, required=_is_true(_pick(entry, dynamic.required)))


def _schema(kind: str, options: Any) -> dict[str, Any]:
    allowed = _allowed(options)
    if kind == "array":
        return {"type": "array", "items": {"type": "string", "enum": allowed}}
    if kind in ("object", "boolean"):
        return {"type": kind}
    if kind in ("number", "integer"):
        return {"type": kind, "enum": allowed}
    return {"type": "string", "enum": allowed, "format": "" if allowed or kind not in _FORMATS else kind}


def _allowed(options: Any) -> list[Any]:
    if isinstance(options, dict):
        return [{"value": value, "label": label} for value, label in options.items()]
    return options if isinstance(options, list) and options_from(options) else []


def _pick(entry: Mapping[str, Any], key: str | None) -> Any:
    """Look a key up as it stands, or as a dotted path into nested objects."""
    if key is None:
        return None
    if key in entry:
        return entry[key]
    value: Any = entry
    for step in key.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _is_true(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.lower() in ("true", "yes", "1")) or value == 1
