"""Mentions that are recognised by their form: e-mail addresses, links, #channels, @users, owner/name, identifiers."""

import re
from collections.abc import Iterator

from service_server.predict.mentions.mention import Kind, Mention

# Every pattern starts at a boundary and repeats one character class at a time, so that matching stays linear.
_TOKEN = re.compile(r"\S+")
_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_CHANNEL = re.compile(r"#([^\W\d_][\w-]{0,79})")
_USER = re.compile(r"@([A-Za-z0-9][A-Za-z0-9._-]{0,79})")
_SLUG = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,99})/([A-Za-z0-9_.-]{1,100})")
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")
_OPENING = "\"'([{<“‘«"
_CLOSING = "\"')]}>”’».,;:!?"
_ORDINAL_OR_AMOUNT = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|am|pm|h|min|ms|kg|km|lbs?|%)", re.IGNORECASE)


def find_addresses(prompt: str) -> Iterator[Mention]:
    """Yield the mentions whose form alone says what they are, at most one for each blank-separated token."""
    for token in _TOKEN.finditer(prompt):
        text = token[0].lstrip(_OPENING)
        start = token.end() - len(text)
        text = text.rstrip(_CLOSING)
        for separator in ("=", ":"):  # the value of `key=value` is read on its own
            key, found, value = text.partition(separator)
            if found and key.isidentifier() and value and not value.startswith("//"):
                start += len(key) + 1
                text = value.strip(_OPENING + _CLOSING)
                start += value.find(text)
                break
        if text and not text.isalpha():
            yield from _classified(text, start)


def _classified(text: str, start: int) -> Iterator[Mention]:
    end = start + len(text)
    lower = text[:8].lower()
    if lower.startswith(("http://", "https://")) and len(text) > len("https://"):
        yield Mention(Kind.URL, text, start, end)
    elif _EMAIL.fullmatch(text):
        yield Mention(Kind.EMAIL, text, start, end)
    elif match := _CHANNEL.fullmatch(text):
        yield Mention(Kind.CHANNEL, match[1], start, end)
    elif match := _USER.fullmatch(text):
        yield Mention(Kind.USER, match[1], start, end)
    elif _SLUG.fullmatch(text) and not text.replace("/", "").isdigit() and text.lower() != "and/or":
        yield Mention(Kind.SLUG, text, start, end)
    elif _is_identifier(text):
        yield Mention(Kind.IDENTIFIER, text, start, end)


def _is_identifier(text: str) -> bool:
    """Whether a token mixes digits with letters or has dots inside, as identifiers do; words and amounts do not."""
    if not _IDENTIFIER.fullmatch(text) or _ORDINAL_OR_AMOUNT.fullmatch(text):
        return False
    has_digit = any(character.isdigit() for character in text)
    has_letter = any(character.isalpha() for character in text)
    # Also true of "app.example.com", "report.pdf" and "10.0.0.1"; "3.5" is a number, and "e.g." has a short part.
    pieces = text.split(".")
    is_dotted = len(pieces) > 1 and all(pieces) and (len(pieces[-1]) > 1 or len(pieces) > 3)
    return (has_digit and has_letter) or (is_dotted and (has_letter or len(pieces) > 3))
