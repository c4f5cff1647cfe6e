"""
Vendors' clients as descriptions: operations read from their source text.

A client says which methods and paths there are. Names of query parameters and of keys in bodies are looked for as
words: in the part of the source that belongs to the operation, or where a client doesn't keep them together in its
whole file. That notices names that the vendor doesn't know, but not that a value has the wrong type.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal
from urllib.parse import unquote

from attrs import frozen

from tests.connectors.descriptions.description import Description, but_for
from tests.connectors.descriptions.packages import Package
from tests.connectors.descriptions.paths import held_against, template
from tests.connectors.descriptions.sent import Sent, keys, parts_of


@frozen
class Operation:
    """What a client can call; `words` are those of its part of the source."""

    method: str
    path: str
    words: frozenset[str]


Read = Callable[[Mapping[str, str]], Iterable[Operation]]


def client_sources(
    package: Package, base_url: str, sources: tuple[str, ...], reader: Read, extra: frozenset[str] = frozenset()
) -> Description:
    """
    Describe an API by a client whose members `sources` tell operations, as `reader` finds them.

    `base_url` is what the client puts in front of paths; `*` in it stands for part of a host or for one segment.
    `extra` are names that the client doesn't have but the vendor documents.
    """
    members = package.keeping(*sources)

    def read() -> ClientJudge:
        operations = tuple(reader(members.texts()))
        if not operations:
            raise ValueError(f"no operations found in {package}")
        return ClientJudge(base_url, operations, extra)

    lacking = f"names that it lacks ({len(extra)})" if extra else ""
    return Description((members,), but_for("paths, methods and names in the client's sources", lacking), read)


@frozen
class ClientJudge:
    """The operations of a client, and the names that any of them may take."""

    base_url: str
    operations: tuple[Operation, ...]
    known: frozenset[str]

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        yield from held_against(self.base_url, self.operations, request, lambda each: self._faults(each, request))

    def _faults(self, operation: Operation, request: Sent) -> Iterator[str]:
        words = self.known | operation.words
        for name, _ in request.query:
            if name not in words and not words.issuperset(parts_of(name)):
                yield f"the query parameter {name} isn't known"
        for name in dict.fromkeys(keys(request.body)):
            if name not in words:
                yield f"the body's key {name} isn't known"


def operations(
    path: str, *, method: str | None = None, always: str | None = None, names: Literal["after", "file"] = "after"
) -> Read:
    """
    Return what reads operations by a regular expression for their paths (group `path`).

    The method is the group `method` of that expression, or each match of the expression `method` between this path and
    the next one (group 1), or `always` the same. `names` says where the words of an operation stand: between its path
    and the next, or anywhere in the file.
    """
    expression = re.compile(path, re.DOTALL)

    def read(sources: Mapping[str, str]) -> Iterator[Operation]:
        for text in sources.values():
            matches = list(expression.finditer(text))
            everything = words_of(text) if names == "file" else frozenset()
            for index, match in enumerate(matches):
                following = matches[index + 1].start() if index + 1 < len(matches) else len(text)
                after = text[match.start() : following]
                words = everything or words_of(after)
                if always is not None:
                    methods = [always]
                elif method is not None:
                    methods = re.findall(method, after)
                else:
                    methods = [match["method"]]
                for each in dict.fromkeys(methods):
                    yield Operation(each.upper(), template(match["path"]), words)

    return read


def words_of(text: str) -> frozenset[str]:
    """Return all words of a text: plain ones, and those with dots, hyphens, dollar signs or angles in them."""
    text = unquote(text)
    whole = re.findall(r"[\w$@][\w$.@<>-]*", text)
    # `opts.due_on.before` may be the name `due_on.before` of `opts`.
    inner = [word.partition(".")[2] for word in whole if "." in word]
    return frozenset((*re.findall(r"\w+", text), *whole, *inner))
