"""Reads the file of a document, JSON or YAML, to plain values, within limits."""

import hashlib
import json
from pathlib import Path
from typing import Any

from attrs import field, frozen
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from service_server.openapi_import.problems import Fault, ImportRefused

MAX_BYTES = 64 * 1024 * 1024
MAX_YAML_BYTES = 16 * 1024 * 1024  # YAML is read some two hundred times slower than JSON
MAX_VALUES = 5_000_000  # with aliases counted as often as they are used
MAX_LEVELS = 200


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
    yaml = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        where = "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}: "
        raise _refused(f"{where}is not YAML: {error.problem}") from error
    except (YAMLError, ValueError) as error:
        raise _refused(f"is not YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise _refused("the file is empty")
    return _Reader(yaml).read(node, 1)[0]


class _Reader:
    """Turns nodes to values; an alias gives the very value it stands for, so it costs nothing but is counted."""

    def __init__(self, yaml: YAML) -> None:
        self._construct = yaml.constructor.construct_object
        self._done: dict[int, tuple[Any, int]] = {}
        self._open: set[int] = set()

    def read(self, node: Node, level: int) -> tuple[Any, int]:
        """Return a node's value and how many values it holds."""
        if id(node) in self._done:
            return self._done[id(node)]
        line = node.start_mark.line + 1
        if id(node) in self._open:
            raise _refused(f"line {line}: an alias leads back to itself")
        if level > MAX_LEVELS:
            raise _refused(f"line {line}: is nested deeper than {MAX_LEVELS} levels")
        self._open.add(id(node))
        value, count = self._value(node, level)
        if count > MAX_VALUES:
            raise _refused(f"line {line}: aliases make more than {MAX_VALUES} values of it")
        self._open.discard(id(node))
        self._done[id(node)] = value, count
        return value, count

    def _value(self, node: Node, level: int) -> tuple[Any, int]:
        if isinstance(node, MappingNode):
            return self._mapping(node, level)
        if isinstance(node, SequenceNode):
            items = [self.read(item, level + 1) for item in node.value]
            return [item for item, _ in items], 1 + sum(count for _, count in items)
        return self._scalar(node), 1

    def _mapping(self, node: MappingNode, level: int) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {}
        total = 1
        for key, inner in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, ScalarNode):
                raise _refused(f"line {line}: has a key that is not a plain word")
            name = str(key.value)
            if name in result:
                raise _refused(f"line {line}: has the key '{name[:100]}' twice")
            result[name], count = self.read(inner, level + 1)
            total += count
        return result, total

    def _scalar(self, node: Node) -> Any:
        try:
            value = self._construct(node)
        except (YAMLError, ValueError) as error:
            raise _refused(f"line {node.start_mark.line + 1}: is not a value of JSON") from error
        if value is None or isinstance(value, str | bool | int):
            return value
        if isinstance(value, float) and value - value == 0:
            return value
        return node.value  # a date stays the text it is
