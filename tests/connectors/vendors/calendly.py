"""Calendly's API by the operations in a server for agents, which are those of the vendor's OpenAPI document."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import pypi


def _read(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Put the operations together in one document; each stands in a file, with its body as OpenAPI writes it."""
    paths: dict[str, dict[str, Any]] = {}
    for text in texts.values():
        endpoint = json.loads(text)["http_endpoint"]
        told = [each for each in endpoint["parameters"] if each["accepted_as"] != "body"]
        operation: dict[str, Any] = {"parameters": [*map(_parameter, told)]}
        if endpoint.get("request_body_spec"):
            operation["requestBody"] = json.loads(endpoint["request_body_spec"])
        path = endpoint["url"].removeprefix("https://api.calendly.com")
        paths.setdefault(path, {})[endpoint["http_method"].lower()] = operation
    yield {"openapi": "3.0.0", "info": {"title": "Calendly", "version": "2"}, "paths": paths}


def _parameter(told: Mapping[str, Any]) -> dict[str, Any]:
    kind = told["value_schema"]
    schema = {"type": kind["val_type"]}
    schema |= {"enum": kind["enum"]} if kind["enum"] else {}
    schema |= {"items": {"type": kind["inner_val_type"]}} if kind["inner_val_type"] else {}
    return {"name": told["name"], "in": told["accepted_as"], "required": told["required"], "schema": schema}


CHECK = openapi_documents(
    pypi("arcade-calendly-api==0.3.1").keeping("arcade_calendly_api/wrapper_tools/*.json"),
    base_url="https://api.calendly.com",
    reader=_read,
)
