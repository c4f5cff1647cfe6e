"""Names that a prompt gives where a function wants ids: "#general", "in project Office", "with high priority"."""

from collections.abc import Iterator, Sequence

from attrs import evolve

from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import follows_name, is_asked_verb, nearness, words_before
from service_server.predict.mentions import Kind, Mention
from service_server.predict.reading import Reading
from service_server.predict.words import STOP_WORDS, Word, word_set, words_of

_CHANNELS = word_set("channel room convers chat to")
_PEOPLE = word_set("user assigne assign owner member author recipi person manag report review lead to")
# These stand beside the word for a kind of thing without being names: "a new project", "the same channel".
_NO_NAMES = word_set("new same other another existing old different next previous current id number key name one")
_CONTAINERS = (Kind.QUOTED, Kind.PROPER_NAME, Kind.NAMED)


def name_proposals(slots: Sequence[Slot], reading: Reading, app: frozenset[str]) -> Iterator[Proposal]:
    """
    Yield the names that may be meant for slots that hold ids; only the app knows what they name.

    `app` holds the stems of the app's own name, which may stand beside its things: "the Redmine project shop".
    """
    if not any(slot.opaque for slot in slots):
        return
    texts = reading.of_kind(Kind.SAID, Kind.QUOTED)
    names = _names(reading, app, (*texts, *reading.of_kind(Kind.AFTER_COLON)))
    other = frozenset(stem for slot in slots for stem in slot.words)
    for slot in slots:
        if slot.opaque:
            if "assigne" in slot.words:
                slot = evolve(slot, words=slot.words | {"assign"})
            yield from _by_sign(slot, reading, texts)
            yield from _behind(slot, reading, names, other, texts)
            yield from _before(slot, reading, names, other | app, texts)


def _names(reading: Reading, app: frozenset[str], texts: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the names outside the prompt's texts, without the app's own."""
    return tuple(
        name
        for name in reading.of_kind(*_CONTAINERS)
        if not any(text.overlaps(name.start, name.end) for text in texts if text.kind is not name.kind)
        and not app.issuperset(word.stem for word in words_of(reading.prompt[name.start : name.end]))
    )


def _by_sign(slot: Slot, reading: Reading, texts: Sequence[Mention]) -> Iterator[Proposal]:
    for kind, stems in ((Kind.CHANNEL, _CHANNELS), (Kind.USER, _PEOPLE)):
        if slot.words & stems:
            for mention in reading.of_kind(kind):
                if not any(text.overlaps(mention.start, mention.end) for text in texts):
                    near = nearness(slot, reading, mention.start, mention.end)
                    yield _named(slot, reading, mention.start, mention.end, 0.8 + 0.1 * near)


def _behind(
    slot: Slot, reading: Reading, names: Sequence[Mention], other: frozenset[str], texts: Sequence[Mention]
) -> Iterator[Proposal]:
    """Yield what follows the slot's name: "project Office", "assigned to Ana Ruiz", "status: done"."""
    for at in follows_name(slot, reading):
        word = reading.words[at]
        between = reading.prompt[reading.words[at - 1].end : word.start].strip("\"'“”‘’` \t")
        name = next((each for each in names if each.start <= word.start < each.end), None)
        if name is not None:
            start = word.start if name.kind is Kind.NAMED else name.start
            yield _named(slot, reading, start, name.end, 0.9 if between in ("", ":", "=") else 0.7)
        elif between in ("", ":", "=") and _may_be_name(word, reading, other | slot.action, texts):
            yield _named(slot, reading, word.start, word.end, 0.55 if between == "" else 0.9)
    for name in names:
        if name.kind is Kind.PROPER_NAME and nearness(slot, reading, name.start, name.end) > 0.6:
            yield _named(slot, reading, name.start, name.end, 0.65)


def _before(
    slot: Slot, reading: Reading, names: Sequence[Mention], other: frozenset[str], texts: Sequence[Mention]
) -> Iterator[Proposal]:
    """Yield what stands right before the slot's name: "the Office project", "high priority"."""
    for word in reading.words:
        if word.stem not in slot.words or word.stem in slot.action or word.folded in STOP_WORDS:
            continue
        before = next(iter(words_before(reading, word.start, 1)), None)
        if before is None or reading.prompt[before.end : word.start].strip("\"'”’ ") != "":
            continue
        name = next((each for each in names if each.start <= before.start < each.end <= word.start), None)
        if name is not None:
            yield _named(slot, reading, name.start, name.end, 0.7)
        elif _may_be_name(before, reading, other, texts):
            yield _named(slot, reading, before.start, before.end, 0.6)


def _may_be_name(word: Word, reading: Reading, other: frozenset[str], texts: Sequence[Mention]) -> bool:
    """Whether a single word that nothing marks as a name may still be one."""
    if word.folded in STOP_WORDS | _NO_NAMES or word.stem in other or is_asked_verb(word, reading):
        return False
    return not any(text.overlaps(word.start, word.end) for text in texts)


def _named(slot: Slot, reading: Reading, start: int, end: int, strength: float) -> Proposal:
    words = reading.prompt[start:end].strip("\"'“”‘’` ")
    return Proposal(slot, words, start, end, strength, is_name=True)
