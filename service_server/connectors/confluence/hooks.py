"""Hooks of the Confluence connector: queries in CQL out of words, texts as Confluence has them, and next versions."""

import html
import re
import textwrap
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_ELEMENT = re.compile(r"</[a-z][a-z0-9:-]*>|<[a-z][a-z0-9:-]*[^<>]*/>", re.IGNORECASE)
_LABEL = 80  # characters


def title_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the CQL for pages whose titles have the words of `search`, the last one perhaps only begun."""
    conditions = ["type = page", *_title_has(arguments.get("search", ""))]
    return {"cql": f"{' AND '.join(conditions)} ORDER BY lastmodified DESC"}


def space_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the CQL for spaces whose names have the words of `search`, the last one perhaps only begun."""
    return {"cql": " AND ".join(["type = space", *_title_has(arguments["search"])])}


def text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the text in Confluence's storage format."""
    return {"content": _storage(arguments["content"])}


def comment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a comment stands below, which is one thing only, and its text."""
    above = "parent_comment" if "parent_comment" in arguments else "page"
    if above not in arguments:
        raise InvalidRequest("page", "is needed, or a comment to reply to")
    return {above: arguments[above], **text(arguments)}


def next_version(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the number of the version that follows the present one, and the title, which may stay as it is."""
    return {"version": int(before["version"]) + 1, "title": arguments.get("title") or before["title"]}


def replaced_text(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the next version of a page with another text."""
    return {**next_version(arguments, before), **text(arguments)}


def with_text_at_the_end(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the next version of a page with more text."""
    return {**next_version({}, before), "content": f"{before['content']}{_storage(arguments['content'])}"}


def with_words(body: Any) -> Any:
    """Return comments with their first words, by which people tell them apart."""
    for each in body["results"]:
        words = html.unescape(re.sub(r"<[^>]*>", " ", each["body"]["storage"]["value"])).split()
        each["label"] = textwrap.shorten(" ".join(words), _LABEL, placeholder=" …") or each["id"]
    return body


def _title_has(search: str) -> list[str]:
    # What is neither letter nor digit is an operator of the search language, or refused by it.
    words = "".join(character if character.isalnum() else " " for character in search)
    return [f'title ~ "{word}*"' for word in words.split()]


def _storage(content: str) -> str:
    """Return what has elements as it is, and of plain text a paragraph for each that has a blank line before it."""
    if _ELEMENT.search(content):
        return content
    paragraphs = [html.escape(each, quote=False) for each in re.split(r"\n\s*\n", content.strip())]
    return "".join(f"<p>{each.replace(chr(10), '<br />')}</p>" for each in paragraphs)
