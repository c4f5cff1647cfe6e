"""Airtable's API by the OpenAPI document in a server for agents, which is made of it; Airtable publishes no package."""

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import pypi

CHECK = openapi_documents(pypi("arcade-airtable-api==0.4.1").keeping("arcade_airtable_api/moar/openapi.json"))
