"""The beginning of a value, as much as a log shows. No more of it is looked at, however large the value is."""

from collections.abc import Container
from typing import Any

from attrs import define, field, frozen

from service_server.redaction.secret_names import names_secret
from service_server.redaction.spellings import REDACTED


class Cut(str):
    """The beginning of a text; its last characters may hold half a secret."""


@frozen
class Beginning:
    """
    What was taken of a value, without the fields whose names say that they are secret.

    `texts` are all texts in it, field names among them; `is_cut` tells whether the value goes on.
    """

    value: Any = field(repr=False)
    texts: list[str] = field(repr=False)
    is_cut: bool


def beginning_of(value: Any, room: int, longest_secret: int, sensitive: Container[str] = frozenset()) -> Beginning:
    """
    Take as much of a value as there is room for its JSON text, and not much more.

    The fields at the `sensitive` paths are left out, too. A text that is cut keeps some characters more, twice as many
    as the longest secret has: whole secrets among them are replaced first, and then the end is cut off.
    """
    taker = _Taker(room, longest_secret, sensitive)
    taken = taker.take(value, "")
    return Beginning(taken, taker.texts, taker.is_cut)


@define
class _Taker:
    room: int
    longest_secret: int
    sensitive: Container[str]
    is_cut: bool = False
    texts: list[str] = field(factory=list)

    def take(self, value: Any, path: str) -> Any:
        """Return the beginning of a value."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return self._object(value, path)
        if isinstance(value, list):
            return self._list(value, f"{path.removesuffix('.')}[]." if self.sensitive else "")
        self.room -= 1
        return value

    def _text(self, text: str) -> str:
        room, self.room = self.room, self.room - len(text) - 2
        if len(text) > room:
            self.is_cut = True
            text = Cut(text[: max(room, 0) + 2 * self.longest_secret])
        self.texts.append(text)
        return text

    def _object(self, value: dict[str, Any], path: str) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        self.room -= 0 if value else 2
        for name, inner in value.items():
            if self.room <= 0:
                self.is_cut = True
                break
            self.room -= 4
            kept_name = self._text(name)
            if names_secret(name) or (self.sensitive and f"{path}{name}" in self.sensitive):
                kept[kept_name] = REDACTED
                self.room -= len(REDACTED)
            else:
                kept[kept_name] = self.take(inner, f"{path}{name}." if self.sensitive else "")
        return kept

    def _list(self, value: list[Any], path: str) -> list[Any]:
        kept = []
        self.room -= 0 if value else 2
        for inner in value:
            if self.room <= 0:
                self.is_cut = True
                break
            self.room -= 2
            kept.append(self.take(inner, path))
        return kept
