"""What stops an import: faults of the document, each with the place at which it stands."""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

Place: TypeAlias = tuple[str | int, ...]


@frozen(order=True)
class Fault:
    """One thing that is wrong with a document; `where` is a JSON pointer such as `#/paths/~1issues/post`."""

    where: str
    message: str

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        # A document's own keys stand in it, and a terminal would obey what they may hold.
        return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


class ImportRefused(Exception):
    """The document can't be imported; `faults` says where it is wrong and what to do. Nothing was written."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = tuple(faults)


class BrokenDocument(ImportRefused):
    """One place of the document is not as OpenAPI has it."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__([Fault(pointer(place), message)])


def refused(message: str, where: str = "") -> ImportRefused:
    """Return the refusal of a document for one fault."""
    return ImportRefused([Fault(where, message)])


class LeftOut(Exception):
    """An operation or a way to sign in that a connector can't have; the message says why."""


def pointer(place: Place) -> str:
    """Write a place as a JSON pointer (RFC 6901) with `#` before it."""
    return "#" + "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in place)
