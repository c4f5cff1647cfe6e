"""Reads a YAML file to plain values, and finds the line of every key."""

import math
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field, frozen
from yaml import MappingNode, Node, ScalarNode, SequenceNode

from service_server.catalog.yaml_nodes import FLOAT, INTEGER, NULL, TRUTH, DocumentError, parsed

KeyPath: TypeAlias = tuple[str | int, ...]

MAX_BYTES = 256 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 40


@frozen
class Document:
    """A YAML file: its value in plain dicts, lists and scalars, and the text that this was read from."""

    file: Path
    value: Any
    text: str = field(default="", repr=False)

    @cached_property
    def root(self) -> Node | None:
        """The root node of the text; it is only made for what is wrong, since many nodes take long to keep."""
        return parsed(self.text, MAX_DEPTH) if self.text else None

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
    return Document(file, NodeReader(MAX_NODES, MAX_DEPTH).value(parsed(text, MAX_DEPTH)), text)


class NodeReader:
    """
    Turns nodes to values, up to `most` of them and so many levels.

    An alias gives the very value it stands for, so it costs nothing, but it is counted. With `merges`, YAML 1.1's merge
    key (`<<`) is followed.
    """

    def __init__(self, most: int, deepest: int, merges: bool = False) -> None:
        self._most = most
        self._deepest = deepest
        self._merges = merges
        self._done: dict[int, tuple[Any, int, int]] = {}
        self._open: set[int] = set()

    def value(self, root: Node) -> Any:
        """Return the value of a root; raise `DocumentError` where it has none, or goes beyond the limits."""
        return self._read(root)[0]

    def _read(self, node: Node) -> tuple[Any, int, int]:
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
            parts = [self._read(item) for item in node.value]
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
            parts.append(self._read(value_node))
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
    if node.tag == NULL:
        return None
    if node.tag == TRUTH:
        return text.lower() == "true"
    try:
        if node.tag == INTEGER:
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if node.tag == FLOAT:
            number = float(text)
            return number if math.isfinite(number) else text
    except ValueError as error:
        raise DocumentError(line, f"'{text[:40]}' is not a number that can be read") from error
    return text
