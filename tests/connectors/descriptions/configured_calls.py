"""
Calls that a client makes in a method each, with what is sent as expressions over what the method takes.

The compiler tells the types of those expressions: `{ url: …, method: …, params: {…}, data: {…} }`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import field, frozen

from tests.connectors.descriptions.compiled_types import Call
from tests.connectors.descriptions.paths import template

_OPENING, _CLOSING = "([{", ")]}"
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`", re.DOTALL)
_COMMENT = re.compile(r"^\s*/\*\*.*?\*/", re.DOTALL | re.MULTILINE)  # in front of the next method

Written = Callable[[str], str | None]
Parameters = Callable[[str, str, re.Match[str]], str]


def value(key: str) -> Written:
    """Return what reads the expression that a key has first in a text: `data: …`."""
    return behind(rf"(?<![\w.]){key}: ")


def behind(pattern: str) -> Written:
    """Return what reads the expression that stands behind the first match of a regular expression."""
    beginning = re.compile(pattern, re.MULTILINE)

    def read(text: str) -> str | None:
        match = beginning.search(text)
        return None if match is None else expression(text, match.end())

    return read


def assigned(beginning: str) -> Written:
    """
    Return what reads an object from all assignments to its keys; the last group that fits names the key.

    Where a group `maybe` fits, the value may be left out: `maybe(…)` stands around it.
    """

    def read(text: str) -> str | None:
        parts = []
        for match in re.finditer(beginning, text):
            written = expression(text, match.end())
            maybe = match.groupdict().get("maybe") is not None
            parts.append(f'"{match[match.lastindex or 0]}": {f"maybe({written})" if maybe else written}')
        return "{ " + ", ".join(parts) + " }" if parts else None

    return read


def nothing(_: str) -> None:
    """Read nothing, where none is sent or told."""


@frozen
class ConfiguredCalls:
    """
    Reads calls; `beginning` is a regular expression for how a method begins.

    `parameters` says of a file and such a beginning what the method takes, as `Call.parameters` has it. `url` (groups
    `quote` and `path`) and `method` (group 1, `otherwise` where there is none) are regular expressions, `query`, `body`
    and `statements` read the text of a method, and `paths` says which ones a written path stands for.
    """

    beginning: str
    parameters: Parameters
    query: Written = field(default=value("params"))
    body: Written = field(default=value("data"))
    statements: Written = nothing
    url: str = r"\burl: (?P<quote>['`\"])(?P<path>/.*?)(?P=quote)"
    method: str = r"\bmethod: ['\"](\w+)['\"]"
    otherwise: str | None = None
    paths: Callable[[str], Iterable[str]] = lambda written: (written,)

    def __call__(self, sources: Mapping[str, str]) -> Iterator[Call]:
        """Read the calls of the client's members."""
        for file, text in sources.items():
            found = list(re.finditer(self.beginning, text, re.MULTILINE))
            ends = [match.start() for match in found[1:]] + [len(text)] * bool(found)
            for match, end in zip(found, ends, strict=True):
                inside = _COMMENT.sub("", text[match.end() : end])
                method, path = re.search(self.method, inside), re.search(self.url, inside)
                name = self.otherwise if method is None else method[1].upper()
                for each in self.paths(path["path"]) if name is not None and path is not None else ():
                    yield Call(
                        name or "",
                        template(each),
                        self.query(inside),
                        self.body(inside),
                        parameters=self.parameters(file, text, match),
                        statements=self.statements(inside) or "",
                    )


def listed(match: re.Match[str], method: str) -> str:
    """Name what a method takes, as its source does, without what is assumed where it is left out."""
    given = match.groupdict()
    names = re.sub(r" = (?:new \w+\(\{\}\)|\{(?:[^{}]|\{\})*\}|\w+)(?=,|$)", "", given.get("inner") or given["outer"])
    return f"...[{names}]: Parameters<{method}>" if names else ""


def of_class(beginning: str = r"^class (\w+)", outer: str = "", within: str = "") -> Parameters:
    """Return what names what a method of a class takes; the last class that begins before it is the one."""

    def parameters(file: str, text: str, match: re.Match[str]) -> str:
        (*_, owner) = re.findall(beginning, text[: match.start()], re.MULTILINE)
        module = re.sub(r"\.m?js$", "", file)
        return listed(match, outer + f'import("./{module}").{owner}' + within + f'["{match["name"]}"]')

    return parameters


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
