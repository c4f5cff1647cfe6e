"""Hooks of the monday.com connector: values of columns as JSON in a text, and conditions for items."""

import json
from typing import Any


def values_as_text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the values of columns as the text that monday.com wants, or nothing where none are given."""
    return {"values": json.dumps(arguments["values"], ensure_ascii=False)} if "values" in arguments else {}


def item_filter(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the conditions for items, or nothing where none is given."""
    rules = []
    if arguments.get("search"):
        rules.append({"column_id": "name", "compare_value": [arguments["search"]], "operator": "contains_text"})
    if arguments.get("groups"):
        rules.append({"column_id": "group", "compare_value": arguments["groups"], "operator": "any_of"})
    return {"filter": {"rules": rules}} if rules else {}
