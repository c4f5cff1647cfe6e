"""Describes the app as a whole: its title, what it is for, the headers of all requests, and whose account it is."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.texts import description_of, title_of_text

_WHO_AM_I: Final = "/me /user /users/me /user/me /self /whoami /current_user /users/current /account"
_OWNERS: Final = ("name", "display_name", "displayName", "full_name", "fullName", "username", "login", "email")
_NOT_THE_NAME = re.compile(
    r"\b(?:open ?api|swagger|rest(?:ful)?|http|public|web|api|apis|reference|documentation|docs|specification|spec"
    r"|v?\d+(?:\.\d+)*(?:[- ](?:beta|alpha))?)\b",
    re.IGNORECASE,
)


def describe_app(document: Document, name: str, title: str | None) -> dict[str, Any]:
    """Return the first keys of the connector; a title that is given replaces the document's."""
    info = document.root.at("info")
    info = info if isinstance(info.value, dict) else Part({}, info.place)
    shown = title or _title(info.at("title").words) or name.replace("_", " ").capitalize()
    text = description_of(info.at("description").words, 200)
    app: dict[str, Any] = {"name": name, "title": shown, "description": text or f"The API of {shown}."}
    docs = document.root.object.get("externalDocs")
    url = docs.get("url") if isinstance(docs, dict) else None
    if isinstance(url, str) and re.fullmatch(r"https?://[\x21-\x7e]+", url) and urlsplit(url).hostname:
        app["docs_url"] = url
    return app


def _title(told: str) -> str:
    title = title_of_text(told, 60)
    shorter = " ".join(_NOT_THE_NAME.sub(" ", title).split()).strip(" -–|:()[].,")
    shown = shorter if re.search(r"\w", shorter) else title
    return shown.capitalize() if shown.isalpha() and shown.islower() else shown


def shared_headers(drafts: Sequence[Draft]) -> dict[str, str]:
    """Take the constant headers that most functions send out of them, and return them; what differs stays."""
    counts = Counter(header for draft in drafts for header in draft.headers.items() if "${" not in header[1])
    usual = dict(header for header, count in counts.items() if 2 * count > len(drafts))
    shared = {name: value for name, value in usual.items() if name != "content-type"}
    for draft in drafts:
        draft.headers = {name: value for name, value in draft.headers.items() if shared.get(name) != value}
    return shared


def find_account(drafts: Sequence[Draft]) -> dict[str, Any]:
    """Return `test` and `account` of the connector; nothing where no call tells whose account it is."""
    for place in _WHO_AM_I.split():
        for draft in drafts:
            path = draft.operation.place.lower()
            is_short = path.endswith(place) and path.count("/") <= place.count("/") + 2
            if is_short and draft.operation.method == "get" and not draft.required and not draft.answer.is_list:
                return _declared(draft)
    return {}


def _declared(draft: Draft) -> dict[str, Any]:
    answer = draft.answer
    request: dict[str, Any] = {"get": draft.path}
    for key, sent in (("query", draft.query), ("headers", draft.headers)):
        if constants := {name: value for name, value in sent.items() if "${" not in str(value)}:
            request[key] = constants
    inside = "".join(f"{key}." for key in answer.path or ())
    fields = {key.removeprefix(inside) for key in answer.fields if key.startswith(inside)} if inside else answer.item
    account: dict[str, Any] = {key: f"${{test.{inside}{key}}}" for key in ("id",) if key in fields}
    names = [f"${{test.{inside}{name}}}" for name in _OWNERS if name in fields]
    account["name"] = names if len(names) > 1 else "".join(names)
    return {"test": request} | ({"account": account} if names else {})
