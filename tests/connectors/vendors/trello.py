"""Trello's API by the client trello.js."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls
from tests.connectors.descriptions.packages import npm

_IN_QUERIES = ConfiguredCalls(
    r"^  async (?P<name>\w+)<[^;{]*?parameters\??: (?P<type>[\w.]+)(?:(?!;\n)[^{])*\{$",
    lambda _, __, match: f"parameters: Texts<{match['type']}>",
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read calls; Trello takes in a body what the client sends in a query, beside a file where there is one."""
    # Of what is documented of all lists of actions, the client hands on less.
    yield Call("GET", "/cards/{}/actions", query="{ filter?: string; limit?: number; page?: number }")
    for call in _IN_QUERIES(sources):
        is_file = call.body == "formData"
        if not is_file:
            yield call
        if call.method != "GET" and (is_file or call.body is None):
            yield evolve(call, query=None, body=call.query)


CHECK = compiled_client(
    npm("trello.js@1.2.8"),
    base_url="https://api.trello.com/1",
    sources=("src/api/*.ts",),
    reader=_read,
    head="""
        import type * as Parameters from "./src/api/parameters";
        declare const formData: unknown;
        // The client writes a list as one text, with commas.
        type Texts<P> = { [K in keyof P]: Joined<P[K]> };
        type Joined<V> = V extends unknown[] ? string : V;
    """,
    types=("src/types/*.ts", "src/clients/*.ts"),
)
