"""Cut texts into the word pieces of an uncased BERT vocabulary, with the characters each piece stands for."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache

from attrs import frozen

# Anything longer is not a word of any language, and the vocabulary has no piece of it anyway.
_LONGEST_WORD = 100
_CACHED_WORDS = 20_000
_CACHED_CHARACTERS = 4_096
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf\U0002f800-\U0002fa1f]")
# Most texts have nothing but these, whose words are cut much sooner.
_PLAIN = re.compile(r"[ -~\t-\r]*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s]")


@frozen
class Piece:
    """A word piece: its number in the vocabulary, and the characters of the text that it stands for."""

    id: int
    start: int
    end: int


class WordPieces:
    """The tokenizer of the base encoder; `vocabulary` are its pieces in the order of their numbers."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._ids["[UNK]"]
        self._pieces_of = lru_cache(_CACHED_WORDS)(self._split)

    def special(self, name: str) -> int:
        """Return the number of a special piece such as `[CLS]`; a KeyError where the vocabulary lacks it."""
        return self._ids[name]

    def pieces(self, text: str) -> list[Piece]:
        """Return the pieces of a text in order."""
        found = []
        for word, starts in _words(text):
            for number, first, last in self._pieces_of(word):
                end = starts[last - 1] + 1
                while end < len(text) and unicodedata.combining(text[end]):  # an accent belongs to its letter
                    end += 1
                found.append(Piece(number, starts[first], end))
        return found

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces."""
        return [number for word, _ in _words(text) for number, _, _ in self._pieces_of(word)]

    def _split(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """Return (number, first character, character behind the last) of the longest pieces from left to right."""
        if len(word) > _LONGEST_WORD:
            return ((self.unknown, 0, len(word)),)
        pieces = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._ids.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return ((self.unknown, 0, len(word)),)
            pieces.append((number, start, end))
            start = end
        return tuple(pieces)


def _words(text: str) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the words of a text in lower case without accents, each with the places of its characters."""
    if _PLAIN.fullmatch(text):
        for match in _PLAIN_WORD.finditer(text.lower()):
            yield match[0], range(*match.span())
        return
    word: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        kind = _kind(character)
        if kind is _Kind.LETTER:
            for folded in _folded(character):
                word.append(folded)
                places.append(at)
        elif kind is not _Kind.NOTHING:
            if word:
                yield "".join(word), places
                word, places = [], []
            if kind is _Kind.ALONE:
                yield character, (at,)
    if word:
        yield "".join(word), places


class _Kind(Enum):
    """What a character is to words: part of one, a word of its own, the end of one, or nothing at all."""

    LETTER = auto()
    ALONE = auto()
    GAP = auto()
    NOTHING = auto()


@lru_cache(_CACHED_CHARACTERS)
def _kind(character: str) -> _Kind:
    if character.isascii():
        if character.isalnum():
            return _Kind.LETTER
        return _Kind.GAP if character.isspace() else _Kind.ALONE if character.isprintable() else _Kind.NOTHING
    category = unicodedata.category(character)
    if character == _REPLACEMENT or category in ("Cc", "Cf", "Cn", "Co", "Cs"):
        return _Kind.NOTHING
    if category in ("Zs", "Zl", "Zp"):
        return _Kind.GAP
    return _Kind.ALONE if category[0] == "P" or _IDEOGRAPH.match(character) else _Kind.LETTER


@lru_cache(_CACHED_CHARACTERS)
def _folded(character: str) -> str:
    """Return a letter in lower case without its accents; a lone accent is nothing."""
    return "".join(
        each for each in unicodedata.normalize("NFD", character.lower()) if unicodedata.category(each) != "Mn"
    )
