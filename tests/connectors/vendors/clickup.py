"""ClickUp's API by the OpenAPI document in a server for agents, which is made of it; ClickUp publishes no package."""

from tests.connectors.descriptions.openapi import OpenApiDocuments
from tests.connectors.descriptions.packages import pypi

CHECK = OpenApiDocuments(
    pypi(
        "arcade-clickup-api==0.2.1", "sha256:6a13db1524e8e455d482ecc905d4547b1eaf3debf03a199bbd72c51d69f7696c"
    ).keeping("arcade_clickup_api/moar/openapi.json")
)
