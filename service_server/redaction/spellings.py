"""Finds secrets in texts of others, in every spelling in which an app may repeat what it was sent."""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from attrs import frozen

REDACTED = "[redacted]"
SHORTEST_SECRET = 6
"""Shorter texts are no secrets: they would be found in everything."""

_WRITTEN_AS_IT_IS = re.compile(r"[A-Za-z0-9._~-]+")  # in URLs, JSON and HTML alike, as most tokens are
_SHORTEST_PART = 8  # of a secret in base64, where the first and last characters depend on what stands around it
_MOST_SECRETS = 64
_MOST_CHARACTERS = 64 * 1024  # of all secrets together


@frozen
class Spellings:
    """
    Secrets in all their spellings, the longest first, so that no part of a longer one is left.

    They are looked for one by one, so more than `_MOST_SECRETS`, or very long ones, would take too long: then every
    text counts as one.
    """

    _written: tuple[str, ...]
    every_text: bool = False
    _secrets: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Spellings":
        """The spellings of some texts; those that are too short are left out."""
        secrets: set[str] = set()
        characters = 0
        for text in texts:
            if len(text) < SHORTEST_SECRET or text in secrets:
                continue
            secrets.add(text)
            characters += len(text)
            if len(secrets) > _MOST_SECRETS or characters > _MOST_CHARACTERS:
                return cls.of_every_text()
        written = {each for text in secrets for each in _spelled(text)}
        return cls(tuple(sorted(written, key=len, reverse=True)), secrets=frozenset(secrets))

    @classmethod
    def of_every_text(cls) -> "Spellings":
        """What to take where secrets can't be told from other texts: nothing is shown then."""
        return cls((), every_text=True)

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._written)

    @property
    def longest(self) -> int:
        """How many characters the longest spelling has."""
        return len(self._written[0]) if self._written else 0

    def and_of(self, texts: Sequence[str]) -> "Spellings":
        """These, and the spellings of some texts more."""
        return Spellings.of([*self._secrets, *texts]) if texts and not self.every_text else self

    def among(self, texts: Iterable[str]) -> "Spellings":
        """Only those spellings that stand in the texts, so that each text needs to be searched for few."""
        if self.every_text:
            return self
        joined = "\0".join(texts)
        return Spellings(tuple(spelling for spelling in self._written if spelling in joined))

    def removed_from(self, text: str) -> str:
        """The text with each secret replaced."""
        if self.every_text:
            return REDACTED
        for spelling in self._written:
            if len(spelling) <= len(text):
                text = text.replace(spelling, REDACTED)
        return text

    def are_in(self, text: str) -> bool:
        """Whether any secret stands in the text."""
        return self.every_text or any(spelling in text for spelling in self._written)


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value that may be a secret; what a token answer says beside its tokens is none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("token_type", "scope", "expires_in"):
                yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)
    elif isinstance(value, str):
        yield value


def _spelled(text: str) -> Iterator[str]:
    yield text
    yield text.lower()  # as part of a host
    data = text.encode("utf-8", "replace")
    yield data.hex()
    for offset in range(3):
        part = _base64_part(data, offset)
        if len(part) >= _SHORTEST_PART:
            yield from (part, part.replace("+", "-").replace("/", "_"))
    if not _WRITTEN_AS_IT_IS.fullmatch(text):
        yield from _escaped(text)


def _escaped(text: str) -> Iterator[str]:
    for encode in (quote, quote_plus):
        for safe in ("", "/"):
            encoded = encode(text, safe=safe, errors="replace")
            yield from (encoded, _lower_hexadecimal(encoded))
    for escaped in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
        yield from (escaped, escaped.replace("/", "\\/"))
    escaped = html.escape(text)
    yield from (escaped, escaped.replace("&#x27;", "&#39;"), html.escape(text, quote=False))


def _lower_hexadecimal(encoded: str) -> str:
    first, *rest = encoded.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def _base64_part(data: bytes, offset: int) -> str:
    """What base64 always makes of the data when it begins at this offset of three, whatever stands before and after."""
    encoded = base64.b64encode(bytes(offset) + data).decode()
    return encoded[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6]
