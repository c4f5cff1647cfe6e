"""Tells which OpenAPI a document is, and takes Swagger 2 to OpenAPI 3 so that the other steps know one form."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.problems import BrokenDocument, Fault, ImportRefused
from service_server.openapi_import.swagger2 import upgraded

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")


def open_document(value: Any) -> tuple[Document, str]:
    """Return the document as OpenAPI 3, and what it calls itself, such as `OpenAPI 3.0.3`."""
    if not isinstance(value, Mapping):
        raise ImportRefused([Fault("", "the file holds no OpenAPI document: an object with 'openapi' or 'swagger'")])
    version = value.get("openapi", value.get("swagger"))
    if version is None:
        raise ImportRefused([Fault("", "the file holds no OpenAPI document: neither 'openapi' nor 'swagger' is in it")])
    text = str(version)
    if not isinstance(value.get("paths", {}), Mapping):
        raise BrokenDocument(("paths",), "must be an object with the paths of the API")
    if "openapi" in value and re.match(r"3\.[01](\.|\Z)", text):
        return Document(Part(value, ()), text.startswith("3.1")), f"OpenAPI {text}"
    if "swagger" in value and re.match(r"2(\.|\Z)", text):
        return Document(Part(upgraded(value), ()), False), f"Swagger {text}"
    raise ImportRefused([Fault("", f"can't read version {text[:20]}; known are OpenAPI 3.0 and 3.1 and Swagger 2.0")])
