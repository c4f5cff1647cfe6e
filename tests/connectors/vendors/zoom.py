"""Zoom by its own client for Node."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_PART = re.compile(
    r"^(?:class (?P<class>\w+)|    (?P<group>\w+) = \{$|"
    r"        (?P<name>\w+): this\.buildEndpoint\(\{\s*method: \"(?P<method>[A-Z]+)\",\s*"
    r"(?:baseUrlOverride: [^\n]*\s*)?urlPathBuilder: \([^)]*\) => `(?P<path>[^`]+)`)",
    re.MULTILINE,
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read the endpoints of each group of a class; the type of each tells the query and the body apart."""
    for file, text in sources.items():
        module = file.partition("/")[0]
        owner = group = ""
        for match in _PART.finditer(text):
            owner, group = match["class"] or owner, match["group"] or group
            if match["name"]:
                endpoint = f'{module}["{group}"]["{match["name"]}"]'
                query, body = (f'Of<{endpoint}, "{place}">' for place in ("query", "body"))
                yield Call(match["method"], template(match["path"]), query, body)


CHECK = compiled_client(
    npm("@zoom/rivet@0.4.0"),
    base_url="https://api.zoom.us/v2",
    sources=("meetings/meetings.mjs", "users/users.mjs"),
    reader=_read,
    head="""
        import type { MeetingsEndpoints as meetings } from "./meetings/meetings.js";
        import type { UsersEndpoints as users } from "./users/users.js";
        type Of<F extends (sent: never) => unknown, K> = Field<Parameters<F>[0], K>;
        type Field<S, K> = K extends keyof S ? S[K] : undefined;
    """,
    types=("meetings/meetings.d.ts", "users/users.d.ts"),
)
