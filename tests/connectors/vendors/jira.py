"""Jira Cloud's API, version 2, by the client jira.js."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "jira.js@5.4.0",
        "sha512-W/ZumutCfEYPA8Zqf5CuokfHCvmm9OybLpv1Kt6W5usOrt8gfbtvczCARkIJOlWq1aOJ/tp1LuaZzUWlXto3Qw==",
    ),
    base_url="https://*.atlassian.net",
    sources=("src/version2/*.ts",),
    reader=operations(r"url: ['`](?P<path>/[^'`]+)['`],\s*method: '(?P<method>\w+)'"),
    types=("src/version2/models/issueTransition.ts",),
    free=frozenset({"fields"}),
)
