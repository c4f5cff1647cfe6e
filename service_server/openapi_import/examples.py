"""Gives functions an example: a prompt out of the title, and arguments out of the document's own examples."""

from typing import Any

from service_server.catalog.parameters import checking_schema
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.flatten import checker

_MOST_OPTIONAL = 3


def set_example(draft: Draft, title: str) -> bool:
    """
    Give a function its example; tells whether there is one.

    Where the document has no value for something that is required, there is none: made-up values would teach nonsense.
    """
    if any(not draft.samples.get(name) for name in draft.required):
        return False
    arguments = {name: draft.samples[name][0] for name in draft.required}
    optional = [name for name in draft.properties if name not in arguments and _is_told(draft, name)]
    fits = checker(checking_schema({"type": "object", "required": draft.required, "properties": draft.properties}))
    several = arguments | {name: draft.samples[name][0] for name in optional[:_MOST_OPTIONAL]}
    chosen = next((each for each in (several, arguments) if fits(each)), None)
    if chosen is None:
        return False
    draft.example = (_prompt(draft.title, title), chosen)
    return True


def _is_told(draft: Draft, name: str) -> bool:
    """Whether the document gives an example of an optional body field: its defaults and first choices are none."""
    schema, samples = draft.properties[name], draft.samples.get(name)
    if not samples or draft.origins[name].location != "body" or schema.get("x-sensitive"):
        return False
    first: Any = samples[0]
    return first != schema.get("default") and first not in schema.get("enum", ()) and schema["type"] != "object"


def _prompt(title: str, app: str) -> str:
    words = title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title
    return words if app.lower() in words.lower() else f"{words} in {app}"
