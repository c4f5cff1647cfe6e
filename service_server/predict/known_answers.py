"""What people are known to mean by what they say as a whole: which option of an argument, or whether they say it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_server.predict.reader.answers import Odds
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.shipped_arrays import shipped_arrays

NOTHING = ""
"""Stands where an option stands, for prompts that don't say the argument."""

_STRENGTH = 4.0
_STRENGTH_OF_NOTHING = 2.0  # what isn't said here may well be said in words that are not known
# Where words are asked for, nothing else speaks against what the reader finds, or for it.
_STRENGTH_OF_SILENCE = 3.0
_AS_LIKELY_AS_NOT = 0.55

Array = NDArray[np.float32]


@frozen(kw_only=True, eq=False)
class Answers:
    """
    For arguments of some functions one vector an answer, whose product with a prompt's tells how likely it is meant.

    Of arguments that take words there is one for nothing alone.
    `functions`, `arguments` (the names on the way to each, with dots between them) and `answers` (`answer_text`) say
    what each of the `vectors` [answers, 384] stands for; they are in a byte a figure, to be multiplied with their
    `scales`, and the `biases` are added: 1 for what is surely meant, 0 for what surely isn't.
    """

    functions: Sequence[str]
    arguments: Sequence[str]
    answers: Sequence[str]
    vectors: NDArray[np.int8]
    scales: Array
    biases: Array


class KnownAnswers:
    """The known answers to the questions of one function."""

    def __init__(self, weights: Mapping[tuple[str, ...], Array]) -> None:
        """Take for each path an array [options and nothing, 385] of weights and biases."""
        self._weights = weights

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self._weights)

    def odds(self, prompt: Array) -> Odds:
        """Return what is to be added to the log-odds of each option, and of nothing, by a prompt's vector."""
        return {path: own[:, :-1] @ prompt + own[:, -1] for path, own in self._weights.items()}


class KnownAnswersOfAll:
    """The known answers of many functions."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(answers.functions):
            self._places[name].append(place)

    def of(self, function: str, questions: Sequence[Question]) -> KnownAnswers:
        """Return what is known of a function's questions; options that nobody is known to have meant have no odds."""
        known = self._answers
        places = {(known.arguments[at], known.answers[at]): at for at in self._places.get(function, ())}
        weights = {}
        for question in questions:
            answers = answer_texts(question)
            argument = ".".join(question.path)
            rows = {row: at for row, answer in enumerate(answers) if (at := places.get((argument, answer))) is not None}
            if not rows:
                continue
            own = np.zeros((len(answers), known.vectors.shape[1] + 1), np.float32)
            for row, at in rows.items():
                own[row] = np.append(known.vectors[at] * known.scales[at], known.biases[at])
            if len(answers) > 1:
                own *= np.array([*[_STRENGTH] * (len(answers) - 1), _STRENGTH_OF_NOTHING], np.float32)[:, None]
            else:
                own[0, -1] -= _AS_LIKELY_AS_NOT
                own *= _STRENGTH_OF_SILENCE
            weights[question.path] = own
        return KnownAnswers(weights)


def answer_texts(question: Question) -> tuple[str, ...]:
    """Return what stands for each answer to a question, and for nothing at the end; only that where it is words."""
    if question.answer is Answer.BOOLEAN:
        return "true", "false", NOTHING
    return () if question.answer is Answer.LIST else (*map(str, question.options), NOTHING)


def shipped_answers() -> Answers:
    """Return the known answers for shipped functions, which come with the weights (`training/answers.py`)."""
    arrays = shipped_arrays("answers.npz")
    return Answers(
        functions=arrays["functions"].tolist(),
        arguments=arrays["arguments"].tolist(),
        answers=arrays["answers"].tolist(),
        vectors=arrays["vectors"],
        scales=arrays["scales"],
        biases=arrays["biases"],
    )
