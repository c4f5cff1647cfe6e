"""Methods and paths that a vendor's client calls, read from its source text by regular expressions."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import frozen

from tests.connectors.descriptions.paths import template


@frozen
class Operation:
    """What a client can call."""

    method: str
    path: str


Read = Callable[[Mapping[str, str]], Iterable[Operation]]


def operations(path: str, *, method: str | None = None, always: str | None = None) -> Read:
    """
    Return what reads operations by a regular expression for their paths (group `path`).

    The method is the group `method` of that expression, or each match of the expression `method` between this path and
    the next one (group 1), or `always` the same.
    """
    expression = re.compile(path, re.DOTALL)

    def read(sources: Mapping[str, str]) -> Iterator[Operation]:
        for text in sources.values():
            matches = list(expression.finditer(text))
            for index, match in enumerate(matches):
                following = matches[index + 1].start() if index + 1 < len(matches) else len(text)
                if always is not None:
                    methods = [always]
                elif method is not None:
                    methods = re.findall(method, text[match.start() : following])
                else:
                    methods = [match["method"]]
                for each in dict.fromkeys(methods):
                    yield Operation(each.upper(), template(match["path"]))

    return read
