"""Notion's API by the vendor's own client."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_CALL = re.compile(
    r'^exports\.(?P<name>\w+) = \{\s*method: "(?P<method>\w+)",\s*pathParams: \[.*?\],\s*'
    r"queryParams: (?P<query>\[.*?\]),\s*bodyParams: (?P<body>\[.*?\]),"
    r"(?:(?!^\};).)*?path: \(\w*\) => `(?P<path>[^`]+)`",
    re.DOTALL | re.MULTILINE,
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read which of a call's parameters go where; their types are those of the one type for all of them."""
    for file, text in sources.items():
        module = file.rpartition("/")[2].removesuffix(".js").replace("-", "_")
        for match in _CALL.finditer(text):
            name = match["name"]
            parameters = f"{module}.{name[:1].upper()}{name[1:]}Parameters"
            query, body = (" | ".join(re.findall(r'"\w+"', match[place])) for place in ("query", "body"))
            yield Call(
                match["method"].upper(),
                template(match["path"]),
                f"Of<{parameters}, {query}>" if query else None,
                f"Of<{parameters}, {body}>" if body else None,
            )


_MODULES = ("blocks", "comments", "data-sources", "databases", "pages", "search", "users")

CHECK = compiled_client(
    npm("@notionhq/client@5.26.0"),
    base_url="https://api.notion.com/v1",
    sources=tuple(f"build/src/api-endpoints/{module}.js" for module in _MODULES),
    reader=_read,
    head="\n".join(
        (
            *(f'import type * as {m.replace("-", "_")} from "./build/src/api-endpoints/{m}.js";' for m in _MODULES),
            "type Of<T, K extends string> = T extends unknown ? Pick<T, Extract<keyof T, K>> : never;",
        )
    ),
    types=("build/src/api-endpoints/*.d.ts",),
)
