"""Salesforce's REST API, and its standard objects, by the client that most of its users of Node take."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.clients import Operation, operations
from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm

_STANDARD = ("Account", "Case", "Contact", "Event", "Lead", "Opportunity", "Task")
_QUERIES = {"/{}/query": "{ q: string }", "/{}/sobjects/{}/{}": "{ fields?: string } | undefined"}


def _operations(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read `[this._baseUrl(), 'sobjects', type, id].join('/')` with the methods behind it, GET where there is none."""
    path = r"(?P<path>\[this\._baseUrl\(\), 'sobjects'[^\]]*\])"
    yield from operations(path, method=r"method: '(\w+)'")(sources)
    yield from operations(r"(?P<path>\[this\._baseUrl\(\), 'sobjects', type, 'describe'\])", always="GET")(sources)
    yield from operations(rf"{path}\.join\('/'\);\s*const \{{ recentItems", always="GET")(sources)
    for text in sources.values():
        if "scanAll ? 'queryAll' : 'query'" in text:
            yield Operation("GET", "/{}/query")


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Add what is sent; what records of the standard objects hold is typed."""
    for each in _operations(sources):
        if each.method not in ("POST", "PATCH"):
            yield Call(each.method, each.path, _QUERIES.get(each.path))
            continue
        call = Call(each.method, each.path, body="Record<string, unknown>")
        yield call
        for name in _STANDARD:
            path = each.path.replace("/sobjects/{}", f"/sobjects/{name}")
            yield evolve(call, path=path, body=f'Known<StandardSchema["SObjects"]["{name}"]["Fields"]>')


CHECK = compiled_client(
    npm("jsforce@3.10.16"),
    base_url="https://*.salesforce.com/services/data",
    sources=("lib/connection.js", "lib/query.js"),
    reader=_read,
    head="""
        import type { StandardSchema } from "./lib/types/standard-schema";
        // Without the fields of any names that each object has by its type besides.
        type Known<F> = { [K in keyof F as string extends K ? never : K]?: F[K] };
    """,
    types=("lib/types/*.d.ts",),
    left_out="which keys of bodies are required",
    untyped=("body.*",),
)

_GUIDE = "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest"
UNDESCRIBED = {
    "test": "OpenID Connect's user information, which Salesforce has outside its REST API",
    # The client has it too, but whatever is written behind this path would be taken for a record's.
    "list-objects": f"{_GUIDE}/resources_describeGlobal.htm",
    "search-records": f"{_GUIDE}/resources_search_parameterized.htm",
    # Their other requests, which search, go there too.
    **dict.fromkeys(("list-accounts", "list-contacts", "list-users"), f"{_GUIDE}/resources_search_parameterized.htm"),
}
