"""monday.com's GraphQL API by the types in the vendor's own client."""

from tests.connectors.descriptions.graphql_schema import GraphQLEndpoint
from tests.connectors.descriptions.graphql_types import generated_types
from tests.connectors.descriptions.packages import npm

CHECK = GraphQLEndpoint(
    "https://api.monday.com/v2",
    npm(
        "@mondaydotcomorg/api@14.0.0",
        "sha512-crQd8yxyhFZXHfjxN3Zhb7jv6eZ1grMSN9/gOjfZCKQtolTi+u/sfm0o2abioJqdIF66+GPit+yrH4BHHOAnxA==",
    ).keeping("dist/esm/index.d.ts"),
    generated_types,
)
