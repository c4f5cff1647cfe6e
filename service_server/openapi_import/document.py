"""The document as the steps see it: OpenAPI 3 whose references can be followed, and whose faults have their place."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote

from attrs import field, frozen

Place: TypeAlias = tuple[str | int, ...]

_LONGEST_CHAIN = 50
_Kind = TypeVar("_Kind", bound=dict[str, Any] | list[Any] | str)
_KINDS = {bool: "true or false", dict: "an object", list: "a list", str: "text", int: "a number", float: "a number"}


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
        keys = (str(key).replace("~", "~0").replace("/", "~1") for key in place)  # as RFC 6901 has it
        super().__init__([Fault("/".join(["#", *keys]), message)])


def refused(message: str, where: str = "") -> ImportRefused:
    """Return the refusal of a document for one fault."""
    return ImportRefused([Fault(where, message)])


class LeftOut(Exception):
    """An operation or a way to sign in that a connector can't have; the message says why."""


@frozen
class Part:
    """A value of the document and the place it stands at."""

    value: Any = field(repr=False)
    place: Place

    def at(self, key: str) -> "Part":
        """Return what stands at a key; the value is None where nothing does."""
        return Part(self.object.get(str(key)), (*self.place, key))

    @property
    def object(self) -> Mapping[str, Any]:
        """The value, which has to be an object; one that is missing is empty."""
        return self._of(dict)

    @property
    def items(self) -> list["Part"]:
        """The items of the value, which has to be a list; one that is missing is empty."""
        return [Part(item, (*self.place, index)) for index, item in enumerate(self._of(list))]

    @property
    def members(self) -> list[tuple[str, "Part"]]:
        """The members of the value, which has to be an object, vendors' own keys (`x-…`) too."""
        return [(key, self.at(key)) for key in self.object]

    @property
    def text(self) -> str:
        """The value, which has to be text; one that is missing is empty."""
        return self._of(str)

    @property
    def words(self) -> str:
        """The value where it is text, for what is only shown: nothing else stops an import."""
        return self.value if isinstance(self.value, str) else ""

    def _of(self, kind: type[_Kind]) -> _Kind:
        if self.value is None:
            return kind()
        if not isinstance(self.value, kind):
            what = _KINDS.get(type(self.value), "what it is")
            raise BrokenDocument(self.place, f"must be {_KINDS[kind]}, not {what}")
        return self.value


@frozen
class Document:
    """An OpenAPI 3 document; `is_31` tells whether its schemas are JSON Schema proper."""

    root: Part
    is_31: bool

    def followed(self, part: Part) -> Part:
        """Follow references until there is none; raise `BrokenDocument` where one leads nowhere or elsewhere."""
        for _ in range(_LONGEST_CHAIN):
            reference = reference_of(part)
            if reference is None:
                return part
            part = self.target(part.place, reference)
        raise BrokenDocument(part.place, "refers to itself")

    def target(self, place: Place, reference: str) -> Part:
        """Return what a reference names."""
        if not reference.startswith("#"):
            told = f"refers to another document, {reference[:200]!r}, and none is fetched; bundle them into one first"
            raise BrokenDocument(place, told)
        keys = reference[1:].split("/")
        if keys[0]:
            raise BrokenDocument(place, f"the reference {reference[:200]!r} is not a path such as '#/components/…'")
        found = self.root
        for key in (unquote(key).replace("~1", "/").replace("~0", "~") for key in keys[1:]):
            value = found.value
            if isinstance(value, Mapping) and key in value:
                found = found.at(key)
            elif isinstance(value, list) and key.isdecimal() and len(key) < 9 and int(key) < len(value):
                found = found.items[int(key)]
            else:
                raise BrokenDocument(place, f"there is nothing at {reference[:200]!r}")
        return found

    def examples(self, part: Part) -> list[Any]:
        """Return the values that the document gives as examples of a parameter or a body."""
        values = part.at("examples").value
        if not isinstance(values, list):  # a list as in JSON Schema
            named = [self.followed(each).value for _, each in part.at("examples").members]
            values = [each["value"] for each in named if isinstance(each, Mapping) and "value" in each]
        return [value for value in (part.object.get("example"), *values) if value is not None]


def reference_of(part: Part) -> str | None:
    """Return the `$ref` of a value, None where it has none."""
    reference = part.value.get("$ref", {}) if isinstance(part.value, Mapping) else {}
    if isinstance(reference, Mapping):  # there is none, or the schema of a property that is named so
        return None
    if not isinstance(reference, str):
        raise BrokenDocument(part.place, "its $ref must be text")
    return reference
