"""Hooks of the Intercom connector: in whose name something is done, seconds since 1970, and words for conversations."""

import html
import re
from datetime import datetime
from typing import Any


def in_whose_name(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the teammate in whose name it is done: who is signed in, where nobody else is given."""
    return {"admin_id": arguments.get("admin_id") or before["me"]}


def snoozed(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return who puts a conversation away, and until when as Intercom counts it."""
    until = datetime.fromisoformat(arguments["until"])
    return {**in_whose_name(arguments, before), "snoozed_until": int(until.timestamp())}


_TAG = re.compile(r"<[^<>]*>")
_LONGEST = 80


def named_conversations(body: Any) -> Any:
    """Give every conversation words that people know it by: whom it is with, and how it began."""
    rows = body.get("conversations") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return body
    named = [{**each, "label": _conversation(each)} if isinstance(each, dict) else each for each in rows]
    return {**body, "conversations": named}


def _conversation(conversation: dict[str, Any]) -> str:
    source = conversation.get("source") or {}
    author = source.get("author") or {}
    said = conversation.get("title") or source.get("subject") or source.get("body")
    words = " ".join(html.unescape(_TAG.sub(" ", str(said or ""))).split())
    beginning = words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
    parts = [author.get("name") or author.get("email"), beginning]
    return ": ".join(part for part in parts if part) or str(conversation.get("id"))
