"""
Texts that people mean as a whole, where the reader found only a part of them.

"Give #yard a shout: the lift is broken, take the stairs" says all that stands behind the colon, and "remind #desk at
9 to fill in timesheets" all that stands behind "to".
"""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.option_labels import MULTILINE
from service_server.predict.reader.filling import POLITE, Filled
from service_server.predict.reader.questions import Answer
from service_server.predict.reader.values import QUOTES, trimmed, value_of

_QUESTION = re.compile(
    r"[A-Z]|(?:who|whose|what|when|where|why|which|how|is|are|was|were|do|does|did|has|have|can|could|would|will|any)\b"
)
_COLON = re.compile(r":\s+")
_TO_DO = re.compile(r"\bto $", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:says?|saying|tells?|reads?|writes?|writing)\b[^.!?]{0,20}$|:\s*$", re.IGNORECASE)
_NEXT_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")
# "… saying The proofs are ready, shall I courier them?"
_ENDS = re.compile(r",? [^.!?]{3,200}[.!?]\Z")
_CLAUSE = re.compile(
    r"(?:[,;–] |\b(?:that|because) )(?P<clause>(?:he|she|they|it|we|i|you)(?:['’]\w+)? (?:[a-z]+ ){1,2})$",
    re.IGNORECASE,
)
# "Tell them it is open, and we close at six"; "… and close it" is asked of us.
_GOES_ON = re.compile(
    r",? (?:(?:and|but|so|because) (?:he|she|they|we|i|you|it|the|that|there|this|please)\b|(?:at |on |here:? )?https?://)"
    r"|,? (?:see\b|please (?!in\b)[a-z]+)|, (?:look|check|could|can|do|don['’]t|let)\b",
    re.IGNORECASE,
)
# "Say what a harvest, well done!": what stands before a comma may be a part of the text.
_BEGINS = re.compile(
    r"\b(?:say|saying|says|answer|reads?|post|write) (?!(?:to|in|on|at|under|back|by|that|him|her|them|us|me)\b)"
    r"(?P<clause>(?:[\w'’-]+ ){1,9}[\w'’-]+, )$",
    re.IGNORECASE,
)
_POLITE = re.compile(rf"[\s,.!]*\b(?:{'|'.join(POLITE)})\W*\Z", re.IGNORECASE)
_WHERE = re.compile(r"[\s,.!?]+(?:on|in|via|by|with|using|through|to) (?:\S+ ?){1,3}\Z", re.IGNORECASE)
_BEFORE_ANOTHER = re.compile(r"\s+(?:at|on|by|in|for|from|until|till|to|the|and|with|,)\s*\Z", re.IGNORECASE)


def with_whole_texts(found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was found, with texts of several lines as long as the prompt has them."""
    return [
        _with_mark(_whole(each, found, prompt), prompt) if _is_text(each) and not _is_quoted(each, prompt) else each
        for each in found
    ]


def _is_text(value: Filled) -> bool:
    is_said = value.question.answer is Answer.WORDS and value.start < value.end
    return is_said and bool(value.question.schema.get(MULTILINE))


def _with_mark(text: Filled, prompt: str) -> Filled:
    """Return a text with the mark that it ends with: the question mark of a question may be the prompt's own."""
    mark = prompt[text.end : text.end + 1]
    is_its_own = mark == "!" or (mark == "?" and _QUESTION.match(text.value) is not None)
    is_its_own = is_its_own and not text.value.endswith(mark)
    return evolve(text, value=text.value + mark, end=text.end + 1) if is_its_own else text


def _is_quoted(text: Filled, prompt: str) -> bool:
    """Whether quotation marks say where a text ends."""
    around = prompt[max(text.start - 1, 0) : text.start] + prompt[text.end : text.end + 1]
    return len(around) == 2 and all(mark in QUOTES for mark in around)


def _whole(text: Filled, found: Sequence[Filled], prompt: str) -> Filled:
    """Return a text with the words around it that belong to nothing else."""
    polite = _POLITE.search(prompt, text.end)
    last = polite.start() if polite is not None else len(prompt)
    others = [each for each in found if each is not text and each.start < each.end]

    def is_free(start: int, end: int) -> bool:
        return not any(each.overlaps(start, end) for each in others)

    colons = [match.end() for match in _COLON.finditer(prompt, 0, text.start)]
    if colons and is_free(colons[-1], last):
        return _between(text, colons[-1], text.end if _WHERE.match(prompt, text.end) else last, prompt)
    is_capital = prompt[text.start].isupper()
    goes_on = _NEXT_SENTENCE.match(prompt, text.end) or (_ENDS.match(prompt, text.end) if is_capital else None)
    is_all_said = _SAYS.search(prompt[: text.start]) is not None and goes_on is not None
    if (is_all_said or _GOES_ON.match(prompt, text.end)) and is_free(text.end, last):
        whole = _between(text, text.start, last, prompt)
        mark = prompt[whole.end :] if is_all_said and polite is None else ""
        return evolve(whole, value=whole.value + mark) if mark in ("?", "!") else whole
    if (clause := _CLAUSE.search(prompt[: text.start])) and is_free(clause.start("clause"), text.end):
        return _between(text, clause.start("clause"), text.end, prompt)
    if (begins := _BEGINS.search(prompt[: text.start])) and is_free(begins.start("clause"), text.start):
        return _between(text, begins.start("clause"), text.end, prompt)
    if _TO_DO.search(prompt[: text.start]) is None or not prompt[text.start : text.end].isalpha():
        return text
    following = min((each.start for each in others if each.start >= text.end), default=None)
    if following is not None:
        cut = _BEFORE_ANOTHER.search(prompt[text.end : following])
        last = text.end + cut.start() if cut is not None else text.end
    return _between(text, text.start, last, prompt)


def _between(text: Filled, start: int, end: int, prompt: str) -> Filled:
    start, end = trimmed(prompt, start, end)
    value = value_of(prompt, start, end, text.question.schema, None)
    return text if value is None else evolve(text, value=value, start=start, end=end)
