"""Read the answers to a sheet's questions from the encoder's states."""

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.sheets import Sheet

Array = NDArray[np.float32]
Odds = Mapping[tuple[str, ...], Array]
"""
What is known beside a prompt's words: for questions, by their paths, what is added to the log-odds of each answer.

The answers are a question's options, or true and false, and nothing at the end; only that where words are asked for.
"""

_LONGEST_SPAN = 120
_MOST_SPANS = 3


@frozen
class Span:
    """Words of the prompt, by their characters, and how likely they are an answer: 0 to 1."""

    start: int
    end: int
    confidence: float


@frozen
class Reply:
    """
    What the encoder answers to one question.

    `spans` are the words, likeliest first (for lists in the order of the prompt), `options` the places of the chosen
    options, `truth` the value of a boolean. `confidence` belongs to the likeliest answer; `absent` says how likely it
    is that the prompt has none.
    """

    question: Question
    spans: tuple[Span, ...]
    options: tuple[int, ...]
    truth: bool | None
    confidence: float
    absent: float


class Heads:
    """The small matrices that turn states into answers."""

    def __init__(self, heads: Mapping[str, Array]) -> None:
        self._heads = heads
        self._width = heads["option.weight"].shape[0]

    def fit(self, states: Array) -> float:
        """Return how well the function of a sheet fits its prompt, as log-odds; `states` [1, 384]: its first."""
        return float(self._linear("fit", states)[0, 0])

    def replies(self, sheet: Sheet, states: Array, known: Odds) -> list[Reply]:
        """
        Return the answers to the questions of a sheet, whose `answering` places have the `states` [places, 384].

        What is `known` beside counts with them.
        """
        marked = states[: len(sheet.marks)]
        words_end = len(sheet.marks) + len(sheet.pieces)
        asked = self._linear("question", marked).reshape(-1, 3, self._width)
        nothing = self._linear("nothing", marked)
        truths = self._linear("truth", marked)
        words = self._linear("word", states[len(sheet.marks) : words_end]).reshape(-1, 2, self._width)
        alone = self._linear("alone", states)
        said = alone[len(sheet.marks) : words_end]
        scale = self._width**-0.5
        starts = asked[:, 0] @ words[:, 0].T * scale + said[:, 0] - nothing[:, :1]
        ends = asked[:, 1] @ words[:, 1].T * scale + said[:, 1] - nothing[:, 1:2]
        replies = []
        first_option = words_end
        for at, question in enumerate(sheet.questions):
            odds = known.get(question.path)
            if odds is not None and question.answer is Answer.WORDS:
                starts[at], ends[at] = starts[at] - odds[-1], ends[at] - odds[-1]
            several = question.answer in (Answer.LIST, Answer.OPTIONS)
            spans = _spans(starts[at], ends[at], sheet, several=several)
            own = slice(first_option, first_option + len(sheet.offered[at]))
            first_option = own.stop
            if question.answer is Answer.BOOLEAN:
                truth = truths[at] if odds is None else truths[at] + odds[[2, 0, 1]]  # nothing stands first here
                replies.append(_boolean(question, truth, spans))
            elif question.options:
                scores = self._linear("option", states[own]) @ asked[at, 2] * scale + alone[own, 2] - nothing[at, 2]
                if odds is not None:
                    scores = scores + odds[list(sheet.offered[at])] - odds[-1]
                replies.append(_option(question, scores, sheet.offered[at], spans))
            else:
                best = max((span.confidence for span in spans), default=0.0)
                replies.append(Reply(question, spans, (), None, best, 1 - best))
        return replies

    def _linear(self, name: str, x: Array) -> Array:
        return x @ self._heads[f"{name}.weight"].T + self._heads[f"{name}.bias"]


def best_reply(replies: Sequence[Reply]) -> Reply:
    """Combine the answers that several parts of a prompt gave to one question."""
    best = min(replies, key=lambda reply: reply.absent)
    if len(replies) == 1 or best.question.answer is not Answer.LIST:
        return best
    spans = {(span.start, span.end): span for reply in replies for span in reply.spans}
    return evolve(best, spans=tuple(spans[place] for place in sorted(spans)))


def _boolean(question: Question, scores: Array, spans: tuple[Span, ...]) -> Reply:
    absent, true, false = (float(chance) for chance in _softmax(scores))
    confidence = max(true, false)
    return Reply(question, spans[:1], (), bool(true >= false) if confidence > absent else None, confidence, absent)


def _option(question: Question, scores: Array, offered: Sequence[int], spans: tuple[Span, ...]) -> Reply:
    if question.answer is Answer.OPTIONS:
        each = 1 / (1 + np.exp(-scores))
        chosen = tuple(place for place, chance in zip(offered, each, strict=True) if chance > 0.5)
        best = float(each.max(initial=0.0))
        return Reply(question, spans, chosen, None, best, 1 - best)
    chances = _softmax(np.append(scores, 0.0))
    place = int(chances[:-1].argmax())
    return Reply(question, spans[:1], (offered[place],), None, float(chances[place]), float(chances[-1]))


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float32)


def _spans(starts: Array, ends: Array, sheet: Sheet, *, several: bool) -> tuple[Span, ...]:
    if not len(starts):
        return ()
    return _several(starts, ends, sheet) if several else _single(starts, ends, sheet)


def _single(starts: Array, ends: Array, sheet: Sheet) -> tuple[Span, ...]:
    """Return the likeliest spans, best first; the chance is that of start and end together, compared with "nothing"."""
    start_chances, end_chances = _softmax(np.append(starts, 0.0)), _softmax(np.append(ends, 0.0))
    joint = np.outer(start_chances[:-1], end_chances[:-1])
    joint = np.triu(joint) * np.tri(len(joint), k=_LONGEST_SPAN, dtype=bool)
    found = []
    for _ in range(_MOST_SPANS):
        first, last = divmod(int(joint.argmax()), joint.shape[1])
        chance = float(np.sqrt(joint[first, last]))
        if chance < 0.02:
            break
        found.append(_span(sheet, first, last, chance))
        joint[first, last] = 0.0
    return tuple(found)


def _several(starts: Array, ends: Array, sheet: Sheet) -> tuple[Span, ...]:
    begun = [int(at) for at in np.flatnonzero(starts > 0)]
    found = []
    for number, first in enumerate(begun):
        limit = begun[number + 1] if number + 1 < len(begun) else min(len(ends), first + _LONGEST_SPAN)
        last = first + int(ends[first:limit].argmax())
        if ends[last] > -2:
            chance = 1 / (1 + np.exp(-(starts[first] + ends[last]) / 2))
            found.append(_span(sheet, first, last, float(chance)))
    return tuple(found)


def _span(sheet: Sheet, first: int, last: int, chance: float) -> Span:
    return Span(sheet.pieces[first].start, sheet.pieces[last].end, chance)
