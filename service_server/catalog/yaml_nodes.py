"""
Parses YAML to nodes by libyaml, with the types of YAML 1.2: a plain `no` or `on` is a text, and so is a date.

PyYAML's own rules are those of YAML 1.1. Where it was built without libyaml, its parser in Python does the same slowly.
"""

import re
from typing import Any, Final

import yaml

NULL: Final = "tag:yaml.org,2002:null"
TRUTH: Final = "tag:yaml.org,2002:bool"
INTEGER: Final = "tag:yaml.org,2002:int"
FLOAT: Final = "tag:yaml.org,2002:float"

_DIGITS = list("0123456789")
CORE_SCHEMA: Final[list[tuple[str, re.Pattern[str], list[str]]]] = [
    (NULL, re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    (TRUTH, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    (INTEGER, re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"), ["-", "+", *_DIGITS]),
    (FLOAT, re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), ["-", "+", ".", *_DIGITS]),
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


def parsed(text: str, deepest: int) -> yaml.Node:
    """Return the root node of a text of at most so many levels; raise `DocumentError` where it isn't one of YAML."""
    try:
        _check_depth(text, deepest)
        node: yaml.Node | None = _COMPOSER(text).get_single_node()
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
