"""Prompts with the function and arguments they ask for, from all sources in one shape."""

import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from service_server.predict.mentions import find_moments, find_numbers
from service_server.predict.reader.numbers import number_in
from service_server.predict.reader.questions import Answer, Question, questions_of
from service_server.predict.reader.values import trimmed, value_of
from service_server.predict.words import words_of
from training.corpus import Group, read_corpus

_MOST_WORDS_OF_A_VALUE = 12
_BFCL_HELD_OUT, _CORPUS_HELD_OUT = 0.3, 0.08
_FIGURES = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?")


@frozen
class Target:
    """
    The right answer to one question: `spans` of the prompt, places of `options`, or a `truth`; nothing of these = not there.

    Options and truths may have spans as well: the words that say so.

    `known` is false where the data doesn't say which words the value came from: such a question teaches nothing.
    """

    spans: tuple[tuple[int, int], ...] = ()
    options: tuple[int, ...] = ()
    truth: bool | None = None
    known: bool = True


UNKNOWN = Target(known=False)
ABSENT = Target()


@frozen(kw_only=True)
class Call:
    """
    A prompt and the function it asks for (None: none of `others`); `others` are functions it does not ask for.

    `targets` go with `questions_of(function["parameters"])`; None where the data has no arguments.
    """

    source: str
    prompt: str
    function: dict[str, Any] | None
    others: tuple[dict[str, Any], ...] = ()
    targets: tuple[Target, ...] | None = None
    now: datetime | None = None
    key: str = ""
    dev_case: str | None = None


def corpus_calls(files: Iterable[Path]) -> Iterator[Call]:
    """Yield the calls of the corpus; the other functions of its group are those a prompt does not ask for."""
    for group in read_corpus(files):
        yield from _group_calls(group)


def _group_calls(group: Group) -> Iterator[Call]:
    functions = {function["name"]: function for function in group.functions}
    for prompt in group.prompts:
        function = functions.get(prompt.function or "")
        targets = None
        if function is not None:
            marked: dict[str, list[Any]] = defaultdict(list)
            for span in prompt.spans:
                marked[span.parameter].append(span)
            targets = tuple(
                _marked(question, marked.get(".".join(question.path), []), prompt.text)
                for question in questions_of(function["parameters"])
            )
        yield Call(
            source="corpus",
            prompt=prompt.text,
            function=function,
            others=tuple(each for name, each in functions.items() if name != prompt.function),
            targets=targets,
            now=datetime.fromisoformat(prompt.now).replace(tzinfo=UTC) if prompt.now else None,
            key=f"corpus:{group.title}",
        )


def _marked(question: Question, spans: Sequence[Any], prompt: str) -> Target:
    if not spans:
        return ABSENT
    places = [trimmed(prompt, span.start, span.end) for span in spans if span.start < span.end]
    if question.answer is Answer.BOOLEAN:
        return Target(truth=spans[0].value, spans=tuple(places[:1]))
    if question.options:
        chosen = tuple(sorted({question.options.index(span.value) for span in spans}))
        return Target(
            options=chosen, spans=tuple(sorted(places)[:1] if question.answer is Answer.OPTION else sorted(places))
        )
    if not places:
        return UNKNOWN
    if question.answer is Answer.LIST:
        return Target(spans=_merged(sorted(places), prompt, question))
    return Target(spans=(places[0],))


def _merged(places: list[tuple[int, int]], prompt: str, question: Question) -> tuple[tuple[int, int], ...]:
    """Join the items of a list of numbers that stand side by side: their region is cut into numbers afterwards."""
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


def data_calls(directory: Path) -> Iterator[Call]:
    """Yield the calls of a folder of gzipped JSON lines."""
    metatool = {}
    catalogues = {}
    for name in ("bfcl", "metatool"):
        file = directory.parent / "dev" / name / "catalogue.jsonl"
        functions = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        catalogues[name] = {function["name"]: function for function in functions}
    metatool = catalogues["metatool"]
    for file in sorted(directory.glob("*.jsonl.gz")):
        for line in gzip.open(file, "rt"):
            row = json.loads(line)
            function = row["function"]
            if isinstance(function, str):
                function = metatool.get(function)
                if function is None:
                    continue
            names = row.get("candidates") or ()
            others = tuple(
                catalogues["bfcl"][name]
                for name in names
                if name in catalogues["bfcl"] and (function is None or name != function["name"])
            )
            now = datetime.fromisoformat(row["now"]).replace(tzinfo=UTC) if row.get("now") else None
            call = Call(
                source=row["source"],
                prompt=row["prompt"],
                function=function,
                others=others,
                now=now,
                key=_key(row, function, names),
                dev_case=row.get("dev_case"),
            )
            if function is not None and row.get("arguments") is not None:
                call = evolve(call, targets=targets_of(row, function, now))
            yield call


def _key(row: Mapping[str, Any], function: Mapping[str, Any] | None, names: Sequence[str]) -> str:
    """Return what a line shares with its like: the function without the number that tells its copies apart."""
    name = function["name"] if function else (names[0] if names else row["prompt"])
    return f"{row['source'].partition('-')[0]}:{re.sub(r'(-[0-9]+)+$', '', name)}"


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
    return Target(spans=_merged(sorted(set(places)), prompt, question))


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
    """Return where a text stands in a prompt, not minding case and the signs that the scoring ignores."""
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
    schema = question.schema
    if isinstance(value, str):
        place = _place_of_text(prompt, value)
        if place is None and ", " in value:  # "Boston" for "Boston, MA"
            city = _place_of_text(prompt, value.split(",")[0])
            if city is not None and value_of(prompt, *city, schema, now) is not None:
                place = city
        if place is None:
            for mention in find_moments(prompt, now or datetime(2000, 1, 1, tzinfo=UTC)):
                if _same(value_of(prompt, mention.start, mention.end, schema, now), value):
                    place = (mention.start, mention.end)
                    break
        return Target(spans=(trimmed(prompt, *place),)) if place else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        place = _literal_place(prompt, value, 0)
        if place is None:
            words = words_of(prompt)
            for at in range(len(words)):
                for length in (1, 2, 3, 4):
                    if at + length > len(words):
                        break
                    start, end = words[at].start, words[at + length - 1].end
                    if number_in(prompt[start:end], prompt[:start], prompt[end : end + 30], schema) == value:
                        return Target(spans=((start, end),))
        return Target(spans=(place,)) if place else None
    return None


def _same(one: Any, other: str) -> bool:
    return isinstance(one, str) and _plain(one) == _plain(other)


def all_calls(data: Path | None) -> list[Call]:
    """Return the calls of the corpus, of the shipped connectors, and of a folder of data where there is one."""
    from training.connectors import connector_calls  # which needs what stands above

    corpus = corpus_calls(sorted((Path(__file__).parent / "corpus").glob("*.txt")))
    return [*(data_calls(data) if data is not None else ()), *corpus, *connector_calls()]


def for_training(call: Call) -> bool:
    """Whether a call is trained on: what scores are measured on is not, nor what the confidence is calibrated on."""
    if call.source == "corpus":
        return not for_calibration(call)
    if call.dev_case is None:
        return True
    # Part of BFCL's development half is trained on, whole functions at a time; of the other sets nothing that is scored.
    return call.source.startswith("bfcl") and not held_out(call.key, _BFCL_HELD_OUT)


def for_calibration(call: Call) -> bool:
    """Whether a call is kept for calibrating the confidence."""
    return call.source == "corpus" and held_out(call.key, _CORPUS_HELD_OUT)


def held_out(key: str, share: float) -> bool:
    """Whether a group of calls is kept from training, by a hash so that it is the same everywhere."""
    number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")
    return number / 2**32 < share
