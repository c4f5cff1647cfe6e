"""Hooks of the Confluence connector: a query in CQL out of words, and the next version of a page."""

import html
import re
from typing import Any


def title_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the CQL for pages whose titles have the words of `search`, the last one perhaps only begun."""
    # What is neither letter nor digit is an operator of the search language, or refused by it.
    text = "".join(character if character.isalnum() else " " for character in arguments.get("search", ""))
    conditions = ["type = page", *(f'title ~ "{word}*"' for word in text.split())]
    return {"cql": f"{' AND '.join(conditions)} ORDER BY lastmodified DESC"}


def next_version(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the number of the version that follows the present one, and the title, which may stay as it is."""
    return {"version": int(before["version"]) + 1, "title": arguments.get("title") or before["title"]}


def with_text_at_the_end(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the next version of a page with more text, whose paragraphs have blank lines between them."""
    paragraphs = [html.escape(each, quote=False) for each in re.split(r"\n\s*\n", arguments["content"].strip())]
    added = "".join(f"<p>{each.replace(chr(10), '<br />')}</p>" for each in paragraphs)
    return {**next_version({}, before), "content": f"{before['content']}{added}"}
