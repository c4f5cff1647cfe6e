"""Hooks of the Airtable connector: a formula out of a text, and names for records."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


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
