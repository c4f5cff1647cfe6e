"""The part of TypeScript's syntax that declares types: interfaces and aliases."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

_COMMENTS = re.compile(r"/\*.*?\*/|(?<![:'\"])//[^\n]*", re.DOTALL)
_DECLARATION = re.compile(
    r"^[ \t]*(?:export )?(?:declare )?(?:(?P<interface>interface) (?P<a>[\w$]+)|type (?P<b>[\w$]+)(?=\s*[<=]))",
    re.MULTILINE,
)
_TOKENS = re.compile(
    r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|-?\d[\d.]*|=>|\.\.\.|\S"
)


@frozen
class Record:
    """An object type with its keys."""

    fields: Mapping[str, "Type"]
    optional: frozenset[str] = frozenset()


@frozen
class Many:
    """A union, or an intersection."""

    options: tuple["Type", ...]
    is_union: bool


@frozen
class Parts:
    """A list or tuple."""

    items: tuple["Type", ...]


@frozen
class Name:
    """A type by its name, with type arguments."""

    name: str
    arguments: tuple["Type", ...] = ()


@frozen
class Literal:
    """A type of one value; `text` is None for all that isn't looked into: functions, numbers, `keyof` and so on."""

    text: str | None = None


Type: TypeAlias = Record | Many | Parts | Name | Literal
OTHER = Literal()


def declarations(text: str) -> Iterator["Declaration"]:
    """Yield the declared interfaces and aliases of a file."""
    text = _COMMENTS.sub("", text)
    found = list(_DECLARATION.finditer(text))
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        yield Declaration(match["a"] or match["b"], match["interface"] is not None, text[match.end() : end])


@frozen(slots=False)
class Declaration:
    """One declared type, read when it is needed."""

    name: str
    is_interface: bool
    source: str = field(repr=False)

    @cached_property
    def meaning(self) -> Type:
        """The type it stands for; type parameters in it stand as names."""
        reader = _Reader(_TOKENS.findall(self.source))
        _skip_parameters(reader)
        if not self.is_interface:
            reader.take("=")
            return reader.type()
        parents: list[Type] = []
        while reader.next in ("extends", ","):
            reader.take()
            parents.append(reader.primary())
        return Many((*parents, reader.primary()), is_union=False)


def _skip_parameters(reader: "_Reader") -> None:
    if reader.next != "<":
        return
    reader.take()
    while reader.next != ">":
        reader.take()
        for keyword in ("extends", "="):
            if reader.next == keyword:
                reader.take()
                reader.type()
        if reader.next == ",":
            reader.take()
    reader.take()


class _Reader:
    """Reads types token by token; ValueError tells where it found something it doesn't know."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._at = 0

    @property
    def next(self) -> str:
        return self._tokens[self._at]

    def take(self, expected: str | None = None) -> str:
        token = self.next
        if expected is not None and token != expected:
            before = " ".join(self._tokens[max(0, self._at - 8) : self._at])
            raise ValueError(f"expected {expected!r}, not {token!r}, after: {before}")
        self._at += 1
        return token

    def type(self) -> Type:
        """Read a whole type: unions of intersections, or a condition."""
        value = self._joined("|", lambda: self._joined("&", self.primary))
        if self.next == "extends":
            self.take()
            self.type()
            self.take("?")
            first = self.type()
            self.take(":")
            return Many((first, self.type()), is_union=True)
        return value

    def primary(self) -> Type:
        """Read one type with its brackets behind it."""
        value = self._simple()
        while self.next == "[":
            self.take()
            if self.next == "]":
                value = Parts((value,))
            else:
                index = self.type()
                # `Scalars["ID"]` is read as the name `Scalars.ID`, other types inside types as anything.
                if isinstance(value, Name) and isinstance(index, Literal) and index.text is not None:
                    value = Name(f"{value.name}.{index.text}")
                else:
                    value = Name("any")
            self.take("]")
        return value

    def _joined(self, operator: str, read: Callable[[], Type]) -> Type:
        if self.next == operator:
            self.take()
        options = [read()]
        while self.next == operator:
            self.take()
            options.append(read())
        return options[0] if len(options) == 1 else Many(tuple(options), is_union=operator == "|")

    def _simple(self) -> Type:
        token = self.take()
        if token == "{":
            return self._record()
        if token == "(":
            return self._parentheses()
        if token == "[":
            return self._tuple()
        if token[:1] in "'\"`":
            return Literal(token[1:-1])
        if token in ("keyof", "typeof", "unique", "infer"):
            self.primary()
            return OTHER
        if token == "readonly":
            return self.primary()
        if not re.match(r"[A-Za-z_$]", token):
            return OTHER
        return Name(token, self._arguments())

    def _arguments(self) -> tuple[Type, ...]:
        found = []
        if self.next == "<":
            while self.take() != ">":
                found.append(self.type())
                if self.next not in (",", ">"):
                    self.take(">")
        return tuple(found)

    def _parentheses(self) -> Type:
        start, depth = self._at, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
        if self.next == "=>":
            self.take()
            self.type()
            return OTHER
        self._at = start
        value = self.type()
        self.take(")")
        return value

    def _tuple(self) -> Type:
        items: list[Type] = []
        while self.next != "]":
            if self.next in ("...", ","):
                self.take()
                continue
            items.append(self.type())
            if self.next in ("?", ":"):  # a name in front of the type, or an optional item
                if self.take() == "?" and self.next != ":":
                    continue
                items.pop()
                if self.next == ":":
                    self.take()
        self.take("]")
        return Parts(tuple(items))

    def _record(self) -> Type:
        fields: dict[str, Type] = {}
        optional: set[str] = set()
        while self.next != "}":
            token = self.take()
            if token in (";", ",", "readonly", "-", "+") and self.next not in ("?", ":"):
                continue
            name = token[1:-1] if token[:1] in "'\"" else token
            if token == "[":
                self._skip_to("]")
            if self.next == "-":
                self.take()
            if self.next == "?":
                self.take()
                optional.add(name)
            if self.next in ("(", "<"):
                self._skip_method()
            if self.next == ":":
                self.take()
                value = self.type()
                if token != "[":
                    fields[name] = value
        self.take("}")
        return Record(fields, frozenset(optional))

    def _skip_to(self, closing: str) -> None:
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "[") - (token == closing)

    def _skip_method(self) -> None:
        if self.next == "<":
            _skip_parameters(self)
        self.take("(")
        self._parentheses_skipped()

    def _parentheses_skipped(self) -> None:
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
