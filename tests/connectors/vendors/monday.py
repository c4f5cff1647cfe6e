"""monday.com's GraphQL API by the types in the vendor's own client."""

from tests.connectors.descriptions.graphql_schema import graphql_endpoint
from tests.connectors.descriptions.graphql_types import generated_types
from tests.connectors.descriptions.packages import npm

CHECK = graphql_endpoint(
    "https://api.monday.com/v2",
    npm("@mondaydotcomorg/api@14.0.0").keeping("dist/esm/index.d.ts"),
    generated_types,
)
