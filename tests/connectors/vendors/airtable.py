"""Airtable's API by the OpenAPI document in a server for agents, which is made of it; Airtable publishes no package."""

from tests.connectors.descriptions.openapi import OpenApiDocuments
from tests.connectors.descriptions.packages import pypi

CHECK = OpenApiDocuments(
    pypi(
        "arcade-airtable-api==0.4.1", "sha256:3e8b7426b49e21a4920a433a1e0bb3564e46de160ac63847ff4f89cb7f88f22d"
    ).keeping("arcade_airtable_api/moar/openapi.json")
)
