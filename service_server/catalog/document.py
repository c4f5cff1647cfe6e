"""Reads a YAML file to plain values and remembers the line of every key."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field, frozen
from yaml import MappingNode, MarkedYAMLError, Node, ScalarNode, SequenceNode, YAMLError

from service_server.catalog.yaml_nodes import FLOAT, INTEGER, NULL, TRUTH, compose

KeyPath: TypeAlias = tuple[str | int, ...]

MAX_BYTES = 256 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 40


class DocumentError(Exception):
    """The file can't be read as YAML."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@frozen
class Document:
    """A YAML file: its value in plain dicts, lists and scalars, and where each key stands."""

    file: Path
    value: Any
    lines: Mapping[KeyPath, int] = field(repr=False)

    def line(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_document(file: Path) -> Document:
    """Read a file of at most 256 KiB; raise `DocumentError` where it isn't YAML that has one meaning."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DocumentError(1, f"can't be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise DocumentError(1, f"is larger than {MAX_BYTES // 1024} KiB")
    try:
        node = compose(content.decode("utf-8"), MAX_DEPTH)
    except UnicodeDecodeError as error:
        raise DocumentError(1, "is not UTF-8 text") from error
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
        raise DocumentError(line, f"is not YAML: {error.problem}") from error
    except YAMLError as error:
        raise DocumentError(1, f"is not YAML: {error}") from error
    if node is None:
        raise DocumentError(1, "is empty")
    reader = _Reader()
    return Document(file, reader.read(node, ()), reader.lines)


class _Reader:
    """Turns nodes to values; aliases are followed, within the limits."""

    def __init__(self) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._nodes = 0

    def read(self, node: Node, path: KeyPath) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        self._nodes += 1
        if self._nodes > MAX_NODES or len(path) > MAX_DEPTH:
            raise DocumentError(line, f"has more than {MAX_NODES} values or {MAX_DEPTH} levels")
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        if isinstance(node, SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        return scalar_value(node, line)

    def _mapping(self, node: MappingNode, path: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode) or not isinstance(key_node.value, str):
                raise DocumentError(line, "has a key that is not a plain word")
            key = key_node.value
            if key in result:
                raise DocumentError(line, f"has the key '{key}' twice")
            self.lines[(*path, key)] = line
            result[key] = self.read(value_node, (*path, key))
        return result


def scalar_value(node: Node, line: int) -> Any:
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
