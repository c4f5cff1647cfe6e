"""Confluence Cloud's API, both of its versions, by the client confluence.js."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "confluence.js@3.2.0",
        "sha512-UsFoc5qlt1N6wWvE4aCz9Qbgfc9nq5wusLAbSWGCWw0XYEDnmzdOiEHwFUmV7XU52pnsXszCUNFMiVOxEyvE2A==",
    ),
    base_url="https://*.atlassian.net",
    sources=("dist/v1/api/*.js", "dist/v2/api/*.js"),
    reader=operations(r"url: ['`](?P<path>/[^'`]+)['`],\s*method: '(?P<method>\w+)'"),
    # Most bodies are objects of any keys there.
    types=("dist/v2/parameters/createFooterComment.d.ts", "dist/v1/parameters/addLabelsToContent.d.ts"),
    extra=frozenset({"spaceId", "parentId", "status", "title", "id", "version", "number", "message"}),
)
