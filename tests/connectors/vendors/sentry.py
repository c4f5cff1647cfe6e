"""Sentry's API by the vendor's own client, which is made of its OpenAPI document."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_CALL = re.compile(
    r"^var (?P<name>\w+) = \(options\) => [^\n]*\.(?P<method>\w+)\(\{[^}]*\}\],\s*url: \"(?P<path>[^\"]+)\"",
    re.MULTILINE,
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read calls; what one takes is declared as one type with a query and a body."""
    types = dict(re.findall(r"const (\w+): <[^>]*>\(options\??: Options<(\w+),", sources["dist/sdk.gen.d.ts"]))
    for match in _CALL.finditer(sources["dist/index.js"]):
        query, body = (f'types.{types[match["name"]]}["{place}"]' for place in ("query", "body"))
        yield Call(match["method"].upper(), template(match["path"]), query, body)


CHECK = compiled_client(
    npm("@sentry/api@0.1.0"),
    base_url="https://sentry.io",
    sources=("dist/index.js", "dist/sdk.gen.d.ts"),
    reader=_read,
    head='import type * as types from "./dist/types.gen.js";',
    types=("dist/types.gen.d.ts",),
    untyped=("query.project",),
)
