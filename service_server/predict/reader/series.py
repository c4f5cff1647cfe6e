"""Values that stand side by side for arguments alike: "the greatest divisor of 36 and 24", "move it to 2, 3, 4"."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.reader.questions import Answer, Question

Place = tuple[int, int]

_NUMBER = r"-?\d+(?:\.\d+)?(?: ?(?!(?:and|or|to|for|in|at|of|on|by|is)\b)[a-zA-Z%°]{1,3}\b)?"
_RUN_OF_NUMBERS = re.compile(rf"(?<![\w.,-]){_NUMBER}(?:(?:, ?and |, ?| and | & ){_NUMBER})+(?![\w.]\d)")
_ONE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BRACKETS = re.compile(r"\[[^\[\]]{1,400}\]")
_PARTS = re.compile(r"[A-Za-z]+?(?=[A-Z\d_\W]|$)|\d+")
_PLACES_IN_ORDER = {
    **{word: at for at, word in enumerate(("first", "second", "third", "fourth"))},
    **{letter: at for letters in ("abcd", "xyz") for at, letter in enumerate(letters)},
}


def series_in(prompt: str, questions: Sequence[Question]) -> dict[tuple[str, ...], Place]:
    """
    Return for the paths of required arguments that are numbered alike where their values stand, in this order.

    That is known only where the prompt has one series of just as many numbers (or lists in brackets) and no others.
    """
    places: dict[tuple[str, ...], Place] = {}
    for alike in _numbered_alike(questions):
        if alike[0].answer is Answer.LIST:
            runs = [[match.span() for match in _BRACKETS.finditer(prompt)]]
        else:
            runs = [_numbers_in(match[0], match.start()) for match in _RUN_OF_NUMBERS.finditer(prompt)]
            runs = runs if len(runs) == 1 and len(_numbers_in(prompt, 0)) == len(runs[0]) else []
        if len(runs) == 1 and len(runs[0]) == len(alike):
            places |= {question.path: place for question, place in zip(alike, runs[0], strict=True)}
    return places


def _numbers_in(text: str, start: int) -> list[Place]:
    return [(start + match.start(), start + match.end()) for match in _ONE_NUMBER.finditer(text)]


def _numbered_alike(questions: Sequence[Question]) -> list[list[Question]]:
    """Return the required arguments that differ by a number, a letter or an ordinal only, each in that order."""
    groups: dict[tuple[Any, ...], list[tuple[int, Question]]] = defaultdict(list)
    for question in questions:
        if not question.required or not _is_number_or_list(question):
            continue
        words = [part.casefold() for part in _PARTS.findall(question.path[-1])]
        for at, word in enumerate(words):
            place = int(word) if word.isdigit() and len(word) < 3 else _PLACES_IN_ORDER.get(word)
            if place is not None:
                groups[(question.path[:-1], question.answer, *words[:at], None, *words[at + 1 :])].append(
                    (place, question)
                )
                break
    found = []
    for members in groups.values():
        members.sort(key=lambda member: member[0])
        if len(members) > 1 and [place - members[0][0] for place, _ in members] == list(range(len(members))):
            found.append([question for _, question in members])
    return found


def _is_number_or_list(question: Question) -> bool:
    if question.answer is Answer.LIST:
        items = question.schema.get("items")
        return isinstance(items, Mapping) and items.get("type") in ("number", "integer")
    return question.answer is Answer.WORDS and question.schema.get("type") in ("number", "integer")
