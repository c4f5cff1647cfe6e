"""Lay questions and a prompt out as one sequence for the encoder."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from attrs import frozen

from service_server.predict.encoder.wordpiece import Piece, WordPieces
from service_server.predict.reader.questions import Question

# Pieces of the vocabulary that BERT left unused; here they mark each question, each option and the other names.
QUESTION_MARK, OPTION_MARK, OTHERS_MARK = "[unused0]", "[unused1]", "[unused2]"
MARKS = 3

LONGEST_SHEET = 384
_LONGEST_HEADING = 24
_LONGEST_QUESTION = 48
_LONGEST_OPTION = 8
_MOST_OPTIONS = 24
_LONGEST_OTHERS = 20
_LONGEST_TEXT = 64
_LONGEST_FIT_HEADING = 48
# The more questions a function has, the more share a sheet. One each would take half as long again and finds as much.
_QUESTIONS_A_SHEET = ((1, 1), (4, 2))
_MOST_QUESTIONS = 3
_LONGEST_QUESTIONS = 160
_MOST_TEXTS = 4096


@frozen
class Sheet:
    """
    One sequence for the encoder: `ids` and `segments` of its pieces.

    `marks[i]` is the place of question i; `option_marks[i]` are the places of its options, in the order of `offered[i]`
    (indexes into the question's options). The prompt's pieces begin at `prompt_start` and stand for `pieces` of it.
    """

    ids: list[int]
    segments: list[int]
    questions: tuple[Question, ...]
    marks: tuple[int, ...]
    option_marks: tuple[tuple[int, ...], ...]
    offered: tuple[tuple[int, ...], ...]
    prompt_start: int
    pieces: Sequence[Piece]

    @property
    def answering(self) -> list[int]:
        """The places whose states answer the questions: marks, then the prompt's pieces, then the options' marks."""
        prompt = range(self.prompt_start, self.prompt_start + len(self.pieces))
        return [*self.marks, *prompt, *chain.from_iterable(self.option_marks)]


class SheetLayout:
    """Makes sheets with the pieces of one vocabulary."""

    def __init__(self, words: WordPieces) -> None:
        self._words = words
        self._ids = lru_cache(_MOST_TEXTS)(words.ids)  # of functions and their questions, which are few
        self._begin, self._separator = words.special("[CLS]"), words.special("[SEP]")
        self._question, self._option = words.special(QUESTION_MARK), words.special(OPTION_MARK)
        self._others = words.special(OTHERS_MARK)

    def text(self, text: str) -> Sheet:
        """Return a sheet with nothing but a text, for a vector that says what the text is about."""
        ids = [self._begin, *self._words.ids(text)[:_LONGEST_TEXT], self._separator]
        return Sheet(ids, [0] * len(ids), (), (), (), (), len(ids), ())

    def pairs(self, heading: str, parameters: Sequence[str], prompt: Sequence[Piece]) -> Sheet:
        """Return a sheet that only asks whether a function serves a prompt; `parameters` are its arguments' names."""
        ids = [self._begin, *self._ids(heading)[:_LONGEST_FIT_HEADING]]
        if parameters:
            ids += [self._others, *self._ids(", ".join(parameters))[:_LONGEST_OTHERS]]
        return self._with_prompt(ids, prompt, (), (), (), ())

    def sheets(self, heading: str, questions: Sequence[Question], prompt: Sequence[Piece]) -> Iterator[Sheet]:
        """Yield sheets that ask all the questions, a few on each."""
        lengths = [self._question_ids(question, prompt) for question in questions]
        most = next((each for count, each in _QUESTIONS_A_SHEET if len(questions) <= count), _MOST_QUESTIONS)
        first = 0
        while first < len(questions):
            last, total = first, 0
            while last < len(questions) and last - first < most:
                total += len(lengths[last][0])
                if last > first and total > _LONGEST_QUESTIONS:
                    break
                last += 1
            yield self.sheet(heading, questions, range(first, last), prompt)
            first = last

    def sheet(
        self, heading: str, questions: Sequence[Question], asked: Sequence[int], prompt: Sequence[Piece]
    ) -> Sheet:
        """Return a sheet that asks the questions at some places and only names the others."""
        ids = [self._begin, *self._ids(heading)[:_LONGEST_HEADING]]
        marks, option_marks, offered = [], [], []
        for at in asked:
            marks.append(len(ids))
            own, options, chosen = self._question_ids(questions[at], prompt)
            option_marks.append(tuple(len(ids) + place for place in options))
            offered.append(chosen)
            ids += own
        others = [question.name for at, question in enumerate(questions) if at not in asked]
        if others:
            ids += [self._others, *self._ids(", ".join(others))[:_LONGEST_OTHERS]]
        chosen_questions = tuple(questions[at] for at in asked)
        return self._with_prompt(ids, prompt, chosen_questions, tuple(marks), tuple(option_marks), tuple(offered))

    def _question_ids(
        self, question: Question, prompt: Sequence[Piece]
    ) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
        ids = [self._question, *self._ids(question.text)[:_LONGEST_QUESTION]]
        places = []
        offered = _closest_options(question, self._words, prompt)
        for at in offered:
            places.append(len(ids))
            ids += [self._option, *self._ids(question.shown[at])[:_LONGEST_OPTION]]
        return ids, tuple(places), offered

    def _with_prompt(
        self,
        ids: list[int],
        prompt: Sequence[Piece],
        questions: tuple[Question, ...],
        marks: tuple[int, ...],
        option_marks: tuple[tuple[int, ...], ...],
        offered: tuple[tuple[int, ...], ...],
    ) -> Sheet:
        ids = [*ids, self._separator]
        start = len(ids)
        pieces = prompt[: max(0, LONGEST_SHEET - start - 1)]
        ids = [*ids, *(piece.id for piece in pieces), self._separator]
        segments = [0] * start + [1] * (len(ids) - start)
        return Sheet(ids, segments, questions, marks, option_marks, offered, start, pieces)


def _closest_options(question: Question, words: WordPieces, prompt: Sequence[Piece]) -> tuple[int, ...]:
    """Return the places of the options to offer: all or, of very many, those that share most with the prompt."""
    if len(question.options) <= _MOST_OPTIONS:
        return tuple(range(len(question.options)))
    said = {piece.id for piece in prompt}
    shared = []
    for at, option in enumerate(question.shown):
        own = words.ids(option)
        shared.append((-sum(number in said for number in own) / (len(own) or 1), at))
    return tuple(sorted(at for _, at in sorted(shared)[:_MOST_OPTIONS]))
