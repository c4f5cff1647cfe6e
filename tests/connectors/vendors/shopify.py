"""Shopify's GraphQL Admin API by the schema that the vendor's own tools for developers carry."""

from tests.connectors.descriptions.graphql_schema import graphql_endpoint, introspection
from tests.connectors.descriptions.packages import npm

CHECK = graphql_endpoint(
    "https://acme-store.myshopify.com/admin/api/2026-10/graphql.json",
    npm("@shopify/dev-mcp@1.16.0").keeping("dist/data/admin_2026-10.json.gz"),
    introspection,
)
