"""Says what a function does: whether it looks or changes, destroys, can be repeated; its words, and its example."""

from service_server.catalog.parameters import checking_schema
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.fields import fitting
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.texts import description_of, one_line, title_of_text, words_of
from service_server.openapi_import.verbs import DESTROYING, LOOKING

_LONGEST_TITLE = 80
_SHORTEST_DESCRIPTION = 8
_LONGEST_DESCRIPTION = 400


def set_kind(draft: Draft) -> None:
    """Tell queries from mutations, and what destroys or can be repeated."""
    method = draft.operation.method
    looks = method in ("get", "head") or (method == "post" and _is_search(draft.operation))
    draft.type = "query" if looks else "mutation"
    if not looks:
        words = words_of(draft.operation.identifier.rpartition("/")[2])
        draft.destructive = method == "delete" or any(word in DESTROYING for word in words[:2])
        draft.idempotent = method in ("put", "delete")


def _is_search(operation: Operation) -> bool:
    last = words_of(operation.last_segment)
    if last and "{" not in operation.last_segment and last[0] in {"search", "query", "find", "lookup", "count"}:
        return True
    words = [word for word in words_of(operation.identifier.rpartition("/")[2]) if word not in ("api", "post")]
    return bool(words) and words[0] in LOOKING - {"read", "fetch", "get", "list"}


def set_words(draft: Draft, app: str) -> None:
    """
    Give a named function its title and description, in plain text, and its example, with what it requires.

    Where the document has no value for something that is required, there is none: made-up values would teach nonsense.
    """
    operation = draft.operation
    title = title_of_text(operation.summary, _LONGEST_TITLE)
    if len(title) < 3 or title.lower() == operation.identifier.lower() or "/" in title:
        title = draft.stem.replace("-", " ").capitalize()
    draft.title = title[:1].upper() + title[1:]
    told = description_of(operation.part.at("description").words, _LONGEST_DESCRIPTION)
    draft.description = told if len(told) >= _SHORTEST_DESCRIPTION else f"{one_line(draft.title).rstrip('.!?…')}."
    draft.example = None
    if all(each.samples for each in draft.required):
        arguments = {each.name: each.samples[0] for each in draft.required}
        if fitting(checking_schema(draft.content()["parameters"]), [arguments]):
            draft.example = (_prompt(draft.title, app), arguments)


def _prompt(title: str, app: str) -> str:
    words = title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title
    return words if app.lower() in words.lower() else f"{words} in {app}"
