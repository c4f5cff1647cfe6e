"""Hooks of the Airtable connector: a formula out of a text, what a new field needs, and names for records."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest

# What Airtable requires of a field of a type, as its own pages fill it in.
_DAYS = {"dateFormat": {"name": "local"}}
_FIELD_OPTIONS: dict[str, dict[str, Any]] = {
    "number": {"precision": 0},
    "percent": {"precision": 0},
    "currency": {"precision": 2, "symbol": "$"},
    "rating": {"icon": "star", "max": 5, "color": "yellowBright"},
    "duration": {"durationFormat": "h:mm"},
    "checkbox": {"icon": "check", "color": "greenBright"},
    "date": _DAYS,
    "dateTime": {**_DAYS, "timeFormat": {"name": "24hour"}, "timeZone": "client"},
}


# Of these it has to be said what they are, and nobody can say it for another.
_NEEDED = {"singleSelect": "choices", "multipleSelects": "choices", "multipleRecordLinks": "linkedTableId"}


def field_options(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a new field, and what its type requires of those that weren't given."""
    return _options(arguments, "options")


def new_fields(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a new table, each with options as `field_options` makes them."""
    return {"fields": [{**each, **_options(each, "fields")} for each in arguments["fields"]]}


def _options(field: dict[str, Any], name: str) -> dict[str, Any]:
    options = {**_FIELD_OPTIONS.get(field["type"], {}), **field.get("options", {})}
    needed = _NEEDED.get(field["type"])
    if needed is not None and not options.get(needed):
        wanted = "choices" if needed == "choices" else "the linked table (linkedTableId)"
        raise InvalidRequest(name, f"must have the options of a {field['type']}: {wanted}")
    return {"options": options} if options else {}


def text_formula(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the formula for records whose field contains a text, whether in capitals or not."""
    if "}" in arguments["field"] or "\\" in arguments["field"]:
        raise InvalidRequest("field", "can't have } or \\ in its name here; use airtable-list-records with a formula")
    text = arguments["text"].lower().replace("\\", "\\\\").replace('"', '\\"')
    return {"formula": f'FIND("{text}", LOWER({{{arguments["field"]}}} & ""))'}


def named_records(body: Any) -> Any:
    """Return the answer with a name for each record: its first text, or its id where it has none."""
    if not isinstance(body, dict) or not isinstance(body.get("records"), list):
        return body
    return {**body, "records": [{**record, "name": _name(record)} for record in body["records"]]}


def _name(record: dict[str, Any]) -> str:
    texts = (value for value in record.get("fields", {}).values() if isinstance(value, str) and value)
    return next(texts, str(record.get("id")))
