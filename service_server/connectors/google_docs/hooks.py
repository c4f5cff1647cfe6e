"""What Google Docs needs beyond data: Drive's search language, a width with its unit, and a document as plain text."""

from collections.abc import Iterator
from typing import Any


def document_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on files: documents, and those of a name where one is asked for."""
    query = "mimeType = 'application/vnd.google-apps.document' and trashed = false"
    if "name" in arguments:
        escaped = arguments["name"].replace("\\", "\\\\").replace("'", "\\'")
        query += f" and name contains '{escaped}'"
    return {"q": query}


def image_width(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say that a width is in points."""
    return {"width": {"magnitude": arguments["width"], "unit": "PT"}} if "width" in arguments else {}


def plain_text(body: Any) -> Any:
    """Return a document's title and what its tabs say; where there are several, each begins with its title."""
    tabs = list(_tabs(body.get("tabs", [])))
    texts = [_text(tab.get("documentTab", {}).get("body", {}).get("content", [])) for tab in tabs]
    if len(texts) > 1:
        titles = [tab.get("tabProperties", {}).get("title", "") for tab in tabs]
        texts = [f"{title}\n\n{text}" for title, text in zip(titles, texts, strict=True)]
    return {"documentId": body.get("documentId"), "title": body.get("title"), "text": "\n\n".join(texts)}


def _tabs(tabs: list[Any]) -> Iterator[Any]:
    for tab in tabs:
        yield tab
        yield from _tabs(tab.get("childTabs", []))


def _text(content: list[Any]) -> str:
    return "".join(_said(element) for element in content).strip("\n")


def _said(element: Any) -> str:
    """Return the text of a paragraph, or of a table: a line for each row, cells apart by tabs."""
    if "paragraph" in element:
        return "".join(_run(each) for each in element["paragraph"].get("elements", []))
    if "table" in element:
        rows = element["table"].get("tableRows", [])
        cells = [[_text(cell.get("content", [])) for cell in row.get("tableCells", [])] for row in rows]
        return "".join("\t".join(each) + "\n" for each in cells)
    return ""


def _run(element: Any) -> str:
    if "textRun" in element:
        return str(element["textRun"].get("content", ""))
    person = element.get("person", {}).get("personProperties", {})
    link = element.get("richLink", {}).get("richLinkProperties", {})
    return str(person.get("name") or person.get("email") or link.get("title") or "")
