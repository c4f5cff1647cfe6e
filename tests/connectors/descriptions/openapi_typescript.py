"""Clients whose types openapi-typescript makes of a vendor's document: one type has all paths, with their methods."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, ReadCalls
from tests.connectors.descriptions.paths import template

# `paths` has to be there; what a document lacks stands in `Documented`, by `get /notes`.
HEAD = """
    type Query<P extends keyof paths, M extends keyof paths[P] & string> = Of<paths[P][M], "query">
      & (`${M} ${P}` extends keyof Documented ? Documented[`${M} ${P}`] : unknown);
    type Of<O, K extends string> = O extends { parameters: { [_ in K]?: infer S } } ? S : undefined;
    type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: infer B }
      ? (B extends { content: { "application/json": infer T } } ? T : B extends { content: unknown } ? unknown : B)
      : undefined;
"""

_LINE = re.compile(
    r"^(?:  |    )(?P<quote>['\"])(?P<path>/.*)(?P=quote): \{$|^(?:    |        )(?P<method>\w+): operations[\w$]*\[",
    re.MULTILINE,
)


def openapi_typescript_calls(file: str, *beginnings: str) -> ReadCalls:
    """Return what reads the calls whose paths begin in certain ways; `file` has the types."""

    def read(sources: Mapping[str, str]) -> Iterator[Call]:
        path = ""
        for match in _LINE.finditer(sources[file]):
            path = match["path"] or path
            if match["method"] and path.startswith(beginnings):
                query, body = (f'{place}<"{path}", "{match["method"]}">' for place in ("Query", "Body"))
                yield Call(match["method"].upper(), template(path), query, body)

    return read
