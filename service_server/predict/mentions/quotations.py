"""Mentions in quotation marks."""

import re
from collections.abc import Iterator

from service_server.predict.mentions.mention import Kind, Mention

_CLOSING_OF = {'"': '"', "“": "”", "„": "“", "«": "»", "`": "`", "'": "'", "‘": "’"}
_OPENING = re.compile(f"[{''.join(_CLOSING_OF)}]")
# Marks that are also apostrophes open only before a word and close only after one.
_APOSTROPHES = frozenset("'‘")


def find_quotations(prompt: str) -> Iterator[Mention]:
    """Yield what stands in quotation marks; the marks belong to the mention, not to its value."""
    at = 0
    # If no closing mark follows here, none follows later either, so it is searched for only once.
    missing: set[str] = set()
    while (opening := _OPENING.search(prompt, at)) is not None:
        at, mark = opening.start(), opening[0]
        if mark in missing or (mark in _APOSTROPHES and not _at_boundary(prompt, at - 1)):
            at += 1
            continue
        end = _closing_at(prompt, at + 1, _CLOSING_OF[mark], apostrophe=mark in _APOSTROPHES)
        if end < 0:
            missing.add(mark)
            at += 1
            continue
        if value := prompt[at + 1 : end].strip():
            yield Mention(Kind.QUOTED, value, at, end + 1)
        at = end + 1


def _closing_at(prompt: str, at: int, closing: str, *, apostrophe: bool) -> int:
    found = prompt.find(closing, at)
    while apostrophe and found >= 0 and not _at_boundary(prompt, found + 1):
        found = prompt.find(closing, found + 1)
    return found


def _at_boundary(prompt: str, at: int) -> bool:
    return not 0 <= at < len(prompt) or not prompt[at].isalnum()
