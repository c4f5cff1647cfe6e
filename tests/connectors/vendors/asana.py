"""Asana's API by the OpenAPI document in a server for agents, which is made of it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import pypi


def _read(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Add what the document says only in words: how long a page of a search is, and that any field can be asked for."""
    (text,) = texts.values()
    document = json.loads(text)
    search, typeahead = (
        document["paths"][f"/workspaces/{{workspace_gid}}/{path}"]["get"] for path in ("tasks/search", "typeahead")
    )
    search["parameters"].append(document["components"]["parameters"]["limit"])
    (fields,) = (each for each in typeahead["parameters"] if each["name"] == "opt_fields")
    del fields["schema"]["items"]["enum"]
    yield document


CHECK = openapi_documents(
    pypi("arcade-asana-api==0.2.3").keeping("arcade_asana_api/moar/openapi.json"),
    reader=_read,
)
