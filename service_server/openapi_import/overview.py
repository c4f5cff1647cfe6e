"""Describes the app as a whole: its title, what it is for, and the headers that all requests share."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from service_server.openapi_import.document import Document
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.texts import description_of, title_of_text

_NOT_THE_NAME = re.compile(
    r"\b(?:open ?api|swagger|rest(?:ful)?|http|public|web|api|apis|reference|documentation|docs|specification|spec"
    r"|v?\d+(?:\.\d+)*(?:[- ](?:beta|alpha))?)\b",
    re.IGNORECASE,
)


def describe_app(document: Document, name: str, title: str | None) -> dict[str, Any]:
    """Return the first keys of the connector; a title that is given replaces the document's."""
    info = document.root.at("info")
    told = info.at("title").words if isinstance(info.value, dict) else ""
    shown = title or _title(told) or name.replace("_", " ").capitalize()
    text = description_of(info.at("description").words, 200) if isinstance(info.value, dict) else ""
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
    counts = Counter(
        (name, value)
        for draft in drafts
        for name, value in draft.headers.items()
        if "${" not in value and name != "content-type"
    )
    shared = {name: value for (name, value), count in counts.items() if 2 * count > len(drafts)}
    for draft in drafts:
        draft.headers = {name: value for name, value in draft.headers.items() if shared.get(name) != value}
    return shared
