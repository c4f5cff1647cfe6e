"""Numbers of the prompt for numeric slots, by the words beside them."""

from collections.abc import Iterator
from datetime import datetime

from service_server.predict.arguments.conversion import moment_value, takes_moments
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import nearness, words_after, words_before
from service_server.predict.mentions import Kind, Mention
from service_server.predict.reading import Reading
from service_server.predict.verbs import VerbClass
from service_server.predict.words import word_set

_LIMIT_WORDS = word_set("limit max maximum count size top per result")
_LIMIT_MARKERS = word_set("first top last latest most max maximum limit")


def quantity_proposals(slot: Slot, reading: Reading, now: datetime, *, only_number: bool) -> Iterator[Proposal]:
    """Yield the numbers that may be meant for a slot; `only_number` when no other required slot takes one."""
    if takes_moments(slot):
        for mention in reading.of_kind(Kind.MOMENT):
            value = moment_value(slot, mention.value, now)
            if value is not None:
                yield Proposal(slot, value, mention.start, mention.end, 0.6)
        return
    numbers = reading.of_kind(Kind.NUMBER, Kind.PERCENT)
    for mention in numbers:
        strength = _strength(slot, reading, mention)
        if not strength and only_number and len(numbers) == 1 and slot.required and not slot.opaque:
            strength = 0.5
        if strength:
            yield Proposal(slot, _value(slot, mention), mention.start, mention.end, strength)


def _value(slot: Slot, mention: Mention) -> int | float:
    """Return the number; for a slot whose maximum is 1, a percentage becomes a share."""
    maximum = slot.schema.get("maximum")
    is_share = mention.kind is Kind.PERCENT and isinstance(maximum, int | float) and maximum <= 1
    number: int | float = mention.value
    return number / 100 if is_share else number


def _strength(slot: Slot, reading: Reading, mention: Mention) -> float:
    near = nearness(slot, reading, mention.start, mention.end)
    if near:
        return 0.5 + 0.4 * near
    if slot.opaque:
        return 0.0
    if slot.words & _LIMIT_WORDS and _counts_results(reading, mention):
        return 0.6
    beside = {word.stem for word in (*words_before(reading, mention.start, 1), *words_after(reading, mention.end, 1))}
    return 0.5 if beside & slot.hints and slot.required else 0.0


def _counts_results(reading: Reading, mention: Mention) -> bool:
    """Whether a number says how many results are wanted: "the first 5", "10 tickets"."""
    if any(word.folded in _LIMIT_MARKERS for word in words_before(reading, mention.start, 2)):
        return True
    asks = reading.asked is not None and reading.asked.verb_class is VerbClass.READ
    return asks and any(word.folded.endswith("s") for word in words_after(reading, mention.end, 1))
