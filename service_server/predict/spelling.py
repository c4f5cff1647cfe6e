"""Words typed in haste: letters that changed places or were doubled, "locatoins", "messsage"."""

import re
from collections.abc import Iterable, Iterator

_WORD = re.compile(r"(?<![\w@#/.:-])[a-z]{3,20}(?![\w@/:-]|\.\w)")
_KNOWN = re.compile(r"[a-z]{4,21}")
_SHORTEST_DOUBLED = 6  # letters of a word in which one may be doubled or missing; "filed" is no "filled"
_COMMON = {"yuo": "you", "teh": "the", "hte": "the", "adn": "and", "taht": "that", "wiht": "with", "jsut": "just"}
_COMMON |= {"plese": "please", "pleas": "please", "hadn": "hand"}


class Spelling:
    """Knows the words that functions are described with."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the texts whose words are spelt right."""
        self._known = {word for text in texts for word in _KNOWN.findall(text.lower())}

    def mended(self, prompt: str) -> str:
        """Return a prompt whose words in small letters that are known ones but for a slip are mended; names stay."""
        return _WORD.sub(lambda match: self._meant(match[0]), prompt)

    def _meant(self, word: str) -> str:
        if word in self._known or word in _COMMON or len(word) < len("opne"):
            return _COMMON.get(word, word)
        meant = {other for other in _slips(word) if other in self._known}
        return meant.pop() if len(meant) == 1 else word


def _slips(word: str) -> Iterator[str]:
    for at in range(len(word)):
        one, two = word[at : at + 1], word[at + 1 : at + 2]
        if two and one != two:
            yield word[:at] + two + one + word[at + 2 :]
        if len(word) < _SHORTEST_DOUBLED:
            continue
        if one == two:
            yield word[:at] + word[at + 1 :]
        yield word[: at + 1] + word[at:]
