"""Whether words that stand for an id name something, and what it is called."""

import re

from service_server.predict.arguments.slots import Slot
from service_server.predict.mentions import Kind
from service_server.predict.reader.filling import Filled
from service_server.predict.reading import Reading
from service_server.predict.words import stem, words_of

_OWN = frozenset(map(stem, ("the", "my", "our", "own", "main", "usual", "default", "personal")))
_SPAN_OF_TIME = re.compile(r"(?:this|last|next) (?:weekend|week|month|quarter|year)")  # "Next week" is a name
_WHEN = re.compile(r"\b(?:for|on|by|until|till|since|before|after|due|from) $", re.IGNORECASE)
_OTHER_KIND = re.compile(r"\A(?:e?-?mail|thread|invit(?:e|ation)|meeting|call|chat|doc|spreadsheet|team) (?=[A-Z\d])")


def is_when(value: Filled, reading: Reading) -> bool:
    """Whether words say when something is, and name nothing: "for Saturday"; "the sheet Monday" is a name."""
    words = reading.prompt[value.start : value.end]
    if _SPAN_OF_TIME.fullmatch(words) or _SPAN_OF_TIME.fullmatch(reading.prompt[: value.start][-5:] + words):
        return True
    if not any(moment.covers(value.start, value.end) for moment in reading.of_kind(Kind.MOMENT)):
        return False
    return _WHEN.search(reading.prompt[: value.start][-10:]) is not None


def is_the_usual(words: str, slot: Slot) -> bool:
    """Whether words mean what is taken anyway: "my calendar" is the main one, and has no such name."""
    return "default" in slot.schema and all(word.stem in slot.words | _OWN for word in words_of(words))


def without_kind(words: str, slot: Slot) -> str:
    """Return a name without the words for what it is the name of: "Website" for "the project Website"."""
    read_words = words_of(words)
    own = slot.words | {"the"}
    kinds = next((at for at, word in enumerate(read_words) if word.stem not in own), 0)
    called = words[read_words[kinds].start :] if kinds else words
    return _OTHER_KIND.sub("", called)  # an argument for a message may be told "the mail Office move"
