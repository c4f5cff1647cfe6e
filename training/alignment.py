"""Find the words of a prompt that its known arguments came from."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from service_server.predict.mentions import find_moments, find_numbers
from service_server.predict.reader.numbers import number_in
from service_server.predict.reader.questions import Answer, Question, questions_of
from service_server.predict.reader.values import trimmed, value_of
from service_server.predict.words import words_of

_MOST_WORDS_OF_A_NUMBER = 4
_FIGURES = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?")


@frozen
class Target:
    """
    The right answer to one question: `spans` of the prompt, places of `options`, or a `truth`; none if it isn't there.

    Options and truths may also have spans: the words that say so. `known` is false where the data doesn't say which
    words the value came from; such a question teaches nothing.
    """

    spans: tuple[tuple[int, int], ...] = ()
    options: tuple[int, ...] = ()
    truth: bool | None = None
    known: bool = True


UNKNOWN = Target(known=False)
ABSENT = Target()


def merged(places: list[tuple[int, int]], prompt: str, question: Question) -> tuple[tuple[int, int], ...]:
    """Join adjacent items of a list of numbers; the joined region is split into numbers later."""
    items = question.schema.get("items")
    kind = items.get("type") if isinstance(items, Mapping) else None
    if kind not in ("number", "integer"):
        return tuple(places)
    joined = places[:1]
    for start, end in places[1:]:
        between = prompt[joined[-1][1] : start]
        if re.fullmatch(r"[\s,;&()\[\]]*(?:and|to)?[\s,;&()\[\]]*", between):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def targets_of(row: Mapping[str, Any], function: Mapping[str, Any], now: datetime | None) -> tuple[Target, ...]:
    """Return the targets of a function's questions for a row with `prompt`, `arguments` (or `allowed`) and `spans`."""
    allowed = row.get("allowed") or {name: [value] for name, value in row["arguments"].items()}
    targets = []
    for question in questions_of(function["parameters"]):
        values = allowed.get(question.path[0], [""] if question.path[0] not in row["arguments"] else None)
        for step in question.path[1:]:
            found: list[Any] = []
            for value in values or ():
                if isinstance(value, Mapping):
                    inner = value.get(step, [""])
                    found += inner if isinstance(inner, list) and row.get("allowed") else [inner]
                elif value == "":
                    found.append("")
            values = found
        span = row["spans"].get(question.path[0]) if len(question.path) == 1 else None
        targets.append(_target(row["prompt"], question, values or [""], span, now))
    return tuple(targets)


def _target(
    prompt: str, question: Question, values: Sequence[Any], span: Sequence[int] | None, now: datetime | None
) -> Target:
    wanted = [value for value in values if value not in ("", None)]
    optional = len(wanted) < len(values)
    found: Target | None = None
    if question.answer is Answer.BOOLEAN:
        truths = [value for value in wanted if isinstance(value, bool)]
        found = Target(truth=truths[0]) if truths and not optional else None
    elif question.options:
        folded = [str(option).casefold() for option in question.options]
        for value in wanted:
            parts = value if isinstance(value, list) else [value]
            places = [folded.index(str(part).casefold()) for part in parts if str(part).casefold() in folded]
            said = all(str(part).casefold() in prompt.casefold() for part in parts)
            if places and (not optional or said):
                found = Target(options=tuple(sorted(set(places))))
                break
    elif question.answer is Answer.LIST:
        found = next((target for value in wanted if (target := _list_target(prompt, question, value, now))), None)
    else:
        if span is not None:
            place = trimmed(prompt, *span)
            found = Target(spans=(place,)) if place[0] < place[1] else None
        found = found or next((t for value in wanted if (t := _word_target(prompt, question, value, now))), None)
    if found is not None:
        return found
    return ABSENT if optional or not wanted else UNKNOWN


def _list_target(prompt: str, question: Question, value: Any, now: datetime | None) -> Target | None:
    if not isinstance(value, list) or not value:
        return None
    items = question.schema.get("items")
    schema = items if isinstance(items, Mapping) else {"type": "string"}
    flat = [each for item in value for each in (item if isinstance(item, list) else [item])]
    places: list[tuple[int, int]] = []
    at = 0
    for item in flat:
        place = _literal_place(prompt, item, at) or _literal_place(prompt, item, 0)
        if place is None:
            return None
        places.append(place)
        at = place[1]
    if schema.get("type") in ("array", "object"):
        start, end = min(places)[0], max(places)[1]
        opening, closing = prompt.rfind("[[", 0, start + 1), prompt.find("]]", end - 1)
        return Target(spans=((opening, closing + 2),)) if opening >= 0 and closing >= 0 else None
    return Target(spans=merged(sorted(set(places)), prompt, question))


def _literal_place(prompt: str, value: Any, start: int) -> tuple[int, int] | None:
    if isinstance(value, bool) or value in ("", None):
        return None
    if isinstance(value, int | float):
        for match in _FIGURES.finditer(prompt, start):
            try:
                if abs(float(match[0].replace(",", "").replace("−", "-")) - value) < 1e-9:
                    return match.span()
            except ValueError:
                continue
        for mention in find_numbers(prompt, words_of(prompt)):
            if mention.start >= start and mention.value == value:
                return mention.start, mention.end
        return None
    return _place_of_text(prompt, str(value), start)


def _place_of_text(prompt: str, value: str, start: int = 0) -> tuple[int, int] | None:
    """Return where a text stands in a prompt, ignoring case and the signs that the scoring ignores."""
    wanted = _plain(value)
    if not wanted:
        return None
    kept = [(character.lower(), at) for at, character in enumerate(prompt) if at >= start and _plain(character)]
    text = "".join(character for character, _ in kept)
    if len(text) != len(kept):
        return None
    at = 0
    while (at := text.find(wanted, at)) >= 0:
        first, last = kept[at][1], kept[at + len(wanted) - 1][1]
        whole = (first == 0 or not prompt[first - 1].isalnum()) and (
            last + 1 == len(prompt) or not prompt[last + 1].isalnum() or not prompt[last].isalnum()
        )
        if whole:
            return first, last + 1
        at += 1
    return None


def _plain(text: str) -> str:
    return re.sub(r"[\s,./\-_*^'\"]", "", text).lower()


def _word_target(prompt: str, question: Question, value: Any, now: datetime | None) -> Target | None:
    if isinstance(value, str):
        place = _place_of_text(prompt, value) or _place_of_converted_text(prompt, value, question.schema, now)
        return Target(spans=(trimmed(prompt, *place),)) if place else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        place = _literal_place(prompt, value, 0) or _place_of_converted_number(prompt, value, question.schema)
        return Target(spans=(place,)) if place else None
    return None


def _place_of_converted_text(
    prompt: str, value: str, schema: Mapping[str, Any], now: datetime | None
) -> tuple[int, int] | None:
    """Return the place of words that turn into a text: "Boston" for "Boston, MA", "tomorrow" for a date."""
    if ", " in value:
        city = _place_of_text(prompt, value.split(",")[0])
        if city is not None and value_of(prompt, *city, schema, now) is not None:
            return city
    for mention in find_moments(prompt, now or datetime(2000, 1, 1, tzinfo=UTC)):
        if _same(value_of(prompt, mention.start, mention.end, schema, now), value):
            return mention.start, mention.end
    return None


def _place_of_converted_number(prompt: str, value: float, schema: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the place of words that turn into a number: "half an hour" for 30 minutes."""
    words = words_of(prompt)
    for at in range(len(words)):
        for last in range(at, min(at + _MOST_WORDS_OF_A_NUMBER, len(words))):
            start, end = words[at].start, words[last].end
            if number_in(prompt[start:end], prompt[:start], prompt[end : end + 30], schema) == value:
                return start, end
    return None


def _same(one: Any, other: str) -> bool:
    return isinstance(one, str) and _plain(one) == _plain(other)
