"""Plain text out of the Markdown and HTML of descriptions, and titles out of names."""

import html
import re
from functools import lru_cache

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSHOWN = re.compile(r"<(script|style|pre|table|svg)\b.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_LIQUID = re.compile(r"\{%[^%]*%\}")
_BREAK = re.compile(r"<(?:/?p|br|/?div|/?li|/?[uo]l|/?h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\s?\([^()]*\)|\[([^\[\]]+)\]\[[^\[\]]*\]")
_ADDRESS = re.compile(r"<(https?://[^<>\s]*)>")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?(?:\[!\w+\][ \t]*)?", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+.*$|^[ \t]*[=-]{3,}[ \t]*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_UNDERLINE = re.compile(r"(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)")
_CODE = re.compile(r"`+([^`]*)`+")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!<>|~-])")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“(])")
_ELSEWHERE = re.compile(
    r"(?:For (?:more|further) (?:information|details)|(?:Learn|Read) more|Required scopes?:|See (?:also|the|our) )",
    re.I,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UPPER_WORDS = frozenset(
    {"id", "ids", "gid", "gids", "sid", "uuid", "url", "urls", "uri", "ip", "html", "http", "api", "sha", "ssh", "ssl"}
    | {"dns", "sms", "sku", "utc", "json", "csv", "pdf", "xml", "iban", "vat"}
)
_LONGEST_INPUT = 20_000  # characters; what comes after them never reaches a description


def plain_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text without its Markdown and HTML, headings, tables and examples of code."""
    text = text[:_LONGEST_INPUT].replace("\r\n", "\n").replace("\r", "\n")
    text = _LIQUID.sub("", _FENCE.sub("\n\n", text))
    text = _UNSHOWN.sub("\n\n", _COMMENT.sub("", text))
    text = _ADDRESS.sub(r"\1", text)
    text = _TAG.sub("", _BREAK.sub("\n\n", text))
    text = html.unescape(text)
    text = _HEADING.sub("\n\n", _TABLE_ROW.sub("\n\n", _QUOTE.sub("", text)))
    text = _BULLET.sub("\n\n• ", text)
    for pattern, replacement in (
        (_IMAGE, ""),
        (_LINK, r"\1\2"),
        (_STRONG, r"\2"),
        (_EMPHASIS, r"\1"),
        (_UNDERLINE, r"\1"),
        (_CODE, r"\1"),
        (_ESCAPE, r"\1"),
    ):
        text = pattern.sub(replacement, text)
    paragraphs = (one_line(paragraph) for paragraph in re.split(r"\n\s*\n", text))
    return [paragraph for paragraph in paragraphs if re.search(r"\w", paragraph)]


def one_line(text: str) -> str:
    """Return a text as one line of printable characters with single blanks."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())


@lru_cache(maxsize=20_000)  # what many functions refer to is told in each
def description_of(text: str, longest: int) -> str:
    """Return what a text says first, in whole sentences of at most `longest` characters; empty if it says nothing."""
    told = ""
    in_list = False
    for paragraph in plain_paragraphs(text):
        is_point = paragraph.startswith("• ")
        if is_point and not in_list and told:
            before = _SENTENCE.split(told)
            if len(before) > 1 or not told.endswith(":"):
                announces = len(before) > 1 and (told.endswith(":") or "following" in before[-1])
                return _ended(" ".join(before[:-1] if announces else before))  # enough was said before the list
        elif is_point and told:
            told = f"{told.rstrip('.;')};"
        in_list = is_point
        for sentence in _SENTENCE.split(paragraph.removeprefix("• ")):
            if _ELSEWHERE.match(sentence):
                continue
            longer = f"{told} {sentence}".strip()
            if len(longer) > longest:
                return _ended(told) if told else shortened(sentence, longest)
            told = longer
        # A colon announces a list, whose points only make sense together.
        if len(told) > longest // 3 and not told.endswith(":") and not is_point:
            break
        if told and not told.endswith((".", "!", "?", ":")):
            told = f"{told}."
    return _ended(told)


def _ended(told: str) -> str:
    """End a text that was cut off before a list, or in it."""
    return f"{told[:-1]}." if told.endswith((":", ";", ",")) else told


def shortened(text: str, longest: int) -> str:
    """Cut a text at a blank, so that it has at most `longest` characters; three dots tell that it was longer."""
    if len(text) <= longest:
        return text
    return text[: longest - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def title_of_text(text: str, longest: int = 80) -> str:
    """Return a heading as a title: one line without a dot at its end."""
    paragraphs = plain_paragraphs(text.replace("\n", " "))
    return shortened(paragraphs[0], longest).rstrip(".:") if paragraphs else ""


def words_of(name: str) -> list[str]:
    """Return the words of an identifier in lower case: of `createIssue_v2`, create, issue and v2."""
    spaced = _CAMEL.sub(" ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]


def title_of_name(name: str) -> str:
    """Return an identifier as people would write it: of `issue_url`, Issue URL."""
    words = words_of(name)
    shown = [_acronym(word) if word in _UPPER_WORDS else word for word in words]
    title = " ".join(shown)
    return (title[:1].upper() + title[1:])[:80] or "Value"


def _acronym(word: str) -> str:
    return f"{word[:-1].upper()}s" if word.endswith("s") and word[:-1] in _UPPER_WORDS else word.upper()


def singular(word: str) -> str:
    """Return the singular of an English noun in lower case, by its ending."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("uses") and word not in ("causes", "houses", "clauses", "uses"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        return word[:-1]
    return word


def is_plural(word: str) -> bool:
    """Tell whether a word looks like the plural of another."""
    return singular(word) != word
