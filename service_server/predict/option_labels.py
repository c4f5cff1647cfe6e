"""
What the form of a function tells beside its schema.

That is above all what people call the options of a field where the app's own values say nothing: "2" for a deal that is
lost.
"""

from collections.abc import Mapping
from typing import Any

from service_client.models import FieldMeta, Function

LABELS = "x-labels"
"""The key of a schema under which labels stand, by the text of the value they are for."""
MULTILINE = "x-multiline"
"""The key of a schema that says that its text may have several lines, as messages and descriptions do."""
PLACEHOLDER = "x-placeholder"
"""The key of a schema under which the example stands that its empty field shows."""


def labelled_properties(function: Function) -> dict[str, Any]:
    """Return the properties of a function's parameters, with what its form tells: labels, long texts, examples."""
    if function.meta is None:
        return dict(function.parameters.properties)
    return _labelled(function.parameters.properties, function.meta.fields, ())


def names_of(option: object, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what an option is called: its label, and its value, unless that is a bare number with a label."""
    value, label = str(option), schema.get(LABELS, {}).get(str(option), "")
    if not label or label.casefold() == value.replace("_", " ").casefold():
        return (value,)
    return (value, label) if any(map(str.isalpha, value)) else (label,)


def shown(option: object, schema: Mapping[str, Any]) -> str:
    """Return the words in which the reader is offered an option."""
    return ", ".join(name.replace("_", " ") for name in names_of(option, schema))


def _labelled(
    properties: Mapping[str, Any], fields: Mapping[str, FieldMeta], parents: tuple[str, ...]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, schema in properties.items():
        path = (*parents, name)
        found[name] = schema
        if not isinstance(schema, Mapping):
            continue
        dotted = ".".join(path)
        field = fields.get(dotted)
        told: dict[str, Any] = {}
        if isinstance(schema.get("properties"), Mapping):
            told["properties"] = _labelled(schema["properties"], fields, path)
        elif labels := _labels(field):
            told[LABELS] = labels
        elif labels := _labels(fields.get(f"{dotted}[]")):
            told["items"] = {**schema["items"], LABELS: labels}
        elif field is not None and field.widget == "multiline":
            told[MULTILINE] = True
        if field is not None and field.placeholder:
            told[PLACEHOLDER] = field.placeholder
        if told:
            found[name] = {**schema, **told}
    return found


def _labels(field: FieldMeta | None) -> dict[str, str]:
    options = () if field is None else field.options or ()
    return {str(option["value"]): str(option["label"]) for option in options if isinstance(option, Mapping)}
