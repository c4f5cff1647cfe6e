"""
Reads a YAML file to plain values, and finds the line of every key.

It is parsed by libyaml, with the types of YAML 1.2: a plain `no` or `on` is a text, and so is a date. PyYAML's own
rules are those of YAML 1.1. Where it was built without libyaml, its parser in Python does the same slowly.
"""

import math
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml
from attrs import field, frozen
from yaml import MappingNode, Node, ScalarNode, SequenceNode

KeyPath: TypeAlias = tuple[str | int, ...]

MAX_BYTES = 256 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 40

_NULL: Final = "tag:yaml.org,2002:null"
_TRUTH: Final = "tag:yaml.org,2002:bool"
_INTEGER: Final = "tag:yaml.org,2002:int"
_FLOAT: Final = "tag:yaml.org,2002:float"

_DIGITS = list("0123456789")
CORE_SCHEMA: Final[list[tuple[str, re.Pattern[str], list[str]]]] = [
    (_NULL, re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    (_TRUTH, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    (_INTEGER, re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"), ["-", "+", *_DIGITS]),
    (_FLOAT, re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), ["-", "+", ".", *_DIGITS]),
]
"""The types that plain scalars have, each with the characters one of it may begin with."""


def _composer(base: Any) -> Any:
    """Return a parser of PyYAML's, by libyaml about ten times as fast, with the types of YAML 1.2's core schema."""
    composer: Any = type("Composer", (base,), {})
    for tag, pattern, first in CORE_SCHEMA:
        composer.add_implicit_resolver(tag, pattern, first)
    return composer


_COMPOSER = _composer(yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)


class DocumentError(Exception):
    """The file can't be read as YAML."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@frozen
class Document:
    """A YAML file: its value in plain dicts, lists and scalars, and the text that this was read from."""

    file: Path
    value: Any
    text: str = field(default="", repr=False)

    @cached_property
    def root(self) -> Node | None:
        """The root node of the text; it is only made for what is wrong, since many nodes take long to keep."""
        return _parsed(self.text, MAX_DEPTH) if self.text else None

    def line(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest one around it: of an item of a list, that where it begins."""
        place = value = self.root
        for name in path:
            found = [(at, inner) for key, at, inner in members(value) if key == name]
            if not found:
                break
            place, value = found[-1]
        return 1 if place is None else place.start_mark.line + 1


def read_document(file: Path) -> Document:
    """Read a file of at most 256 KiB; raise `DocumentError` where it isn't YAML that has one meaning."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DocumentError(1, f"can't be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise DocumentError(1, f"is larger than {MAX_BYTES // 1024} KiB")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DocumentError(1, "is not UTF-8 text") from error
    return Document(file, read_values(text, MAX_NODES, MAX_DEPTH), text)


def read_values(text: str, most: int, deepest: int, merges: bool = False) -> Any:
    """
    Return what a text of YAML says, up to `most` values and so many levels; `DocumentError` where that is nothing.

    An alias gives the very value it stands for, so it costs nothing, but it is counted. With `merges`, YAML 1.1's merge
    key (`<<`) is followed.
    """
    return _NodeReader(most, deepest, merges).read(_parsed(text, deepest))[0]


def _parsed(text: str, deepest: int) -> Node:
    """Return the root node of a text of at most so many levels; raise `DocumentError` where it isn't one of YAML."""
    try:
        _check_depth(text, deepest)
        node: Node | None = _COMPOSER(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, where = (1, "") if mark is None else (mark.line + 1, f" at column {mark.column + 1}")
        raise DocumentError(line, f"is not YAML{where}: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise DocumentError(1, f"is not YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise DocumentError(1, "is empty")
    return node


def _check_depth(text: str, deepest: int) -> None:
    """Refuse what is nested too deeply before it is composed, which recurses in C without a limit of its own."""
    parser, depth = _COMPOSER(text), 0
    while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > deepest:
            raise yaml.MarkedYAMLError(problem=f"more than {deepest} levels", problem_mark=event.start_mark)


class _NodeReader:
    """Turns nodes to values."""

    def __init__(self, most: int, deepest: int, merges: bool) -> None:
        self._most = most
        self._deepest = deepest
        self._merges = merges
        self._done: dict[int, tuple[Any, int, int]] = {}
        self._open: set[int] = set()

    def read(self, node: Node) -> tuple[Any, int, int]:
        """Return a node's value, how many values it holds and how many levels it has."""
        line = node.start_mark.line + 1
        if isinstance(node, ScalarNode):
            return _scalar_value(node, line), 1, 0
        if id(node) in self._done:
            return self._done[id(node)]
        if id(node) in self._open:
            raise DocumentError(line, "an alias leads back to itself, which makes levels without an end")
        self._open.add(id(node))
        parts: list[tuple[Any, int, int]] = []
        value: Any
        if isinstance(node, MappingNode):
            value = self._mapping(node, parts)
        else:
            parts = [self.read(item) for item in node.value]
            value = [part for part, _, _ in parts]
        count = 1 + sum(inner for _, inner, _ in parts)
        levels = 1 + max((inner for _, _, inner in parts), default=0)
        if count > self._most or levels > self._deepest:
            raise DocumentError(line, f"has more than {self._most} values or {self._deepest} levels, aliases counted")
        self._open.discard(id(node))
        self._done[id(node)] = value, count, levels
        return self._done[id(node)]

    def _mapping(self, node: MappingNode, parts: list[tuple[Any, int, int]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                raise DocumentError(line, "has a key that is not a plain word")
            parts.append(self.read(value_node))
            key, value = key_node.value, parts[-1][0]
            if self._merges and key == "<<" and isinstance(value, dict):
                merged = {**value, **merged}
                continue
            if key in result:
                raise DocumentError(line, f"has the key '{key[:100]}' twice")
            result[key] = value
        return {**merged, **result}


def members(node: Node | None) -> Iterator[tuple[str | int, Node, Node]]:
    """Yield the name of each member of a mapping or list, where it begins, and its value."""
    if isinstance(node, MappingNode):
        yield from ((key.value, key, value) for key, value in node.value)
    elif isinstance(node, SequenceNode):
        yield from ((index, item, item) for index, item in enumerate(node.value))


def _scalar_value(node: Node, line: int) -> Any:
    """Return the value of a scalar; what has no form in JSON, such as a date or infinity, stays the text that it is."""
    text: str = node.value
    if node.tag == _NULL:
        return None
    if node.tag == _TRUTH:
        return text.lower() == "true"
    try:
        if node.tag == _INTEGER:
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if node.tag == _FLOAT:
            number = float(text)
            return number if math.isfinite(number) else text
    except ValueError as error:
        raise DocumentError(line, f"'{text[:40]}' is not a number that can be read") from error
    return text
