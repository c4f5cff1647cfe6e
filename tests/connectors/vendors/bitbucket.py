"""Bitbucket's REST API by the client that most of its users of Node take, which is made of the vendor's document."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_CALL = re.compile(
    r"(?P<group>\w+):\{(?=\w+:\{(?:alias|accepts|headers|method|params):)|"
    r'(?P<name>\w+):\{(?:accepts:\[[^\]]*\],)?(?:headers:\{[^}]*\},)?method:"(?P<method>\w+)"(?:(?!method:").)*?url:"(?P<path>[^"]+)"'
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read the list of calls of each group: `repositories:{get:{method:"GET",params:{…},url:"/repositories/…"}}`."""
    for text in sources.values():
        group = ""
        for match in _CALL.finditer(text):
            group = match["group"] or group
            if match["name"]:
                path = match["path"]
                given = f'Given<Endpoints["{group}"], "{match["name"]}">'
                inside = " | ".join(f'"{name}"' for name in re.findall(r"\{(\w+)\}", path)) or "never"
                yield Call(match["method"], template(path), f"Query<{given}, {inside}>", f"Body<{given}>")


CHECK = compiled_client(
    npm("bitbucket@2.12.0"),
    base_url="https://api.bitbucket.org/2.0",
    sources=("lib/index.js",),
    reader=_read,
    head="""
        import type { APIEndpoints as Endpoints } from "./lib/bitbucket.js";
        type Given<G, N> = N extends keyof G ? (G[N] extends (params: infer P) => unknown ? P : never) : {};
        type Query<P, K, Q = Omit<P, Extract<K, keyof P> | "_body">> = keyof Q extends never ? undefined : Q;
        type Body<P> = "_body" extends keyof P ? P["_body"] : undefined;
    """,
    types=("lib/bitbucket.d.ts",),
    rewrite=amended(
        # What answers tell themselves apart by; no example of the vendor's sends it.
        ("    type: string\n", "    type?: string\n"),
        # Documented by the vendor; of what a pipeline can run for, references are the only kind that we send.
        ("RepositoriesCreateBranch = {\n    _body: any", "RepositoriesCreateBranch = {\n    _body: Schema.Branch"),
        ("type Pullrequest = Object & {", "type Pullrequest = Object & { description?: string; draft?: boolean"),
        ("target?: PipelineTarget\n", "target?: PipelineRefTarget\n"),
        ("type RepositoriesListCommits = {", "type RepositoriesListCommits = { path?: string"),
    ),
)
