"""The trained reader: whether functions fit a prompt, and which of its words answer their questions."""

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from service_server.predict.encoder.session import EncoderSession
from service_server.predict.encoder.wordpiece import Piece, WordPieces
from service_server.predict.reader.answers import Heads, Odds, Reply, best_reply
from service_server.predict.reader.questions import Question
from service_server.predict.reader.sheets import Sheet, SheetLayout

_PIECES_FOR_FIT = 200
# A long prompt is read in parts that share some words, so that no value is cut.
_WINDOW, _OVERLAP = 200, 50
_MOST_PIECES = 1100
"""The longest prompt that people may write has fewer; one with more is not language and would take a minute to read."""
WIDTH = 384
_NOTHING_KNOWN: Odds = MappingProxyType({})


class Reader:
    """Answers questions about prompts; it may be used from several threads."""

    def __init__(self, session: EncoderSession, words: WordPieces, heads: Heads) -> None:
        self._session = session
        self._words = words
        self._heads = heads
        self._layout = SheetLayout(words)
        self._pieces = lru_cache(64)(words.pieces)
        self.vector = lru_cache(64)(self._vector)
        """The vector of one text, as `vectors` gives it; of the latest texts it is kept."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return for each text a vector of length one [texts, 384]; like texts have a small angle between them."""
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        for at, text in enumerate(texts):
            vectors[at] = self._vector(text)
        return vectors

    def _vector(self, text: str) -> NDArray[np.float32]:
        sheet = self._layout.text(text)
        mean = self._states(sheet, range(len(sheet.ids))).mean(axis=0)
        vector: NDArray[np.float32] = mean / np.linalg.norm(mean)
        return vector

    def fit(self, prompt: str, heading: str, names: Sequence[str]) -> float:
        """Return how well a function fits, by its heading and the names of its arguments, as log-odds."""
        sheet = self._layout.pairs(heading, names, self._pieces(prompt)[:_PIECES_FOR_FIT])
        return self._heads.fit(self._states(sheet, [0]))

    def replies(
        self, prompt: str, heading: str, questions: Sequence[Question], known: Odds = _NOTHING_KNOWN
    ) -> list[Reply]:
        """Return the answers to questions about a prompt, in the order of the questions; what is `known` counts too."""
        pieces: Sequence[Piece] = self._pieces(prompt)[:_MOST_PIECES]
        step = _WINDOW - _OVERLAP
        windows = [pieces[start : start + _WINDOW] for start in range(0, max(1, len(pieces) - _OVERLAP), step)]
        parts = (self._asked(heading, questions, window, known) for window in windows)
        return [best_reply(each) for each in zip(*parts, strict=True)]

    def _asked(self, heading: str, questions: Sequence[Question], pieces: Sequence[Piece], known: Odds) -> list[Reply]:
        return [
            reply
            for sheet in self._layout.sheets(heading, questions, pieces)
            for reply in self._heads.replies(sheet, self._states(sheet, sheet.answering), known)
        ]

    def _states(self, sheet: Sheet, places: Sequence[int]) -> NDArray[np.float32]:
        """
        Return the states [places, 384] of some of a sheet's pieces.

        One sheet at a time: together they would be rounded with a scale that depends on all of them. A text's vector
        would then change with the texts beside it, and a single core gains nothing by it.
        """
        return self._session.states(sheet.ids, sheet.segments, places)
