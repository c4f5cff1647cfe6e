"""Finds the call that tells whose account it is, for the connection test."""

from collections.abc import Sequence
from typing import Any, Final

from service_server.openapi_import.draft import Draft
from service_server.openapi_import.shapes import Shape

_PLACES: Final = (
    "/me",
    "/user",
    "/users/me",
    "/user/me",
    "/self",
    "/whoami",
    "/current_user",
    "/users/current",
    "/account",
)
_NAMES: Final = ("name", "display_name", "displayName", "full_name", "fullName", "username", "login", "email")


def find_account(drafts: Sequence[Draft]) -> dict[str, Any]:
    """Return `test` and `account` of the connector; nothing where no call tells whose account it is."""
    for place in _PLACES:
        for draft in drafts:
            path = draft.operation.place.lower()
            is_short = path == place or (path.endswith(place) and path.count("/") <= place.count("/") + 2)
            if is_short and _is_plain(draft) and not draft.answer.is_list:
                return _declared(draft)
    return {}


def _is_plain(draft: Draft) -> bool:
    return draft.operation.method == "get" and not draft.required and "{" not in draft.operation.path


def _declared(draft: Draft) -> dict[str, Any]:
    answer = draft.answer
    request: dict[str, Any] = {"get": draft.path}
    if constants := {name: value for name, value in draft.query.items() if "${" not in str(value)}:
        request["query"] = constants
    if constants := {name: value for name, value in draft.headers.items() if "${" not in str(value)}:
        request["headers"] = constants
    declared: dict[str, Any] = {"test": request}
    path = ".".join(("test", *(answer.path or ())))
    fields: dict[str, Shape] = dict(answer.item)
    if answer.path:
        fields = {
            key.removeprefix(f"{answer.path[0]}."): shape
            for key, shape in answer.fields.items()
            if key.startswith(f"{answer.path[0]}.")
        }
    names = [f"${{{path}.{name}}}" for name in _NAMES if name in fields]
    if not names:
        return declared
    account: dict[str, Any] = {"id": f"${{{path}.id}}"} if "id" in fields else {}
    return declared | {"account": account | {"name": names if len(names) > 1 else names[0]}}
