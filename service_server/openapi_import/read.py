"""Reads the file of a document, JSON or YAML, to plain values, within limits."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from attrs import field, frozen
from yaml import MappingNode, MarkedYAMLError, Node, ScalarNode, SequenceNode, YAMLError

from service_server.catalog.document import DocumentError, scalar_value
from service_server.catalog.yaml_nodes import compose
from service_server.openapi_import.problems import Fault, ImportRefused

MAX_BYTES = 64 * 1024 * 1024
MAX_YAML_BYTES = 16 * 1024 * 1024  # YAML is read many times slower than JSON, and its nodes take more memory
MAX_VALUES = 5_000_000  # with aliases counted as often as they are used
MAX_LEVELS = 200
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@frozen
class SourceFile:
    """A document's content; `digest` is the hex SHA-256 of the file."""

    name: str
    digest: str
    value: Any = field(repr=False)


def read_source(file: Path) -> SourceFile:
    """
    Read a file of at most 64 MiB (YAML: 16 MiB).

    Raises:
        ImportRefused: it is too large, or neither JSON nor YAML that has one meaning.
        OSError: it can't be read.
    """
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise _refused(f"the file is larger than {MAX_BYTES >> 20} MiB; import a part of it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(f"the file is not UTF-8 text (byte {error.start})") from error
    digest = hashlib.sha256(content).hexdigest()
    is_json = text.lstrip()[:1] in ("{", "[") and file.suffix.lower() not in (".yaml", ".yml")
    try:
        return SourceFile(file.name, digest, _read_json(text) if is_json else _read_yaml(text))
    except RecursionError as error:
        raise _refused(f"the file is nested deeper than {MAX_LEVELS} levels") from error


def _refused(message: str) -> ImportRefused:
    return ImportRefused([Fault("", message)])


def _read_json(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise _refused(f"line {error.lineno}, column {error.colno}: is not JSON: {error.msg}") from error
    except ValueError as error:  # an integer of thousands of digits, or no number at all
        raise _refused(f"is not JSON: {error}") from error
    _check_levels(value)
    if _SURROGATE.search(text):  # half of a character, which no file can hold
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number of JSON")


def _check_levels(value: Any) -> None:
    level, waiting = 0, [value]
    while waiting:
        level += 1
        if level > MAX_LEVELS:
            raise _refused(f"the file is nested deeper than {MAX_LEVELS} levels")
        following: list[Any] = []
        for each in waiting:
            if isinstance(each, dict):
                following.extend(each.values())
            elif isinstance(each, list):
                following.extend(each)
        waiting = following


def _read_yaml(text: str) -> Any:
    if len(text) > MAX_YAML_BYTES:
        raise _refused(f"the file is YAML of more than {MAX_YAML_BYTES >> 20} MiB; convert it to JSON")
    try:
        node = compose(text, MAX_LEVELS)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        where = "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}: "
        raise _refused(f"{where}is not YAML: {error.problem}") from error
    except (YAMLError, ValueError) as error:
        raise _refused(f"is not YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise _refused("the file is empty")
    return _Reader().read(node)[0]


class _Reader:
    """Turns nodes to values; an alias gives the very value it stands for, so it costs nothing but is counted."""

    def __init__(self) -> None:
        self._done: dict[int, tuple[Any, int, int]] = {}
        self._open: set[int] = set()

    def read(self, node: Node) -> tuple[Any, int, int]:
        """Return a node's value, how many values it holds and how many levels it has."""
        if id(node) in self._done:
            return self._done[id(node)]
        line = node.start_mark.line + 1
        if id(node) in self._open:
            raise _refused(f"line {line}: an alias leads back to itself")
        self._open.add(id(node))
        value, parts = self._value(node, line)
        count = 1 + sum(inner for _, inner, _ in parts)
        levels = 1 + max((inner for _, _, inner in parts), default=0)
        if count > MAX_VALUES:
            raise _refused(f"line {line}: aliases make more than {MAX_VALUES} values of it")
        if levels > MAX_LEVELS:
            raise _refused(f"line {line}: is nested deeper than {MAX_LEVELS} levels")
        self._open.discard(id(node))
        self._done[id(node)] = value, count, levels
        return value, count, levels

    def _value(self, node: Node, line: int) -> tuple[Any, list[tuple[Any, int, int]]]:
        if isinstance(node, MappingNode):
            return self._mapping(node)
        if isinstance(node, SequenceNode):
            items = [self.read(item) for item in node.value]
            return [value for value, _, _ in items], items
        try:
            return scalar_value(node, line), []
        except DocumentError as error:
            raise _refused(f"line {line}: {error.message}") from error

    def _mapping(self, node: MappingNode) -> tuple[dict[str, Any], list[tuple[Any, int, int]]]:
        result: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        parts = []
        for key, inner in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, ScalarNode):
                raise _refused(f"line {line}: has a key that is not a plain word")
            part = self.read(inner)
            parts.append(part)
            if key.value == "<<" and isinstance(part[0], dict):
                merged = {**part[0], **merged}  # YAML 1.1's merge key, which is common in such files
                continue
            if key.value in result:
                raise _refused(f"line {line}: has the key '{key.value[:100]}' twice")
            result[key.value] = part[0]
        return {**merged, **result}, parts
