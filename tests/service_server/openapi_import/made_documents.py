"""Small OpenAPI documents for tests, and documents that Hypothesis makes up."""

from typing import Any

import yaml
from hypothesis import strategies as st

from service_server.openapi_import.steps import Choice, Imported, import_document


def document(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a document with these paths, on a server of its own unless `servers` says otherwise."""
    return {
        "openapi": "3.0.3",
        "info": {"title": "Acme Desk API", "version": "1"},
        "servers": [{"url": "https://api.acme.example/v1"}],
        "paths": paths,
        **more,
    }


def answer(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the responses of an operation that answers JSON."""
    return {"200": {"description": "It worked.", "content": {"application/json": {"schema": schema}}, **more}}


def json_body(schema: dict[str, Any], required: bool = True) -> dict[str, Any]:
    """Return the request body of an operation that takes JSON."""
    return {"required": required, "content": {"application/json": {"schema": schema}}}


def taken(made: dict[str, Any], **choice: Any) -> Imported:
    """Import a document as the app acme."""
    return import_document(made, Choice("acme", **choice))


def function_of(method: str, path: str, operation: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Import a document of one operation and return its function's file."""
    imported = taken(document({path: {method: operation}}, **more))
    assert [] == imported.report.operations_left_out
    [function] = imported.functions.values()
    return function


TEXT = {"type": "string"}


def in_path(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    """Declare a parameter of a path."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}, **more}


def in_query(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    """Declare a parameter of a query."""
    return {"name": name, "in": "query", "schema": {"type": kind}, **more}


def in_header(name: str, **more: Any) -> dict[str, Any]:
    """Declare a header."""
    return {"name": name, "in": "header", "schema": TEXT, **more}


def holding(*required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these members."""
    return {"type": "object", "properties": properties} | ({"required": list(required)} if required else {})


def sending(schema: dict[str, Any], path: str = "/things", **more: Any) -> dict[str, Any]:
    """Import an operation whose body this is, and return its function's file."""
    return function_of("post", path, {"requestBody": json_body(schema)}, **more)


def parameter(schema: dict[str, Any], name: str = "field", required: bool = True) -> dict[str, Any]:
    """Return what becomes of the schema of one member of a body."""
    members = holding(*[name] * required, **{name: schema, "other": TEXT})
    found: dict[str, Any] = sending(members)["parameters"]["properties"][name]
    return found


SWAGGER: dict[str, Any] = yaml.safe_load("""
swagger: "2.0"
info: {title: Pets, version: "1"}
host: pets.example
basePath: /v2
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
parameters:
  id: {name: id, in: path, required: true, type: integer}
definitions:
  Pet:
    type: object
    required: [name]
    properties: {name: {type: string}, tags: {type: array, items: {$ref: "#/definitions/Tag"}}}
  Tag: {type: object, properties: {name: {type: string}}}
securityDefinitions:
  oauth:
    type: oauth2
    flow: accessCode
    authorizationUrl: https://pets.example/a
    tokenUrl: https://pets.example/t
    scopes: {pets: All pets.}
  key: {type: apiKey, in: header, name: X-Key}
  login: {type: basic}
paths:
  /pets:
    get:
      operationId: findPets
      parameters: [{name: status, in: query, type: array, items: {type: string}, collectionFormat: csv}]
      responses: {"200": {schema: {type: array, items: {$ref: "#/definitions/Pet"}}}}
  /pets/{id}:
    parameters: [{$ref: "#/parameters/id"}]
    put:
      operationId: updatePet
      parameters: [{name: body, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}]
      responses: {"200": {description: Changed.}}
  /pets/{id}/photo:
    post:
      operationId: uploadPhoto
      consumes: [multipart/form-data]
      parameters:
        - $ref: "#/parameters/id"
        - {name: photo, in: formData, type: file, required: true}
        - {name: caption, in: formData, type: string}
      responses: {}
""")

_NAMES = st.sampled_from(
    ["id", "name", "filter[state]", "x-y", "9lives", "", "...", "next_page", "ünï", "${args.x}", "a b"]
)
_TEXTS = st.one_of(
    st.sampled_from(["", "A *bold* `code`.", "${args.id}", "a: b # c", "- x", "<b>x", "\x00\x1f", "yes"]),
    st.text(max_size=30),
)
_VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXTS)
_REFERENCES = st.sampled_from([f"#/components/schemas/{name}" for name in ("A", "B", "C")])


def _schemas(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["object", "array", "string", "integer", "number", "boolean", ["string", "null"], "file"]
            ),
            "properties": st.dictionaries(_NAMES, children, max_size=4),
            "required": st.lists(_NAMES, max_size=3),
            "items": children,
            **dict.fromkeys(("oneOf", "anyOf", "allOf"), st.lists(children, max_size=3)),
            "additionalProperties": st.one_of(st.booleans(), children),
            "enum": st.lists(_VALUES, max_size=4),
            "format": st.sampled_from(["date", "date-time", "email", "uri", "binary", "int64", "password"]),
            "pattern": st.sampled_from(["^a+$", "(", "\\d{2}", "(?P<x>a)", "[^\\u0000]"]),
            **dict.fromkeys(("minimum", "maximum"), st.integers(-5, 5)),
            "exclusiveMinimum": st.one_of(st.booleans(), st.integers(-5, 5)),
            **dict.fromkeys(("const", "default", "example"), _VALUES),
            **dict.fromkeys(("description", "title"), _TEXTS),
            **dict.fromkeys(("nullable", "readOnly", "writeOnly", "deprecated"), st.booleans()),
        },
    )


SCHEMAS = st.recursive(
    st.one_of(st.fixed_dictionaries({"$ref": _REFERENCES}), _schemas(st.just({})), st.booleans()),
    _schemas,
    max_leaves=12,
)
_PARAMETERS = st.fixed_dictionaries(
    {"name": _NAMES, "in": st.sampled_from(["query", "header", "path", "cookie"]), "schema": SCHEMAS},
    optional={
        "required": st.booleans(),
        "style": st.sampled_from(["form", "simple", "deepObject", "spaceDelimited", "pipeDelimited", "matrix"]),
        "explode": st.booleans(),
        "description": _TEXTS,
        "example": _VALUES,
        "deprecated": st.booleans(),
    },
)
_MEDIA = st.fixed_dictionaries({"schema": SCHEMAS}, optional={"example": _VALUES})
_MEDIA_TYPES = st.sampled_from(
    [
        *("application/json", "application/vnd.x+json", "application/x-www-form-urlencoded", "multipart/form-data"),
        *("text/plain", "application/octet-stream", "*/*", "Application/JSON; charset=utf-8", "image/*"),
    ]
)
_OPERATIONS = st.fixed_dictionaries(
    {
        "responses": st.fixed_dictionaries(
            {}, optional={"200": st.fixed_dictionaries({"content": st.dictionaries(_MEDIA_TYPES, _MEDIA, max_size=1)})}
        )
    },
    optional={
        "operationId": st.one_of(
            st.sampled_from(["listThings", "things/get", "get_things__get", "ünï", "-", "post"]), _TEXTS
        ),
        "summary": _TEXTS,
        "description": _TEXTS,
        "parameters": st.lists(_PARAMETERS, max_size=4),
        "requestBody": st.fixed_dictionaries(
            {"content": st.dictionaries(_MEDIA_TYPES, _MEDIA, max_size=2)}, optional={"required": st.booleans()}
        ),
        "deprecated": st.booleans(),
        "tags": st.lists(_TEXTS, max_size=2),
    },
)
_WRITTEN = """
    / /things /things/{id} /things/{id}/parts/{name} /a/{x-y}:go /things?kind={id} /{} /.. /q?x=1&y=${z} /.hidden/{id}
    /things/{id}/{name} /ünï /users/me /things/{id //x /x%2fy
"""
_PATHS = st.sampled_from([*_WRITTEN.split(), "/a b"])
_METHODS = st.sampled_from(["get", "post", "put", "patch", "delete", "head", "options"])
_SERVERS = st.sampled_from(
    [
        *("https://api.acme.example", "/api", "", "http://localhost:8080/x", "https://{tenant}.acme.example/{version}"),
        *("{scheme}://acme.example:{port}", "//acme.example/", "https://acme.example?x=1", "ftp://acme.example"),
    ]
)
_SCHEMES = st.sampled_from(
    [
        {"type": "apiKey", "in": "header", "name": "X-Key"},
        {"type": "apiKey", "in": "query", "name": "key"},
        {"type": "apiKey", "in": "header", "name": "Authorization", "description": "Write Bearer before it."},
        {"type": "apiKey", "in": "cookie", "name": "session"},
        {"type": "http", "scheme": "basic"},
        {"type": "http", "scheme": "bearer"},
        {"type": "http", "scheme": "digest"},
        {"type": "openIdConnect", "openIdConnectUrl": "https://acme.example/.well-known/openid-configuration"},
        {
            "type": "oauth2",
            "flows": {"authorizationCode": {"authorizationUrl": "/o/a", "tokenUrl": "/o/t", "scopes": {"a": ""}}},
        },
        {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://acme.example/t", "scopes": {}}}},
        {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://acme.example/a", "scopes": {}}}},
    ]
)

DOCUMENTS = st.builds(
    lambda paths, schemas, servers, schemes: document(
        paths,
        servers=[{"url": url} for url in servers],
        components={"schemas": schemas, "securitySchemes": schemes},
        security=[{name: []} for name in schemes],
    ),
    st.dictionaries(_PATHS, st.dictionaries(_METHODS, _OPERATIONS, min_size=1, max_size=2), min_size=1, max_size=4),
    st.fixed_dictionaries({"A": SCHEMAS, "B": SCHEMAS, "C": SCHEMAS}),
    st.lists(_SERVERS, max_size=2),
    st.dictionaries(st.sampled_from(["key", "OAuth 2", "9"]), _SCHEMES, max_size=2),
)
