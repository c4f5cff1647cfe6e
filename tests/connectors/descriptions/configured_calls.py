"""
Calls that a client writes as an object each, in a method of its own: `{ url: …, method: …, params: {…}, data: {…} }`.

The values of that object are expressions over what the method takes, so the compiler tells their types.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, ReadCalls
from tests.connectors.descriptions.paths import template

_OPENING, _CLOSING = "([{", ")]}"
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`", re.DOTALL)


def configured_calls(
    beginning: str,
    parameters: Callable[[str, re.Match[str]], str | None],
    *,
    query: str = "params",
    body: str = "data",
    url: str = r"\burl: (?P<quote>['`\"])(?P<path>/.*?)(?P=quote)",
) -> ReadCalls:
    """
    Return what reads calls; `beginning` is a regular expression for how a method begins.

    `parameters` says of a file and such a beginning what the method takes, as `Call.parameters` has it, or None where
    it makes no call. `query` and `body` are the keys of what is sent there.
    """

    def read(sources: Mapping[str, str]) -> Iterator[Call]:
        for file, text in sources.items():
            found = list(re.finditer(beginning, text, re.MULTILINE))
            ends = [match.start() for match in found[1:]] + [len(text)] * bool(found)
            for match, end in zip(found, ends, strict=True):
                inside = text[match.end() : end]
                method, path = re.search(r"\bmethod: ['\"](\w+)['\"]", inside), re.search(url, inside)
                given = parameters(file, match)
                if method is not None and path is not None and given is not None:
                    sent = [value_of(key, inside) for key in (query, body)]
                    yield Call(method[1].upper(), template(path["path"]), *sent, parameters=given)

    return read


def value_of(key: str, text: str) -> str | None:
    """Return the expression that a key of an object literal has first in a text, None where there is no such key."""
    match = re.search(rf"(?<![\w.]){key}: ", text)
    return None if match is None else expression(text, match.end())


def expression(text: str, start: int) -> str:
    """Return the expression that begins somewhere, as far as the next comma, semicolon or closing bracket around it."""
    at, depth = start, 0
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if quoted is not None:
            at = quoted.end()
            continue
        character = text[at]
        if depth == 0 and (character in ",;" or character in _CLOSING):
            break
        depth += (character in _OPENING) - (character in _CLOSING)
        at += 1
    return text[start:at].strip()
