"""Trello's API by the client trello.js."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "trello.js@1.2.8",
        "sha512-QOr4RemCz+zNIiufW6oA50Q3qOQVX7tR3jOSg+Pi1s4fTOuTv7C+vOeJtz8D6iNL232o/1zWvOMk7SBXtI6eaw==",
    ),
    base_url="https://api.trello.com/1",
    sources=("src/api/*.ts",),
    reader=operations(r"url: ['`](?P<path>/[^'`]+)['`],\s*method: '(?P<method>\w+)'"),
)
