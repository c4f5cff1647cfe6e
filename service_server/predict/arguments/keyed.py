"""Values that the prompt assigns by the parameter's name: "priority: high", "priority=high"."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from service_server.predict.arguments.conversion import convert
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.mentions import Kind
from service_server.predict.reading import Reading

_STRENGTH = 1.0
_VALUE_ENDS = ",;\n"


def keyed_proposals(slots: Sequence[Slot], reading: Reading, now: datetime) -> Iterator[Proposal]:
    """Yield a proposal for each parameter that is named with a colon or an equals sign behind it."""
    keys = sorted(_keys(slots, reading), key=lambda key: key[1])
    starts = [start for _, start, _, _ in keys]
    for at, (slot, _, value_start, is_equation) in enumerate(keys):
        limit = starts[at + 1] if at + 1 < len(starts) else len(reading.prompt)
        start, end = _value(reading, value_start, max(limit, value_start), slot, is_equation=is_equation)
        text = reading.prompt[start:end]
        value = convert(slot, text.strip("\"'“”`"), now) if text else None
        if value is not None and value != "":
            yield Proposal(slot, value, start, end, _STRENGTH)


def _keys(slots: Sequence[Slot], reading: Reading) -> Iterator[tuple[Slot, int, int, bool]]:
    """Yield the slot, the start of its name, the place behind the sign, and whether the sign is an equals sign."""
    by_name = {name: slot for slot in reversed(slots) for name in slot.names}
    longest = max(map(len, by_name), default=0)
    folded = [word.folded for word in reading.words]
    for at, word in enumerate(reading.words):
        for length in range(min(longest, len(folded) - at), 0, -1):
            slot = by_name.get(tuple(folded[at : at + length]))
            if slot is None:
                continue
            place = reading.words[at + length - 1].end
            sign = reading.prompt[place : place + 1]
            if sign == "=" or (sign == ":" and reading.prompt[place + 1 : place + 3] != "//"):
                yield slot, word.start, place + 1, sign == "="
            break


def _value(reading: Reading, start: int, limit: int, slot: Slot, *, is_equation: bool) -> tuple[int, int]:
    prompt = reading.prompt
    while start < limit and prompt[start].isspace():
        start += 1
    for quotation in reading.of_kind(Kind.QUOTED):
        if quotation.start == start:
            return quotation.start, quotation.end
    ends = "\n;" if slot.type == "array" else _VALUE_ENDS
    end = start
    while end < limit and prompt[end] not in ends and not (is_equation and prompt[end].isspace()):
        end += 1
    text = prompt[start:end].rstrip(" ,;")
    return start, start + len(text)
