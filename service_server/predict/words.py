"""Texts and identifiers cut into words, with the stems that make inflected forms equal."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer
from attrs import frozen

# No natural word is longer. Longer ones are data (a token, a hash) and are compared as they stand.
LONGEST_WORD = 40


def word_set(words: str) -> frozenset[str]:
    """Return the words of a blank-separated text: a line of prose is easier to read than a list of strings."""
    return frozenset(words.split())


def without_accents(text: str) -> str:
    """Return a text without case and accents."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(character for character in apart if not unicodedata.combining(character)).casefold()


STOP_WORDS = word_set(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing down during each few for from further had has have having he her here hers him his
    hi hello hey how i if in into is it its just let like me more most my need no nor not now of off on once only or
    other our out over own please same she should so some such than thank thanks that the their them then there these
    they this those through to too under until up us very via want was we were what when where which while who whom
    whose why will with within without would you your yes ok okay kindly using i'm i'd i'll let's don't
    never dont doesn't won't called titled named entitled saying says number first last latest recent
    everything something anything"""
)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_SHORT_FORMS = {
    "ack": "acknowledge",
    "acct": "account",
    "appt": "appointment",
    "mtg": "meeting",
    "msg": "message",
    "pr": "pull request",
    "mr": "merge request",
}
_SHORT_FORM = re.compile(r"(?<![\w/#@.-])(ack|acct|appt|mtg|msg|pr|mr(?=s? !?\d))(s?)(?![\w/@-]|\.\w)", re.IGNORECASE)
_SENT_ON = re.compile(r"\b(?:send|pass)((?: (?!to\b)[^\s,;:]+){1,6}) (?:on|along) to\b", re.IGNORECASE)
_NUMBERED_MERGE_REQUEST = re.compile(r"(?<!\S)(?<!request )(?<!mr )!(?=\d+\b)", re.IGNORECASE)

# Words that people use interchangeably when they speak of software; words of a group count as one, a little less.
_SYNONYM_GROUPS = (
    "issue bug defect",
    "repository repo",
    "event meeting appointment",
    "message dm text",
    "member person people participant attendee",
    "user person people member teammate",
    "picture image photo",
    "email mail",
    "document doc",
    "spreadsheet sheet",
    "organization organisation company",
    "comment note remark",
    "label tag",
    "task todo",
    "channel room",
    "calendar agenda",
    "balance money",
    "contact person",
    "folder directory",
    "assignee assigned",
    "phone telephone",
)


@frozen
class Word:
    """A word of a text; `text[start:end]` are its characters, `folded` ignores case, `stem` inflection too."""

    folded: str
    stem: str
    start: int
    end: int


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the English stem of a case-folded word."""
    if len(word) > LONGEST_WORD or not word.isascii():
        return word
    # A stemmer holds state while it works, so threads cannot share one.
    return str(Stemmer.Stemmer("english", 0).stemWord(word))


def words_of(text: str) -> tuple[Word, ...]:
    """Cut a text into words; a possessive ending does not count, which that of "let's" is not."""
    words = []
    for match in _WORD.finditer(text):
        folded = match[0].casefold().replace("’", "'")
        folded = folded if folded == "let's" else folded.removesuffix("'s")
        words.append(Word(folded, stem(folded), match.start(), match.end()))
    return tuple(words)


def spelled_out(text: str) -> str:
    """Return a text with short forms, such as "PR 88", as the words that functions are described with."""
    text = _SENT_ON.sub(r"forward\1 to", _NUMBERED_MERGE_REQUEST.sub("merge request ", text))
    return _SHORT_FORM.sub(lambda match: _SHORT_FORMS[match[1].lower()] + match[2], text)


def identifier_words(identifier: str) -> tuple[Word, ...]:
    """Cut a camelCase, snake_case or hyphenated identifier into words."""
    return words_of(_CAMEL.sub(" ", identifier))


def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _SYNONYM_GROUPS:
        stems = {stem(word) for word in group.split()}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in found.items()}


SYNONYMS = _synonyms()


def with_synonyms(stems: Iterable[str]) -> frozenset[str]:
    """Return some stems, and those that mean the same."""
    own = frozenset(stems)
    return own.union(*(SYNONYMS.get(each, ()) for each in own))
