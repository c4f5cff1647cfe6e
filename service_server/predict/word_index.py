"""How much the words that functions share with a prompt say of them (BM25)."""

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

# The usual parameters: how soon repetition stops counting, and how much long texts are held back.
_SATURATION = 1.2
_LENGTH = 0.6
# A small catalogue says little about how rare a word is in speech: count as if this many more functions lacked it.
_UNSEEN_FUNCTIONS = 200


class WordIndex:
    """
    The words of functions, built once; functions have places from 0 on.

    The functions of one word lie beside each other in `_holders`, in ascending order, with what the word says of each
    in `_scores`; those of word number n end at `_ends[n]`.
    """

    def __init__(self, texts: Iterable[Mapping[str, float]]) -> None:
        """Take the stems of each function's text, with their weights."""
        self._numbers: dict[str, int] = {}
        numbers, holders, weights, lengths = array("I"), array("I"), array("d"), array("d")
        for at, text in enumerate(texts):
            for stem, weight in text.items():
                numbers.append(self._numbers.setdefault(stem, len(self._numbers)))
                holders.append(at)
                weights.append(weight)
            lengths.append(sum(text.values()))
        self._functions = len(lengths)
        average = sum(lengths) / len(lengths) if lengths else 1.0
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * np.array(lengths) / (average or 1.0))
        order = np.argsort(np.array(numbers), kind="stable")
        self._holders = array("I", np.array(holders)[order].tobytes())
        sorted_weights = np.array(weights)[order]
        self._scores = sorted_weights * (_SATURATION + 1) / (sorted_weights + damping[np.array(self._holders)])
        self._ends = array("I", np.cumsum(np.bincount(numbers, minlength=len(self._numbers))).tolist())

    def scores(self, terms: Iterable[tuple[str, float]]) -> NDArray[np.float64]:
        """Return how much some stems say of each function; each comes with how much it counts."""
        found = np.zeros(self._functions)
        holders = np.frombuffer(self._holders, np.uint32) if self._holders else np.zeros(0, np.uint32)
        for stem, weight in terms:
            first, end = self._place(stem)
            found[holders[first:end]] += weight * self._scores[first:end] * self.rarity(stem)
        return found

    def rarity(self, stem: str) -> float:
        """Return how much a word says, by how few functions have it."""
        first, end = self._place(stem)
        count = end - first
        return math.log(1 + (self._functions + _UNSEEN_FUNCTIONS - count + 0.5) / (count + 0.5))

    def has(self, at: int, stem: str) -> bool:
        """Whether the function at a place has a word."""
        first, end = self._place(stem)
        place = bisect_left(self._holders, at, first, end)
        return place < end and self._holders[place] == at

    def _place(self, stem: str) -> tuple[int, int]:
        number = self._numbers.get(stem)
        if number is None:
            return 0, 0
        return self._ends[number - 1] if number else 0, self._ends[number]
