"""ClickUp's API by the OpenAPI document in a server for agents, which is made of it; ClickUp publishes no package."""

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import pypi

CHECK = openapi_documents(pypi("arcade-clickup-api==0.2.1").keeping("arcade_clickup_api/moar/openapi.json"))
