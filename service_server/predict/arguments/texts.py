"""Texts of the prompt for string slots: by form, by the words that introduce them, by what the slot is for."""

from collections.abc import Iterator
from datetime import datetime

from service_server.predict.arguments.conversion import moment_value, takes_moments
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import follows_name, nearness, words_before
from service_server.predict.mentions import Kind, Mention
from service_server.predict.reading import Reading
from service_server.predict.repository_names import RepositoryName, repository_name
from service_server.predict.words import STOP_WORDS, word_set

_NAMES = word_set("titl name summari subject headlin topic")
_TEXTS = word_set("bodi messag text descript content comment note detail")
_QUERIES = word_set("queri q search keyword term")
_PLACES = word_set("citi locat place destin origin countri address region departur arriv")
_PEOPLE = word_set("user assigne owner member author usernam login recipi person mention report")
_ADDRESSEES = word_set("to cc bcc recipi attende sender from invite")
_STARTS = word_set("start begin from since after origin departur")
_ENDS = word_set("end until to till before finish destin arriv")
# An id stands right beside the word for what it identifies.
_BESIDE = 0.8
_TARGETS = word_set("new to target")

# What each purpose of a slot takes, by kind of mention; the figures only order the proposals and aren't probabilities.
_STRENGTHS: tuple[tuple[frozenset[str], dict[Kind, float]], ...] = (
    (
        _NAMES,
        {
            Kind.NAMED: 0.9,
            Kind.QUOTED: 0.75,
            Kind.AFTER_COLON: 0.65,
            Kind.SAID: 0.4,
            Kind.TOPIC: 0.45,
            Kind.PURPOSE: 0.45,
            Kind.IDENTIFIER: 0.4,
        },
    ),
    (_TEXTS, {Kind.SAID: 0.85, Kind.AFTER_COLON: 0.62, Kind.QUOTED: 0.6}),
    (_QUERIES, {Kind.QUOTED: 0.75, Kind.TOPIC: 0.7, Kind.PURPOSE: 0.7, Kind.NAMED: 0.6, Kind.AFTER_COLON: 0.6}),
)


def text_proposals(slot: Slot, reading: Reading, now: datetime) -> Iterator[Proposal]:
    """Yield the texts that may be meant for a slot of type string."""
    if takes_moments(slot):
        yield from _moments(slot, reading, now)
    elif slot.format in ("email", "uri", "file") or slot.is_identifier:
        yield from _by_form(slot, reading)
        yield from _slug_parts(slot, reading)
    else:
        yield from _by_form(slot, reading)
        yield from _slug_parts(slot, reading)
        yield from _by_purpose(slot, reading)
        yield from _beside_the_name(slot, reading)
        yield from _places(slot, reading)


def _moments(slot: Slot, reading: Reading, now: datetime) -> Iterator[Proposal]:
    mentions = reading.of_kind(Kind.MOMENT)
    for at, mention in enumerate(mentions):
        value = moment_value(slot, mention.value, now)
        if value is None:
            continue
        before = {word.stem for word in words_before(reading, mention.start, 2)}
        is_end = bool(slot.words & _ENDS) or bool(slot.words & {"due", "deadlin"})
        said = bool(before & (_ENDS | {"by", "due"})) if is_end else bool(before & _STARTS)
        in_order = at > 0 if is_end and len(mentions) > 1 else at == 0
        strength = 0.6 + 0.15 * (said or nearness(slot, reading, mention.start, mention.end) > 0) + 0.1 * in_order
        yield Proposal(slot, value, mention.start, mention.end, strength)


def _by_form(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield the mentions whose form is the one the slot takes."""
    accepted: list[tuple[Kind, float]] = []
    if slot.format == "email" or slot.words & {"email", "mail"} or slot.words & _ADDRESSEES:
        accepted.append((Kind.EMAIL, 0.8))
    if slot.format in ("uri", "file") or slot.words & {"url", "link", "websit", "uri"}:
        accepted.append((Kind.URL, 0.8))
    if not slot.opaque and slot.format == "" and "channel" in slot.words:
        accepted.append((Kind.CHANNEL, 0.8))
    if not slot.opaque and slot.format == "" and slot.words & _PEOPLE:
        accepted.append((Kind.USER, 0.75))
    for kind, strength in accepted:
        for mention in reading.of_kind(kind):
            near = nearness(slot, reading, mention.start, mention.end)
            yield Proposal(slot, mention.value, mention.start, mention.end, strength + 0.15 * near)
    if slot.format == "" and (slot.is_identifier or not slot.words & (_NAMES | _TEXTS | _QUERIES)):
        yield from _identifiers(slot, reading)


def _identifiers(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield literal identifiers: those beside the slot's words, or the prompt's only one for a slot that needs one."""
    found = reading.of_kind(Kind.IDENTIFIER)
    for mention in (*found, *reading.of_kind(Kind.NUMBER)):
        near = nearness(slot, reading, mention.start, mention.end)
        near = near if near >= _BESIDE else 0.0
        alone = mention.kind is Kind.IDENTIFIER and len(found) == 1 and slot.is_identifier and slot.required
        beside = {word.stem for word in words_before(reading, mention.start, 1)}
        target = 0.6 if beside & slot.words & _TARGETS else 0.0
        strength = 0.55 + 0.35 * near if near else 0.5 if alone and not slot.opaque else target
        if strength:
            text = reading.prompt[mention.start : mention.end]
            yield Proposal(slot, text, mention.start, mention.end, strength)


def _slug_parts(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield the halves of "acme/web" for an owner and a repository, or the whole for a full name."""
    part = repository_name(slot.words)
    for mention in reading.of_kind(Kind.SLUG):
        cut = mention.start + reading.prompt[mention.start : mention.end].index("/")
        match part:
            case RepositoryName.WHOLE:
                yield Proposal(slot, mention.value, mention.start, mention.end, 0.9)
            case RepositoryName.OWNER:
                yield Proposal(slot, reading.prompt[mention.start : cut], mention.start, cut, 0.9)
            case RepositoryName.OWN:
                yield Proposal(slot, reading.prompt[cut + 1 : mention.end], cut + 1, mention.end, 0.9)


def _by_purpose(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    for stems, strengths in _STRENGTHS:
        if not slot.words & stems:
            continue
        for mention in reading.mentions:
            strength = strengths.get(mention.kind, 0.0)
            if mention.kind in (Kind.TOPIC, Kind.PURPOSE) and stems is _NAMES and not slot.required:
                continue  # "issues about printers" has no title
            if mention.kind is Kind.IDENTIFIER and not slot.required:
                continue
            if strength:
                yield _text(slot, mention, strength + _introduced(slot, reading, mention))
        return
    for mention in reading.of_kind(Kind.QUOTED):
        if slot.required:
            yield _text(slot, mention, 0.45)


def _introduced(slot: Slot, reading: Reading, mention: Mention) -> float:
    """Return how strongly a word before a mention speaks for the slot: 'titled "X"', 'with the body "Y"'."""
    before = {word.folded for word in words_before(reading, mention.start, 1)}
    if mention.kind is Kind.QUOTED and before & {"called", "titled", "named"}:
        return 0.15 if slot.words & _NAMES else -0.2
    return 0.2 * nearness(slot, reading, mention.start, mention.end)


def _text(slot: Slot, mention: Mention, strength: float) -> Proposal:
    return Proposal(slot, mention.value, mention.start, mention.end, strength)


def _beside_the_name(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield what follows the slot's name ("project Website") or precedes it ("the Website project")."""
    if slot.opaque:
        return
    for at in follows_name(slot, reading):
        word = reading.words[at]
        if word.folded in STOP_WORDS:
            continue
        named = next((each for each in _values(reading) if each.start <= word.start < each.end), None)
        if named is not None:
            yield _text(slot, named, 0.8)
        elif slot.required and _adjacent(reading, at):
            yield Proposal(slot, reading.prompt[word.start : word.end], word.start, word.end, 0.55)
    for name in reading.of_kind(Kind.PROPER_NAME):
        if nearness(slot, reading, name.start, name.end) > 0.7:
            yield _text(slot, name, 0.6)


def _adjacent(reading: Reading, at: int) -> bool:
    """Whether nothing but blanks stands between a word and the one before it."""
    return reading.prompt[reading.words[at - 1].end : reading.words[at].start].isspace()


def _values(reading: Reading) -> tuple[Mention, ...]:
    return reading.of_kind(Kind.QUOTED, Kind.PROPER_NAME, Kind.USER, Kind.CHANNEL)


def _places(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield names behind the preposition that goes with a place: "from Berlin to Munich", "in Rome"."""
    if not slot.words & _PLACES:
        return
    for name in reading.of_kind(Kind.PROPER_NAME):
        before = next((word.folded for word in words_before(reading, name.start, 1)), "")
        is_start, is_end = bool(slot.words & _STARTS), bool(slot.words & _ENDS)
        if (before == "from" and is_start) or (before in ("to", "in") and is_end):
            yield _text(slot, name, 0.7)
        elif before in ("in", "near", "at", "for") and not is_start and not is_end:
            yield _text(slot, name, 0.65)
