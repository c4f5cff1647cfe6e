"""Plain text out of the Markdown and HTML of descriptions, and titles out of names."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("commonmark").enable("table").disable(["html_block", "code"])  # HTML is seen tag by tag
_PLAIN = re.compile(r"[^\W\d_][^\n\r\\`*_{}\[\]<>&#|~]*")  # has nothing that Markdown or HTML would change
_UNSHOWN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|pre|table|svg)\b.*?(?:</\1>|\Z)|\{%[^%]*%\}", re.I | re.DOTALL)
_BREAK = re.compile(r"</?(?:p|br|div|li|[uo]l|h[1-6]|blockquote)\b", re.IGNORECASE)
_CALLOUT = re.compile(r"\[!\w+\] ?")
# Markup of people, though neither Markdown nor HTML has it: links to nowhere or with a blank in them, odd tags.
_ODD = re.compile(r"\[([^\[\]]+)\](?:\[[^\[\]]*\]|\s\([^()]*\))|</?[A-Za-z][^<>]*>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“(])")
_ELSEWHERE = re.compile(
    r"(?i)For (?:more|further) (?:information|details)|(?:Learn|Read) more|Required scopes?:|See (?:also|the|our) "
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UPPER = {"id", "gid", "sid", "uuid", "url", "uri", "ip", "html", "http", "api", "sha", "ssh", "ssl", "dns", "sms"}
_UPPER |= {"sku", "utc", "json", "csv", "pdf", "xml", "iban", "vat"}
_ACRONYMS = {word: word.upper() for word in _UPPER} | {f"{word}s": f"{word.upper()}s" for word in _UPPER}
_LONGEST_INPUT = 20_000  # characters; what comes after them never reaches a description


def plain_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text without its Markdown and HTML, headings, tables and examples of code."""
    text = text[:_LONGEST_INPUT]
    if _PLAIN.fullmatch(text):
        return [one_line(text)]
    paragraphs: list[str] = []
    opened: list[str] = []  # what was opened last
    for token in _MARKDOWN.parse(_UNSHOWN.sub("\n\n", text)):
        if token.type == "inline" and opened[-1] not in ("heading_open", "th_open", "td_open"):
            first, *more = map(one_line, "".join(_shown(token.children or ())).split("\n\n"))
            point = "• " if opened[-2:] == ["list_item_open", "paragraph_open"] else ""
            paragraphs += [f"{point}{_CALLOUT.sub('', first, 1)}", *more]
        elif token.nesting == 1:
            opened.append(token.type)
    return [paragraph for paragraph in paragraphs if re.search(r"\w", paragraph)]


def _shown(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield what a reader sees of the inside of a paragraph; tags that begin another break it."""
    for token in tokens:
        if token.type == "html_inline":
            yield "\n\n" if _BREAK.match(token.content) else ""
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "image":
            yield _ODD.sub(r"\1", token.content) if token.type == "text" else token.content


def one_line(text: str) -> str:
    """Return a text as one line of printable characters with single blanks."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


@lru_cache(maxsize=20_000)  # what many functions refer to is told in each
def description_of(text: str, longest: int) -> str:
    """Return what a text says first, in whole sentences of at most `longest` characters; empty if it says nothing."""
    told = ""
    in_list = False
    for paragraph in plain_paragraphs(text):
        is_point = paragraph.startswith("• ")
        if is_point and told and not in_list:
            before = _SENTENCE.split(told)
            if len(before) > 1 or not told.endswith(":"):  # enough was said before the list
                announces = len(before) > 1 and (told.endswith(":") or "following" in before[-1])
                return _ended(" ".join(before[:-1] if announces else before))
        elif is_point and told:
            told = f"{told.rstrip('.;')};"
        in_list = is_point
        for sentence in _SENTENCE.split(paragraph.removeprefix("• ")):
            longer = f"{told} {sentence}".strip()
            if _ELSEWHERE.match(sentence):
                continue
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
    return [word.lower() for word in re.findall(r"[A-Za-z0-9]+", _CAMEL.sub(" ", name))]


def title_of_name(name: str) -> str:
    """Return an identifier as people would write it: of `issue_url`, Issue URL."""
    title = " ".join(_ACRONYMS.get(word, word) for word in words_of(name))
    return (title[:1].upper() + title[1:])[:80] or "Value"


def singular(word: str) -> str:
    """Return the singular of an English noun in lower case, by its ending."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    is_of_us = word.endswith("uses") and word not in ("causes", "houses", "clauses", "uses")
    if is_of_us or word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        return word[:-1]
    return word


def numbered(name: str) -> Iterator[str]:
    """Yield a name and, for where it is taken, the same with numbers behind it."""
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def is_plural(word: str) -> bool:
    """Tell whether a word looks like the plural of another."""
    return singular(word) != word
