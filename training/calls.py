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

from service_server.predict.reader.questions import Answer, Question, questions_of
from service_server.predict.reader.values import trimmed
from training.alignment import ABSENT, UNKNOWN, Target, merged, targets_of
from training.corpus import Group, read_corpus
from training.shipped import functions_of_app

_CORPUS = ("corpus", "everyday")
_BFCL_HELD_OUT, _CORPUS_HELD_OUT = 0.3, 0.08


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

    @property
    def asked(self) -> dict[str, Any]:
        """The function it asks for; a ValueError where it asks for none."""
        if self.function is None:
            raise ValueError(f"{self.prompt!r} asks for no function")
        return self.function

    @property
    def questions(self) -> tuple[tuple[Question, Target], ...]:
        """The questions about its arguments with their answers; none where the data has no arguments."""
        if self.targets is None:
            return ()
        return tuple(zip(questions_of(self.asked["parameters"]), self.targets, strict=True))


def corpus_calls(files: Iterable[Path]) -> Iterator[Call]:
    """
    Yield the calls of the corpus; the other functions of its group are those a prompt does not ask for.

    What asks for a shipped function doesn't ask for any other of its app either.
    """
    for group in read_corpus(files):
        yield from _group_calls(group)


def _group_calls(group: Group) -> Iterator[Call]:
    own = {function["name"]: function for function in group.functions}
    of_apps = {function["name"]: function for app in sorted(group.apps) for function in functions_of_app(app)}
    source = "everyday" if group.apps else "corpus"
    for prompt in group.prompts:
        function = own.get(prompt.function or "")
        others = own if function is None else own | of_apps
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
            source=source,
            prompt=prompt.text,
            function=function,
            others=tuple(each for name, each in others.items() if name != prompt.function),
            targets=targets,
            now=datetime.fromisoformat(prompt.now).replace(tzinfo=UTC) if prompt.now else None,
            # Groups are held out whole; prompts for shipped functions, which the service also knows, one by one.
            key=f"{source}:{prompt.text if group.apps else group.title}",
        )


def _marked(question: Question, spans: Sequence[Any], prompt: str) -> Target:
    if not spans:
        return ABSENT
    trimmed_spans = (trimmed(prompt, span.start, span.end) for span in spans)
    places = [place for place in trimmed_spans if place[0] < place[1]]
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
        return Target(spans=merged(sorted(places), prompt, question))
    return Target(spans=(places[0],))


def data_calls(directory: Path) -> Iterator[Call]:
    """Yield the calls of a folder of gzipped JSON lines."""
    catalogues = {}
    for name in ("bfcl", "metatool"):
        file = directory.parent / "dev" / name / "catalogue.jsonl"
        functions = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        catalogues[name] = {function["name"]: function for function in functions}
    metatool = catalogues["metatool"]
    for file in sorted(directory.glob("*.jsonl.gz")):
        for line in gzip.decompress(file.read_bytes()).decode().splitlines():
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
    """Return what a line shares with its copies: the function's name without the number that sets them apart."""
    name = function["name"] if function else (names[0] if names else row["prompt"])
    return f"{row['source'].partition('-')[0]}:{re.sub(r'(-[0-9]+)+$', '', name)}"


def all_calls(data: Path | None) -> list[Call]:
    """Return the calls of the corpus, of the shipped connectors, and of a folder of data where there is one."""
    from training.connectors import connector_calls  # it needs what is defined above

    corpus = corpus_calls(sorted((Path(__file__).parent / "corpus").glob("*.txt")))
    return [*(data_calls(data) if data is not None else ()), *corpus, *connector_calls()]


def for_training(call: Call) -> bool:
    """Whether a call is trained on; those for measuring scores or calibrating the confidence are not."""
    if call.source in _CORPUS:
        return not for_calibration(call)
    if call.dev_case is None:
        return True
    # Part of BFCL's development half is trained on, whole functions at a time; of other sets, nothing that is scored.
    return call.source.startswith("bfcl") and not held_out(call.key, _BFCL_HELD_OUT)


def for_calibration(call: Call) -> bool:
    """Whether a call is kept for calibrating the confidence."""
    return call.source in _CORPUS and held_out(call.key, _CORPUS_HELD_OUT)


def held_out(key: str, share: float) -> bool:
    """Whether a group of calls is kept from training; decided by a hash, so that it is the same everywhere."""
    number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")
    return number / 2**32 < share
