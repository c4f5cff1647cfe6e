"""Salesforce's REST API, and its standard objects, by the client that most of its users of Node take."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm


def _calls(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read `[this._baseUrl(), 'sobjects', type, id].join('/')` with the methods behind it, GET where there is none."""
    path = r"(?P<path>\[this\._baseUrl\(\), 'sobjects'[^\]]*\])"
    yield from operations(path, method=r"method: '(\w+)'")(sources)
    yield from operations(r"(?P<path>\[this\._baseUrl\(\), 'sobjects', type, 'describe'\])", always="GET")(sources)
    yield from operations(rf"{path}\.join\('/'\);\s*const \{{ recentItems", always="GET")(sources)
    for text in sources.values():
        if "scanAll ? 'queryAll' : 'query'" in text:
            yield Operation("GET", "/{}/query", frozenset({"q"}))


CHECK = ClientSources(
    npm(
        "jsforce@3.10.16",
        "sha512-lOTRzCAfFZMdXLxR4HB5f6W7B8cY7dG2FXUqJlo64AvgzurQh1bihzBtuBhY6XhOGLCtfI1/6GirpykFDS6Tng==",
    ),
    base_url="https://*.salesforce.com/services/data",
    sources=("lib/connection.js", "lib/query.js"),
    reader=_calls,
    types=("lib/types/standard-schema.d.ts",),
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
