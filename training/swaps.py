"""Put other values into prompts, so that training teaches where a value stands and not which values there are."""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve

from service_server.predict.reader.questions import Answer
from training.calls import Call

_SHARE = 0.35
_LONGEST = 40
_FIGURE = re.compile(r"\d+")


class Swaps:
    """Replaces the words of arguments with those of other prompts whose argument has the same name."""

    def __init__(self, calls: Sequence[Call], rng: random.Random) -> None:
        self._random = rng
        self._words: dict[str, list[str]] = defaultdict(list)
        for call in calls:
            for question, target in call.questions:
                if question.answer is Answer.WORDS and len(target.spans) == 1:
                    words = call.prompt[slice(*target.spans[0])]
                    if question.schema.get("type") == "string" and len(words) <= _LONGEST:
                        self._words[question.name].append(words)

    def swapped(self, call: Call) -> Call:
        """Return a call, often with other values."""
        if call.targets is None or self._random.random() > _SHARE:
            return call
        changes: list[tuple[int, int, str]] = []
        for question, target in call.questions:
            if question.answer is not Answer.WORDS or len(target.spans) != 1 or target.options:
                continue
            start, end = target.spans[0]
            words = self._other(question.name, str(question.schema.get("type")), call.prompt[start:end])
            if words is not None:
                changes.append((start, end, words))
        spans = sorted(span for target in call.targets for span in target.spans)
        if not changes or any(one[1] > two[0] for one, two in pairwise(spans)):
            return call
        return _changed(call, sorted(changes))

    def _other(self, name: str, kind: str, words: str) -> str | None:
        if kind == "number":
            figures = _FIGURE.fullmatch(words)
            if figures is None:
                return None
            size = len(words)
            return str(self._random.randint(0 if size == 1 else 10 ** (size - 1), 10**size - 1))
        pool = self._words[name]
        return self._random.choice(pool) if len(pool) > 4 and len(words) <= _LONGEST else None


def _changed(call: Call, changes: Sequence[tuple[int, int, str]]) -> Call:
    prompt, at = "", 0
    moved: list[tuple[int, int]] = []  # (old place behind a change, how far the text behind it has moved)
    new: dict[tuple[int, int], tuple[int, int]] = {}
    for start, end, words in changes:
        prompt += call.prompt[at:start]
        new[(start, end)] = (len(prompt), len(prompt) + len(words))
        prompt += words
        moved.append((end, len(prompt) - end))
        at = end
    prompt += call.prompt[at:]

    def shifted(span: tuple[int, int]) -> tuple[int, int]:
        if span in new:
            return new[span]
        by = next((shift for end, shift in reversed(moved) if end <= span[0]), 0)
        return span[0] + by, span[1] + by

    targets = tuple(
        evolve(target, spans=tuple(shifted(span) for span in target.spans)) if target.spans else target
        for target in call.targets or ()
    )
    return evolve(call, prompt=prompt, targets=targets)
