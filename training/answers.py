"""The vectors by which the service knows which option people mean, learnt from the prompts that mean each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from service_server.predict.known_answers import NOTHING, Answers, answer_texts
from service_server.predict.reader.questions import Answer, Question, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.shipped_arrays import in_bytes
from training.alignment import UNKNOWN, Target
from training.calls import Call
from training.shipped import shipped_functions

_FEWEST_PROMPTS = 3
_SAID = "\0"  # what words say, whatever they are: no option is called so
_RIDGE = 0.3
"""How much a prompt that is like no other counts: of vectors of length one, a third less than it says."""


def known_answers(calls: Iterable[Call], reader: Reader) -> Answers:
    """Return what the prompts for shipped functions teach of their arguments: what is meant, and what isn't said."""
    shipped = shipped_functions()
    asked = {name: _asked(own.function["parameters"]) for name, own in shipped.items()}
    said: dict[tuple[str, str], list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for call in calls:
        name = "" if call.function is None else call.function["name"]
        for question, target in call.questions:
            argument = ".".join(question.path)
            # The corpus also knows functions as they once were.
            if asked.get(name, {}).get(argument) is question.answer and target is not UNKNOWN:
                said[name, argument].append((call.prompt, _answers(question, target)))
    known = {key: own for key, own in said.items() if len(own) >= _FEWEST_PROMPTS}
    prompts = list(dict.fromkeys(prompt for own in known.values() for prompt, _ in own))
    vector_of = dict(zip(prompts, reader.vectors(prompts), strict=True))
    rows = [
        (*key, answer, weights, bias)
        for key, own in sorted(known.items())
        for answer, weights, bias in _learnt(
            np.stack([vector_of[prompt] for prompt, _ in own]), [answers for _, answers in own]
        )
        if answer != _SAID
    ]
    functions, arguments, answers, weights, biases = zip(*rows, strict=True)
    vectors, scales = zip(*map(in_bytes, weights), strict=True)
    return Answers(
        functions=functions,
        arguments=arguments,
        answers=answers,
        vectors=np.stack(vectors),
        scales=np.array(scales, np.float32),
        biases=np.array(biases, np.float32),
    )


def save_answers(answers: Answers, file: Path) -> None:
    """Write them as `known_answers.shipped_answers` reads them."""
    np.savez_compressed(
        file,
        allow_pickle=False,
        functions=np.array(answers.functions),
        arguments=np.array(answers.arguments),
        answers=np.array(answers.answers),
        vectors=answers.vectors,
        scales=answers.scales,
        biases=answers.biases,
    )


def _asked(parameters: Mapping[str, Any]) -> dict[str, Answer]:
    """Return what kind of answer each argument takes, of those whose answers can be known."""
    return {".".join(each.path): each.answer for each in questions_of(parameters) if answer_texts(each)}


def _answers(question: Question, target: Target) -> frozenset[str]:
    if target.truth is not None:
        return frozenset({str(target.truth).lower()})
    if target.spans and not question.options:
        return frozenset({_SAID})
    return frozenset(str(question.options[at]) for at in target.options) or frozenset({NOTHING})


def _learnt(vectors: np.ndarray, answers: list[frozenset[str]]) -> Iterable[tuple[str, np.ndarray, float]]:
    """Yield each answer with the weights and the bias that tell best which prompts mean it (ridge regression)."""
    mean = vectors.mean(axis=0)
    around = vectors - mean
    inverse = np.linalg.inv(around @ around.T + _RIDGE * np.eye(len(around)))
    for answer in sorted(frozenset({NOTHING}).union(*answers)):
        meant = np.array([answer in each for each in answers], np.float64)
        weights = around.T @ (inverse @ (meant - meant.mean()))
        yield answer, weights, float(meant.mean() - weights @ mean)
