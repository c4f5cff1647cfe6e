"""What the words of a prompt say against an answer that the encoder chose: an option, or true or false."""

import re

from attrs import evolve, frozen

from service_server.predict.arguments.booleans import AMONG_US, NEGATIONS, boolean_proposals, stems_of
from service_server.predict.arguments.options import option_proposals
from service_server.predict.arguments.ordering import ASCENDING, DESCENDING
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import is_asked_verb, words_before
from service_server.predict.option_labels import names_of
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer
from service_server.predict.reading import Reading
from service_server.predict.verbs import DETERMINERS, VerbClass
from service_server.predict.words import identifier_words, stem, word_set

_MAKING = word_set("keep make stay stays remain remains be")
_UNDONE = re.compile(
    r"\b(?:still|yet|left) to (?:do|finish|be done)\b|(?:\bnot|n't) (?:yet |at all )?(?:done|finished|completed?)\b"
    r"|\b(?:must|should|(?:has|have|needs?) to) be (?:done|finished|completed?) (?:by|before|until|till|on|within)\b"
    r"|\bstill open\b|\bun-?(?:check|tick)\b|\bre-?open\b"
    r"|\bopen (?!the\b)(?:[\w-]+ ){0,2}(?:tasks|issues|items|tickets|to-?dos)\b",
    re.IGNORECASE,
)
_DONE = frozenset(map(stem, ("done", "completed", "finished")))
_OPEN = frozenset(map(stem, ("open", "public", "active", "enabled")))
_WORKING = frozenset(map(stem, ("active", "enabled")))
_SWITCHED = re.compile(r"\b(?:switched|turned) (on|off)\b", re.IGNORECASE)
_RULES_OUT = re.compile(
    r"\b(?:not|never|without|instead of|rather than)(?: just| only)?(?: (?:to|in|into|via|as|by|with))?"
    r"(?: (?:the|a|an|my|our))? $",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:keep|keeping|leave|leaving)(?: (?:the|all|its))? $", re.IGNORECASE)
_EMPTIES = re.compile(r"\W*(?:please )?(?:empty|clear|wipe|erase|delete|remove)\b", re.IGNORECASE)
# "Open invoices of Acme" are a kind of invoices; "open the ticket" is an order.
_OPEN_ONES = re.compile(
    rf"open (?!(?:{'|'.join(sorted(DETERMINERS))})\b)(?:[\w-]+ ){{0,2}}[a-z]{{3,}}s\b", re.IGNORECASE
)
_IS_NAME = re.compile(r"\b(?:to|into|in|from) $")


@frozen
class _Opposites:
    """What a prompt says, the words for options that it rules out, and those for what it means."""

    said: re.Pattern[str]
    denied: frozenset[str]
    meant: frozenset[str]


_OPPOSITES = (
    _Opposites(AMONG_US, word_set("comment public reply external"), word_set("note internal private")),
    _Opposites(
        re.compile(
            r"(?<!n't )(?<!not )\b(?:(?:turn|switch|shut)\b[^.,;:]* off|stop|pause|deactivate|disable|suspend)\b"
            r"|\A(?!.*(?:n't|\bnot|\bnever)\b.*\boff\b).*(?<![\d%] )(?<!day )\boff\b",
            re.IGNORECASE | re.DOTALL,
        ),
        word_set("on active enabled live running subscribe subscribed"),
        word_set("off inactive disabled paused stopped suspended unsubscribe unsubscribed"),
    ),
    _Opposites(
        re.compile(r"\bunsubscribe[ds]?\b|\bopt(?:s|ed)? out\b", re.IGNORECASE),
        word_set("subscribe subscribed"),
        word_set("unsubscribe unsubscribed"),
    ),
    _Opposites(  # "it needs work, please add a test"
        re.compile(
            r"\bneeds? (?:some |more )?(?:work|changes|fixing|love)\b|\bnot (?:good enough|ready|there) yet\b"
            r"|\bback to\b|\b(?:asks?|asking|request) for changes\b"
            r"|\bplease (?:add|fix|change|rename|remove|rework|explain)\b",
            re.IGNORECASE,
        ),
        word_set("approve approved approval accept"),
        word_set("request changes rejected reject"),
    ),
    _Opposites(
        re.compile(r"\bfor good\b|\bpermanently\b|\bfor ?ever\b|\birrevocably\b", re.IGNORECASE),
        word_set("trash bin"),
        word_set("delete permanently permanent destroy"),
    ),
    _Opposites(  # "take my vote back" is no vote, least of all for it
        re.compile(r"\b(?:take|withdraw|reset|retract)\b[^.;]*\b(?:vote|approval)\b", re.IGNORECASE),
        word_set("approve approved approval accept"),
        word_set("none reset withdraw back"),
    ),
    _Opposites(
        re.compile(r"\b(?:let|wave|wav(?:ed|ing))\b[^.;]*\bthrough\b", re.IGNORECASE),
        word_set("hold spam trash pending unapproved rejected reject"),
        word_set("approve approved publish published"),
    ),
    _Opposites(
        re.compile(r"\b(?:for|by|with) (?:anyone|anybody|everyone|everybody)\b", re.IGNORECASE),
        word_set("no nobody none private"),
        word_set("public anyone anybody everyone everybody"),
    ),
    _Opposites(re.compile(r"\bunhide\b", re.IGNORECASE), word_set("hidden"), word_set("visible shown")),
    _Opposites(DESCENDING, word_set("asc ascending"), word_set("desc descending")),
    _Opposites(ASCENDING, word_set("desc descending"), word_set("asc ascending")),
    _Opposites(  # nobody gets more rights than were spoken of
        re.compile(
            r"\b(?:may|can|should|only|just|let \S+|able to|allowed to) (?:only |just )?(?:see|look|view|read|peek)\b"
            r"(?!.*(?<!not )(?<!n't )(?<!never )\b(?:edit|change|write|add|manage|comment))",
            re.IGNORECASE,
        ),
        word_set("write writer edit editor change manage manager owner full contributor contribute"),
        word_set("read reader view viewer see look"),
    ),
)


def as_said(value: Filled, slot: Slot, reading: Reading) -> Filled | None:
    """Return an answer as the prompt's own words have it; None where they speak of something else."""
    match value.question.answer:
        case Answer.BOOLEAN:
            return _truth(value, slot, reading)
        case Answer.OPTION if _is_only_the_verb(value, slot, reading):
            return None
        case Answer.OPTION:
            return _not_the_opposite(value, reading)
        case Answer.OPTIONS:
            return _named_ones(value, reading)
    return value


def _truth(value: Filled, slot: Slot, reading: Reading) -> Filled | None:
    """Deny what the prompt denies ("that aren't archived"); leave out what only a quoted text or a name speaks of."""
    if _IS_NAME.search(reading.prompt[: value.start][-8:]) and reading.prompt[value.start : value.end].istitle():
        return None  # "move it to Done" names a list
    said = list(boolean_proposals(slot, reading))
    if _UNDONE.search(reading.prompt) and not _DONE.isdisjoint(stems_of(slot)):
        return evolve(value, value=False)
    if (switched := _SWITCHED.search(reading.prompt)) and not _WORKING.isdisjoint(stems_of(slot)):
        return evolve(value, value=switched[1].casefold() == "on")
    values = {each.value for each in said}
    if not values and _is_closed(reading) and not _OPEN.isdisjoint(stems_of(slot)):
        return evolve(value, value=False)
    if _denies_what_is_denied(value, reading):
        return evolve(value, value=True)
    if values == {False}:
        return evolve(value, value=False)
    if values == {True} and any(_is_made(each.start, reading) or _is_denial(each.start, reading) for each in said):
        return evolve(value, value=True)
    if values:
        return value
    stems = set(stems_of(slot))
    outside = {word.stem for word in reading.request}
    is_quoted = bool(stems) and stems <= {word.stem for word in reading.words} and stems.isdisjoint(outside)
    return None if is_quoted else value


def _is_closed(reading: Reading) -> bool:
    """Whether something is to be shut: "close the form"."""
    return reading.asked is not None and reading.asked.verb_class is VerbClass.CLOSE and not reading.asked.negated


def _denies_what_is_denied(value: Filled, reading: Reading) -> bool:
    """Whether what is denied is the opposite of an argument: "not paid yet" is unpaid."""
    name = value.question.name.split()[-1]
    base = re.escape(name.removeprefix("un"))
    denied = re.search(rf"\b(?:not|never|\w+n['’]t)(?: \w+)? {base}\b", reading.prompt, re.IGNORECASE)
    return name.startswith("un") and denied is not None


def _is_made(start: int, reading: Reading) -> bool:
    """Whether what is said at a place is what something shall be: "keep this transaction private"."""
    before = [word.folded for word in words_before(reading, start, 5)]
    return not _MAKING.isdisjoint(before[:3]) and NEGATIONS.isdisjoint(before)


def _is_denial(start: int, reading: Reading) -> bool:
    """Whether what is said at a place denies the opposite: "not for the public" is private."""
    return any(word.start == start and word.folded in NEGATIONS for word in reading.words)


def _is_only_the_verb(value: Filled, slot: Slot, reading: Reading) -> bool:
    """Whether an option's only word in the prompt is what is to be done: "open a ticket" asks for no open ones."""
    if reading.asked is None or _OPEN_ONES.match(reading.prompt, reading.asked.start) is not None:
        return False
    stems = {word.stem for name in names_of(value.value, slot.schema) for word in identifier_words(name)}
    if stem("draft") in stems:
        return False  # what somebody drafts is a draft
    places = [word for word in reading.words if word.stem in stems]
    return (
        len(places) == 1
        and is_asked_verb(places[0], reading)
        and reading.asked.verb_class in (VerbClass.CREATE, VerbClass.READ)
        and not any(each.value == value.value for each in option_proposals(slot, reading))
    )


def _not_the_opposite(value: Filled, reading: Reading) -> Filled | None:
    """
    Return an option, or the only other one that fits where the prompt says its opposite; None if several do.

    "Among ourselves" is a note and no comment that the customer reads, and what is stopped isn't on.
    """
    if _is_ruled_out(value, reading):
        others = [each for each in value.question.options if each != value.value]
        return evolve(value, value=others[0]) if len(others) == 1 else None
    for opposites in _OPPOSITES:
        if not opposites.said.search(reading.prompt) or not _is_one_of(value.value, opposites.denied, value):
            continue
        others = [each for each in value.question.options if _is_one_of(each, opposites.meant, value)]
        return evolve(value, value=others[0]) if len(others) == 1 else None
    return value


def _is_ruled_out(value: Filled, reading: Reading) -> bool:
    """Whether a prompt names an option only to rule it out: "for good, not to the trash"."""
    names = [name for name in names_of(value.value, value.question.schema) if name]
    said = [re.search(rf"\b{re.escape(name)}\b", reading.prompt, re.IGNORECASE) for name in names]
    places = [match.start() for match in said if match is not None]
    rules_out = [_RULES_OUT]
    if _EMPTIES.match(reading.prompt):
        rules_out.append(_KEPT)  # "empty B2 to B40, keep the formats"
    return bool(places) and all(any(each.search(reading.prompt[:start]) for each in rules_out) for start in places)


def _is_one_of(option: object, words: frozenset[str], value: Filled) -> bool:
    names = names_of(option, value.question.schema)
    return any(not words.isdisjoint(word.folded for word in identifier_words(name)) for name in names)


def _named_ones(value: Filled, reading: Reading) -> Filled:
    """Keep of several options those that the prompt names, where it names any."""
    items = value.question.schema.get("items", value.question.schema)
    folded = reading.prompt.casefold()
    named = [
        option
        for option in value.value
        if any(re.search(rf"\b{re.escape(name.casefold())}", folded) for name in names_of(option, items))
    ]
    return evolve(value, value=named) if named else value
