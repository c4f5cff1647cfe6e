"""How much the words that functions share with a prompt say of them (BM25)."""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

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
        self._holders = np.array(holders, np.uint32)[order]
        sorted_weights = np.array(weights)[order]
        self._scores = sorted_weights * (_SATURATION + 1) / (sorted_weights + damping[self._holders])
        counts = np.bincount(numbers, minlength=len(self._numbers))
        self._ends = array("I", np.cumsum(counts).tolist())
        self._rarities = array("d", self._rarity_of(counts).tolist())
        self._rarity_of_none = float(self._rarity_of(np.zeros(1))[0])

    def scores(self, terms: Iterable[tuple[str, float]]) -> NDArray[np.float64]:
        """Return how much some stems say of each function; each comes with how much it counts."""
        found = np.zeros(self._functions)
        for stem, weight in terms:
            first, end = self._place(stem)
            found[self._holders[first:end]] += weight * self._scores[first:end] * self.rarity(stem)
        return found

    def rarity(self, stem: str) -> float:
        """Return how much a word says, by how few functions have it."""
        number = self._numbers.get(stem)
        return self._rarity_of_none if number is None else self._rarities[number]

    def having(self, stems: Iterable[str]) -> bytearray:
        """Return for each place whether the function there has one of some words."""
        found = bytearray(self._functions)
        marks = np.frombuffer(found, np.uint8)
        for stem in stems:
            first, end = self._place(stem)
            marks[self._holders[first:end]] = 1
        return found

    def _rarity_of(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        return np.log(1 + (self._functions + _UNSEEN_FUNCTIONS - counts + 0.5) / (counts + 0.5))

    def _place(self, stem: str) -> tuple[int, int]:
        number = self._numbers.get(stem)
        if number is None:
            return 0, 0
        return self._ends[number - 1] if number else 0, self._ends[number]
