"""Reads a document: the values of its file, JSON or YAML, within limits, and Swagger 2 as OpenAPI 3."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from service_server.catalog.document import DocumentError, read_values
from service_server.openapi_import.document import BrokenDocument, Document, Part, refused

MAX_BYTES = 64 * 1024 * 1024
MAX_YAML_BYTES = 16 * 1024 * 1024  # YAML is read many times slower than JSON, and its nodes take more memory
MAX_VALUES = 5_000_000  # of YAML, with aliases counted as often as they are used
MAX_LEVELS = 200
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
_SCHEMA_KEYS = frozenset(
    {"type", "format", "items", "default", "enum", "pattern", "minimum", "maximum", "multipleOf", "example"}
    | {"exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "x-example"}
)
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited", "tsv": "tabDelimited"}
_FLOWS = {"accessCode": "authorizationCode", "application": "clientCredentials", "password": "password"}
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"


def read_source(file: Path) -> tuple[Any, str]:
    """Return the value of a file of at most 64 MiB (YAML: 16 MiB), with its hex SHA-256; raises `ImportRefused`."""
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise refused(f"the file is larger than {MAX_BYTES >> 20} MiB; import a part of it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refused(f"the file is not UTF-8 text (byte {error.start})") from error
    is_json = text.lstrip()[:1] in ("{", "[") and file.suffix.lower() not in (".yaml", ".yml")
    if not is_json and len(text) > MAX_YAML_BYTES:
        raise refused(f"the file is YAML of more than {MAX_YAML_BYTES >> 20} MiB; convert it to JSON")
    try:
        value = _read_json(text) if is_json else read_values(text, MAX_VALUES, MAX_LEVELS, merges=True)
    except DocumentError as error:
        raise refused(f"line {error.line}: {error.message}") from error
    except RecursionError as error:
        raise refused(f"the file is nested deeper than {MAX_LEVELS} levels") from error
    return value, hashlib.sha256(content).hexdigest()


def _read_json(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise refused(f"line {error.lineno}, column {error.colno}: is not JSON: {error.msg}") from error
    except ValueError as error:  # an integer of thousands of digits, or no number at all
        raise refused(f"is not JSON: {error}") from error
    _check_levels(value)
    if _SURROGATE.search(text):  # half of a character, which no file can hold
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number of JSON")


def _check_levels(value: Any, left: int = MAX_LEVELS) -> None:
    if left == 0:
        raise refused(f"the file is nested deeper than {MAX_LEVELS} levels")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_levels(each, left - 1)


def open_document(value: Any) -> tuple[Document, str]:
    """Return the document as OpenAPI 3, and what it calls itself, such as `OpenAPI 3.0.3`."""
    if not isinstance(value, Mapping):
        raise refused("the file holds no OpenAPI document: an object with 'openapi' or 'swagger'")
    version = value.get("openapi", value.get("swagger"))
    if version is None:
        raise refused("the file holds no OpenAPI document: neither 'openapi' nor 'swagger' is in it")
    text = str(version)
    if not isinstance(value.get("paths", {}), Mapping):
        raise BrokenDocument(("paths",), "must be an object with the paths of the API")
    if "openapi" in value and re.match(r"3\.[01](\.|\Z)", text):
        return Document(Part(value, ()), text.startswith("3.1")), f"OpenAPI {text}"
    if "swagger" in value and re.match(r"2(\.|\Z)", text):
        return Document(Part(_Upgrade(Document(Part(value, ()), False)).document(), ()), False), f"Swagger {text}"
    raise refused(f"can't read version {text[:20]}; known are OpenAPI 3.0 and 3.1 and Swagger 2.0")


@frozen
class _Upgrade:
    """Swagger 2 on its way to OpenAPI 3; schemas stay where they are, so that references keep their meaning."""

    old: Document

    def document(self) -> dict[str, Any]:
        schemes = self.old.root.at("securityDefinitions").members
        return {
            **self.old.root.object,
            "openapi": "3.0.3",
            "paths": {path: self._path(item) for path, item in self.old.root.at("paths").members},
            "servers": self._servers(self.old.root.at("schemes")),
            "components": {"securitySchemes": {name: _scheme(scheme.object) for name, scheme in schemes}},
        }

    def _servers(self, schemes: Part) -> list[dict[str, str]]:
        host, base = self.old.root.at("host").text, self.old.root.at("basePath").text
        names = [each.text for each in schemes.items] or ["https"]
        scheme = "https" if "https" in names else names[0]
        return [{"url": f"{scheme}://{host}{base}" if host else base or "/"}]

    def _path(self, item: Part) -> Any:
        item = self.old.followed(item)
        shared = self._parameters(item)
        kept = {key: value for key, value in item.object.items() if key != "parameters"}
        for method in set(METHODS) & kept.keys() - {"trace"}:
            kept[method] = self._operation(item.at(method), shared)
        return kept

    def _parameters(self, part: Part) -> dict[tuple[str, str], Part]:
        found = [self.old.followed(each) for each in part.at("parameters").items]
        return {(each.at("in").text, each.at("name").text): each for each in found}

    def _operation(self, operation: Part, shared: dict[tuple[str, str], Part]) -> dict[str, Any]:
        own = self._parameters(operation)
        parameters = {key: each for key, each in shared.items() if key not in own} | own
        fields = {name: each for (place, name), each in parameters.items() if place == "formData"}
        result = {key: value for key, value in operation.object.items() if key not in ("consumes", "produces")}
        sent = [each for (place, _), each in parameters.items() if place not in ("body", "formData")]
        result["parameters"] = [_parameter(each) for each in sent]
        if operation.object.get("schemes"):
            result["servers"] = self._servers(operation.at("schemes"))
        consumes = self._media_types(operation, "consumes")
        for body in (each.value for (place, _), each in parameters.items() if place == "body"):
            content = {"schema": body.get("schema", {}), "example": body.get("x-example")}
            result["requestBody"] = {**body, "content": dict.fromkeys(consumes or ["application/json"], content)}
        if fields:
            result["requestBody"] = _form(fields, consumes)
        produces = self._media_types(operation, "produces") or ["application/json"]
        responses = operation.at("responses").members
        result["responses"] = {str(status): self._response(response, produces) for status, response in responses}
        return result

    def _media_types(self, operation: Part, key: str) -> list[str]:
        here = operation.at(key)
        return [each.text for each in (self.old.root.at(key) if here.value is None else here).items]

    def _response(self, response: Part, produces: list[str]) -> dict[str, Any]:
        try:
            found = self.old.followed(response).object
        except BrokenDocument:
            return {}  # answers only help to find lists and pages
        headers = found.get("headers")
        content = {name: {"schema": found["schema"]} for name in produces} if "schema" in found else {}
        return {"headers": headers if isinstance(headers, Mapping) else {}, "content": content}


def _parameter(parameter: Part) -> dict[str, Any]:
    value = parameter.object
    schema = {key.removeprefix("x-"): each for key, each in value.items() if key in _SCHEMA_KEYS}
    result = {key: each for key, each in value.items() if key not in _SCHEMA_KEYS and key != "collectionFormat"}
    if schema.get("type") == "array" and value.get("in") == "query":
        form = str(value.get("collectionFormat", "csv"))
        result |= {"style": _STYLES.get(form, "form"), "explode": form == "multi"}
    return result | {"schema": schema}


def _form(fields: dict[str, Part], consumes: list[str]) -> dict[str, Any]:
    properties = {name: _parameter(each)["schema"] for name, each in fields.items()}
    for name, each in fields.items():
        if "description" in each.value:
            properties[name]["description"] = each.value["description"]
    has_file = any(each.value.get("type") == "file" for each in fields.values())
    is_multipart = has_file or (MULTIPART in consumes and FORM not in consumes)
    required = [name for name, each in fields.items() if each.value.get("required") is True]
    content = {"schema": {"type": "object", "properties": properties, "required": required}}
    return {"required": bool(required), "content": {MULTIPART if is_multipart else FORM: content}}


def _scheme(value: Mapping[str, Any]) -> Mapping[str, Any]:
    if value.get("type") == "basic":
        return {**value, "type": "http", "scheme": "basic"}
    if value.get("type") != "oauth2":
        return value
    return {**value, "flows": {_FLOWS.get(str(value.get("flow")), "implicit"): value}}
