"""Texts of a connector's files that YAML cuts: of `such as #kitchen` it takes "such as"; the rest is a comment."""

import re
from collections.abc import Iterator

from yaml import Node, ScalarNode

from service_server.catalog.document import Document, KeyPath, members
from service_server.catalog.problems import Problem, dotted

_COMMENT = re.compile(r"\s+(#.*)")
# Behind other values, whoever means a comment puts a blank behind the mark.
_CUT_OFF = re.compile(r"\s+(#[^\s#].*)")
_SENTENCES = frozenset({"description", "title", "prompt"})
_MOST_SHOWN = 40


def cut_texts(document: Document) -> Iterator[Problem]:
    """Yield the texts of several words behind which a "#" cuts the rest off."""
    lines = document.text.splitlines()
    for path, node in _texts(document.root, ()):
        end = node.end_mark
        cut = _COMMENT if not _SENTENCES.isdisjoint(path[-1:]) else _CUT_OFF
        if end.line < len(lines) and (found := cut.match(lines[end.line], end.column)) is not None:
            rest = found[1][:_MOST_SHOWN]
            message = f"ends before '{rest}', a comment for YAML: put quotes around the text, or the comment above it"
            yield Problem(document.file, node.start_mark.line + 1, dotted(path), message)


def _texts(node: Node | None, path: KeyPath) -> Iterator[tuple[KeyPath, ScalarNode]]:
    """Yield the texts of several words that stand without quotes."""
    if isinstance(node, ScalarNode) and not node.style and " " in node.value:
        yield path, node
    for name, _, value in members(node):
        yield from _texts(value, (*path, name))
