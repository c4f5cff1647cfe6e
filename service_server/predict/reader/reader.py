"""The trained reader: whether functions fit a prompt, and which of its words answer their questions."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service_server.predict.encoder.session import EncoderSession
from service_server.predict.encoder.wordpiece import Piece, WordPieces
from service_server.predict.reader.answers import Heads, Reply, best_reply
from service_server.predict.reader.questions import Question
from service_server.predict.reader.sheets import Sheet, SheetLayout

# Sheets of like length go through the encoder together; more at once gain nothing and take memory.
_MOST_SHEETS = 8
_PIECES_FOR_FIT = 200
# A long prompt is read in parts that share some words, so that no value is cut.
_WINDOW, _OVERLAP = 200, 50
WIDTH = 384


class Reader:
    """Answers questions about prompts; it may be used from several threads."""

    def __init__(self, session: EncoderSession, words: WordPieces, heads: Heads) -> None:
        self._session = session
        self._words = words
        self._heads = heads
        self._layout = SheetLayout(words)
        self._pieces = lru_cache(64)(words.pieces)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return for each text a vector of length one [texts, 384]; like texts have a small angle between them."""
        sheets = [self._layout.text(text) for text in texts]
        vectors = np.zeros((len(sheets), WIDTH), np.float32)
        for places, states in self._encoded(sheets):
            for row, place in enumerate(places):
                mean = states[row, : len(sheets[place].ids)].mean(axis=0)
                vectors[place] = mean / np.linalg.norm(mean)
        return vectors

    def fits(self, prompt: str, functions: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.float32]:
        """Return for each function, given as its heading and the names of its arguments, how well it fits."""
        pieces = self._pieces(prompt)[:_PIECES_FOR_FIT]
        sheets = [self._layout.pairs(heading, names, pieces) for heading, names in functions]
        fits = np.zeros(len(sheets), np.float32)
        for places, states in self._encoded(sheets):
            fits[places] = self._heads.fit(states)
        return fits

    def replies(self, prompt: str, heading: str, questions: Sequence[Question]) -> list[Reply]:
        """Return the answers to questions about a prompt, in the order of the questions."""
        pieces: Sequence[Piece] = self._pieces(prompt)
        step = _WINDOW - _OVERLAP
        windows = [pieces[start : start + _WINDOW] for start in range(0, max(1, len(pieces) - _OVERLAP), step)]
        return [best_reply(each) for each in zip(*(self._asked(heading, questions, w) for w in windows), strict=True)]

    def _asked(self, heading: str, questions: Sequence[Question], pieces: Sequence[Piece]) -> list[Reply]:
        sheets = list(self._layout.sheets(heading, questions, pieces))
        replies: list[list[Reply]] = [[]] * len(sheets)
        for places, states in self._encoded(sheets):
            for row, place in enumerate(places):
                replies[place] = self._heads.replies(sheets[place], states[row])
        return [reply for each in replies for reply in each]

    def _encoded(self, sheets: Sequence[Sheet]) -> list[tuple[list[int], NDArray[np.float32]]]:
        order = sorted(range(len(sheets)), key=lambda at: len(sheets[at].ids))
        found = []
        for first in range(0, len(order), _MOST_SHEETS):
            places = order[first : first + _MOST_SHEETS]
            states = self._session.states(
                [sheets[place].ids for place in places], [sheets[place].segments for place in places]
            )
            found.append((places, states))
        return found
