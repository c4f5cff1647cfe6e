"""Mentions that the words before them introduce: names ("called X"), texts ("saying X"), topics ("about X")."""

import re
from collections.abc import Iterator, Sequence

from service_server.predict.mentions.mention import Kind, Mention
from service_server.predict.verbs import AskedVerb, VerbClass
from service_server.predict.words import STOP_WORDS, Word, word_set

_NAME_MARKERS = word_set("called titled named entitled")
_TEXT_MARKERS = word_set("saying says stating reading")
_TOPIC_MARKERS = word_set("about regarding concerning matching containing mentioning")
# Words that begin something new after a name or a topic.
_ENDS = word_set(
    "with without but in on to and at by due from under using via as assigned for into of that which where please"
)
_TOPIC_ENDS = _ENDS - {"of", "that", "and", "from"}
# These can also be part of a name ("Crash on start"), unless what follows them begins something new.
_INNER = word_set("on to at by from for of")
_OPENINGS = word_set("the a an my our your this next tomorrow today tonight noon midnight")
# Longer ones are sentences; the limit also keeps the work linear.
_LONGEST_PHRASE = 12
_COLON = re.compile(r":(?=\s)")
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n")
_BREAKS = frozenset(',;:()\n"“”')


def find_phrases(prompt: str, words: Sequence[Word], asked: AskedVerb | None) -> Iterator[Mention]:
    """Yield the mentions that stand behind a word that introduces them, and the names written with capitals."""
    yield from _introduced(prompt, words, asked)
    yield from _after_colon(prompt, words)
    yield from _proper_names(prompt, words)


def _introduced(prompt: str, words: Sequence[Word], asked: AskedVerb | None) -> Iterator[Mention]:
    said = False
    for at, word in enumerate(words[:-1]):
        start = words[at + 1].start
        if any(character in _BREAKS for character in prompt[word.end : start]):
            continue
        if word.folded in _NAME_MARKERS:
            yield from _span(Kind.NAMED, prompt, words, at + 1, _ENDS)
        elif not said and (word.folded in _TEXT_MARKERS or _reports(word, words, at, asked)):
            said = True  # what is said lasts to the end: a marker inside it introduces nothing
            start = words[at + 2].start if words[at + 1].folded == "that" and at + 2 < len(words) else start
            yield _text(Kind.SAID, prompt, start, len(prompt))
        elif word.folded in _TOPIC_MARKERS:
            yield from _span(Kind.TOPIC, prompt, words, at + 1, _TOPIC_ENDS)
        elif word.folded == "for":
            yield from _span(Kind.PURPOSE, prompt, words, at + 1, _TOPIC_ENDS)


def _reports(word: Word, words: Sequence[Word], at: int, asked: AskedVerb | None) -> bool:
    """Whether a "that" introduces what is to be sent: "tell #ops that we are back"."""
    sends = asked is not None and asked.verb_class is VerbClass.SEND and word.start >= asked.end
    return sends and word.folded == "that" and words[at + 1].folded not in ("is", "are", "was")


def _text(kind: Kind, prompt: str, start: int, end: int) -> Mention:
    value = prompt[start:end].rstrip()
    return Mention(kind, value, start, start + len(value))


def _span(kind: Kind, prompt: str, words: Sequence[Word], first: int, ends: frozenset[str]) -> Iterator[Mention]:
    """Yield the words from `first` up to one that begins something new, or to the end of the clause."""
    while first < len(words) and words[first].folded in ("the", "a", "an", "my", "our"):
        first += 1
    last = first
    while last < min(len(words), first + _LONGEST_PHRASE) and (
        last == first or not _ends_phrase(prompt, words, last, ends)
    ):
        last += 1
        gap = prompt[words[last - 1].end : words[last].start] if last < len(words) else ""
        if any(character in _BREAKS for character in gap) or _SENTENCE_END.match(gap):
            break
    if last > first and words[first].folded not in STOP_WORDS:
        yield Mention(kind, prompt[words[first].start : words[last - 1].end], words[first].start, words[last - 1].end)


def _ends_phrase(prompt: str, words: Sequence[Word], at: int, ends: frozenset[str]) -> bool:
    word = words[at].folded
    if word in ("tomorrow", "today", "tonight"):
        return True
    if word not in ends:
        return False
    if word not in _INNER or ends is not _ENDS or at + 1 == len(words):
        return True
    following = words[at + 1]
    return not prompt[following.start].islower() or following.folded in _OPENINGS


def _after_colon(prompt: str, words: Sequence[Word]) -> Iterator[Mention]:
    """Yield what follows the first colon that has a whole request before it."""
    for colon in _COLON.finditer(prompt):
        before = sum(word.end <= colon.start() for word in words)
        rest = prompt[colon.end() :].strip()
        if before > 1 and rest:
            start = prompt.index(rest, colon.end())
            yield _text(Kind.AFTER_COLON, prompt, start, len(prompt))
            return


def _proper_names(prompt: str, words: Sequence[Word]) -> Iterator[Mention]:
    at = 0
    while at < len(words):
        first = at
        while at < len(words) and _is_capital(prompt, words, at, first):
            at += 1
        if at > first:
            end = words[at - 1].end
            yield Mention(Kind.PROPER_NAME, prompt[words[first].start : end], words[first].start, end)
        at += at == first


def _is_capital(prompt: str, words: Sequence[Word], at: int, first: int) -> bool:
    """Whether a word is capitalised as part of a name; the first word of a sentence is capitalised anyway."""
    if not prompt[words[at].start].isupper() or words[at].folded in STOP_WORDS:
        return False
    if at == 0:
        return False
    gap = prompt[words[at - 1].end : words[at].start]
    if at > first:
        return gap == " " or gap == "-"
    return not _SENTENCE_END.match(gap)
