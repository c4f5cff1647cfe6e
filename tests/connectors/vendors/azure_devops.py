"""Azure DevOps' REST API by Microsoft's own client for extensions, and its search by Microsoft's server for agents."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations, words_of
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_CALL = re.compile(r"beginRequest\(\{(?P<before>(?:(?!beginRequest).)*?)routeTemplate: \"(?P<path>[^\"]+)\"", re.DOTALL)
_METHOD = re.compile(r"method: \"(\w+)\"")


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """
    Read `method: "POST", …, routeTemplate: "{project}/_apis/git/repositories/{*repositoryId}"`.

    Projects, teams and a last parameter can be left out, as in the calls that give them no value.
    """
    for text in sources.values():
        words = words_of(text)
        for match in _CALL.finditer(text):
            method = (_METHOD.findall(match["before"]) or ["GET"])[-1]
            paths = {match["path"].replace("{*", "{")}
            for left_out in (r"^\{project\}/", r"\{team\}/", r"/\{\w+\}$"):
                paths |= {re.sub(left_out, "", path) for path in paths}
            yield from (Operation(method, template(path), words) for path in paths)


CHECK = AnyOf(
    ClientSources(
        npm(
            "azure-devops-extension-api@5.276.0",
            "sha512-5fAZCPIooJqw6vlXl8ZF6qWZHqL4CJfTB1hvJjsNyg90eB0UuXMKhZC1b0YC7mzZCnzpmy0WKF//76A2ZWOoMw==",
        ),
        base_url="https://dev.azure.com/*",
        sources=("*/*Client.js",),
        reader=_read,
        types=("*/Core.d.ts", "*/Git.d.ts", "*/Pipelines.d.ts", "*/WebApi.d.ts", "*/WorkItemTracking.d.ts"),
        # The client names the object of conditions, and sends its members by their paths.
        extra=frozenset({"searchCriteria.status"}),
    ),
    ClientSources(
        npm(
            "@azure-devops/mcp@2.10.0",
            "sha512-Wwd3kszlm+ag43X1fs7+kOt7ACLXF+hymNYQA8hzvbIFtrKsKmhrU6gnU1rsOqQEnueFR1rQLGNvjB3uA3AngA==",
        ),
        base_url="https://almsearch.dev.azure.com/*",
        sources=("dist/tools/search.js",),
        reader=operations(r"almsearch\.dev\.azure\.com/\$\{orgName\}(?P<path>/[^?]+)", method=r"method: \"(\w+)\""),
    ),
)
