"""Gives functions an example: a prompt out of the title, and arguments out of the document's own examples."""

from service_server.catalog.parameters import checking_schema
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.fields import fits


def set_example(draft: Draft, title: str) -> bool:
    """
    Give a function its example, with what it requires; tells whether there is one.

    Where the document has no value for something that is required, there is none: made-up values would teach nonsense.
    """
    if any(not draft.samples.get(name) for name in draft.required):
        return False
    arguments = {name: draft.samples[name][0] for name in draft.required}
    schema = {"type": "object", "required": draft.required, "properties": draft.properties}
    if not fits(checking_schema(schema), arguments):
        return False
    draft.example = (_prompt(draft.title, title), arguments)
    return True


def _prompt(title: str, app: str) -> str:
    words = title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title
    return words if app.lower() in words.lower() else f"{words} in {app}"
