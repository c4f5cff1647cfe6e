"""Parameters and bodies are sent the way the document says."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from service_server.onward.values import OnwardRequest
from tests.service_server.catalog.compiled import read_request
from tests.service_server.openapi_import.made_documents import JSON_ANSWER, document, function_of, json_body, taken


def sent(function: dict[str, Any], **arguments: Any) -> OnwardRequest:
    """Build the request of a function's file."""
    return read_request(function["request"]).build("https://x", {"args": arguments, "vars": {}})


def with_parameter(declared: dict[str, Any], path: str = "/things") -> dict[str, Any]:
    """Import an operation with one parameter."""
    return function_of("get", path, {"parameters": [declared]})


@pytest.mark.parametrize(
    ("declared", "value", "query"),
    [
        ({"schema": {"type": "string"}}, "a b", [("p", "a b")]),
        ({"schema": {"type": "array", "items": {"type": "string"}}}, ["a", "b"], [("p", "a"), ("p", "b")]),
        ({"schema": {"type": "array", "items": {"type": "string"}}, "explode": False}, ["a", "b"], [("p", "a,b")]),
        (
            {"schema": {"type": "array", "items": {"type": "string"}}, "style": "spaceDelimited", "explode": False},
            ["a", "b"],
            [("p", "a b")],
        ),
        (
            {"schema": {"type": "array", "items": {"type": "string"}}, "style": "pipeDelimited", "explode": False},
            ["a", "b"],
            [("p", "a|b")],
        ),
        (
            {"schema": {"type": "object", "properties": {"gt": {"type": "integer"}}}, "style": "deepObject"},
            {"gt": 5},
            [("p[gt]", "5")],
        ),
    ],
)
def test_query_styles(declared: dict[str, Any], value: Any, query: list[tuple[str, str]]) -> None:
    """Lists and objects in a query are written by the parameter's style and explode."""
    function = with_parameter({"name": "p", "in": "query", **declared})
    assert query == parse_qsl(urlsplit(sent(function, p=value).url).query)


def test_lists_with_brackets_in_their_name() -> None:
    """A list called `ids[]` is an argument called ids, sent with its brackets."""
    function = with_parameter(
        {"name": "ids[]", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}
    )
    assert [("ids[]", "a"), ("ids[]", "b")] == parse_qsl(urlsplit(sent(function, ids=["a", "b"]).url).query)


def test_an_exploded_object_is_several_parameters() -> None:
    """An object of the usual style isn't sent by its name: each member is a parameter."""
    schema = {"type": "object", "properties": {"state": {"type": "string"}, "since": {"type": "string"}}}
    function = with_parameter({"name": "filter", "in": "query", "schema": schema})

    assert {"state", "since"} == set(function["parameters"]["properties"])
    assert [("state", "open")] == parse_qsl(urlsplit(sent(function, state="open").url).query)


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({}, "{}"),
        ({"examples": {"none": {"summary": "Nothing"}, "one": {"value": {"état": ["new"]}}}}, '{"état": ["new"]}'),
        ({"examples": ["new"]}, '"new"'),
    ],
)
def test_json_in_a_query_is_written_as_text(more: dict[str, Any], shown: str) -> None:
    """What a query holds as JSON is a text, and the field shows the document's own example of it."""
    media = {"schema": {"type": "object"}, **more}
    function = with_parameter({"name": "filter", "in": "query", "content": {"application/json": media}})

    assert shown == function["parameters"]["properties"]["filter"]["x-placeholder"]
    assert [("filter", shown)] == parse_qsl(urlsplit(sent(function, filter=shown).url).query)


def test_single_values_are_constants() -> None:
    """What is required and has only one value is sent without asking; what is optional is left to the caller."""
    function = function_of(
        "get",
        "/things",
        {
            "parameters": [
                {"name": "format", "in": "query", "required": True, "schema": {"type": "string", "enum": ["json"]}},
                {"name": "deep", "in": "query", "schema": {"type": "string", "enum": ["yes"]}},
            ]
        },
    )

    assert ["deep"] == list(function["parameters"]["properties"])
    assert "https://x/things?format=json" == sent(function).url


def test_deprecated_and_cookie_parameters_are_left_out() -> None:
    """Neither an optional deprecated parameter nor a cookie becomes an argument."""
    function = function_of(
        "get",
        "/things",
        {
            "parameters": [
                {"name": "old", "in": "query", "deprecated": True, "schema": {"type": "string"}},
                {"name": "needed", "in": "query", "deprecated": True, "required": True, "schema": {"type": "string"}},
                {"name": "theme", "in": "cookie", "schema": {"type": "string"}},
            ]
        },
    )
    assert ["needed"] == list(function["parameters"]["properties"])


def test_path_parameters_come_from_everywhere() -> None:
    """Parameters of the path item hold for its operations, which may replace them; undeclared ones are texts."""
    item = {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "kind-of", "in": "path", "required": True, "schema": {"type": "string"}},
        ],
        "get": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "responses": JSON_ANSWER,
        },
    }
    [function] = taken(document({"/a/{kind-of}/{id}/{rest}:go": item})).functions.values()

    assert ["kind_of", "id", "rest"] == function["parameters"]["required"]
    assert "number" == function["parameters"]["properties"]["id"]["type"]
    assert "https://x/a/k/7/r:go" == sent(function, kind_of="k", id=7, rest="r").url


def test_one_name_in_several_places() -> None:
    """A path parameter keeps its name where the body has one of the same, and both are sent."""
    function = function_of(
        "put",
        "/things/{name}",
        {
            "parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}],
            "requestBody": json_body(
                {"type": "object", "properties": {"name": {"type": "string"}, "a": {"type": "string"}}}
            ),
        },
    )
    request = sent(function, name="old", body_name="new")

    assert ("https://x/things/old", {"name": "new"}) == (request.url, json.loads(request.body))


def test_credentials_are_no_arguments() -> None:
    """A parameter that a security scheme stands for, or is called like one, isn't asked of callers."""
    function = function_of(
        "get",
        "/things",
        {
            "parameters": [
                {"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}},
                {"name": "access_token", "in": "query", "schema": {"type": "string"}},
            ]
        },
        components={"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    )
    assert {} == function["parameters"]["properties"]


def test_the_one_accepted_type_is_sent() -> None:
    """An Accept header is nobody's argument; where it must have one value, that is sent."""
    schema = {"type": "string", "enum": ["application/vnd.acme+json"]}
    declared = {"name": "Accept", "in": "header", "required": True, "schema": schema}
    imported = taken(document({"/things": {"get": {"parameters": [declared], "responses": JSON_ANSWER}}}))
    [function] = imported.functions.values()

    assert {"Accept": "application/vnd.acme+json"} == imported.connector["headers"]
    assert {} == function["parameters"]["properties"]


def test_version_headers_are_the_connectors() -> None:
    """The version of the API is a header of the whole connector where most functions send the same."""
    header = {"name": "Acme-Version", "in": "header", "schema": {"type": "string", "default": "2026-01-01"}}
    operation = {"parameters": [header], "responses": JSON_ANSWER}
    other = {
        "parameters": [{**header, "schema": {"type": "string", "default": "2026-02-02"}}],
        "responses": JSON_ANSWER,
    }
    imported = taken(document({"/a": {"get": operation}, "/b": {"get": operation}, "/c": {"get": other}}))

    assert {"Acme-Version": "2026-01-01"} == imported.connector["headers"]
    assert {"Acme-Version": "2026-02-02"} == imported.functions["get-c"]["request"]["headers"]
    assert "headers" not in imported.functions["get-a"]["request"]


def test_a_wrapped_body_is_unwrapped() -> None:
    """A body whose one member holds all others asks for those, and is sent wrapped."""
    issue = {
        "type": "object",
        "required": ["subject"],
        "properties": {"subject": {"type": "string"}, "notes": {"type": "string"}},
    }
    function = function_of(
        "post",
        "/issues",
        {"requestBody": json_body({"type": "object", "required": ["issue"], "properties": {"issue": issue}})},
    )

    assert ["subject"] == function["parameters"]["required"]
    assert {"issue": {"subject": "s"}} == json.loads(sent(function, subject="s").body)


@pytest.mark.parametrize(
    ("schema", "arguments", "body"),
    [
        ({"type": "array", "items": {"type": "string"}}, {"labels": ["a"]}, ["a"]),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"body": {"a": "b"}}, {"a": "b"}),
        (
            {"type": "object", "properties": {"a-b": {"type": "string"}, "c": {"type": "string"}}},
            {"a_b": "x"},
            {"a-b": "x"},
        ),
        (
            {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["x"]}, "n": {"type": "integer"}}},
            {"n": 1},
            {"kind": "x", "n": 1},
        ),
    ],
)
def test_json_bodies(schema: dict[str, Any], arguments: dict[str, Any], body: Any) -> None:
    """A body that is a list or a free object is one argument; names and constants are those of the document."""
    function = function_of("post", "/labels", {"requestBody": json_body(schema)})
    assert body == json.loads(sent(function, **arguments).body)


def test_other_json_types_keep_their_name() -> None:
    """A body of a media type of its own is sent with it."""
    content = {"application/merge-patch+json": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    function = function_of("patch", "/things", {"requestBody": {"content": content}})
    assert ("content-type", "application/merge-patch+json") in sent(function, a="b").headers


@pytest.mark.parametrize(
    ("encoding", "name", "body"),
    [
        ({}, "tags", b"tags=a&tags=b"),
        ({"tags": {"style": "deepObject", "explode": True}}, "tags", b"tags%5B0%5D=a&tags%5B1%5D=b"),
        ({}, "tags[]", b"tags%5B%5D=a&tags%5B%5D=b"),
    ],
)
def test_forms(encoding: dict[str, Any], name: str, body: bytes) -> None:
    """Forms write their lists as the document's encoding says."""
    schema = {"type": "object", "properties": {name: {"type": "array", "items": {"type": "string"}}}}
    content = {"application/x-www-form-urlencoded": {"schema": schema, "encoding": encoding}}
    function = function_of("post", "/things", {"requestBody": {"content": content}})
    assert body == sent(function, tags=["a", "b"]).body


def test_multipart_files() -> None:
    """A binary part is a file whose content comes in base64, with a name of its own; the other parts are values."""
    schema = {
        "type": "object",
        "required": ["file", "title"],
        "properties": {"file": {"type": "string", "format": "binary"}, "title": {"type": "string"}},
    }
    content = {
        "multipart/form-data": {"schema": schema, "encoding": {"file": {"contentType": "image/png, image/jpeg"}}}
    }
    function = function_of("post", "/files", {"requestBody": {"required": True, "content": content}})
    body = sent(function, file="aGk=", title="T", file_name="a.png").body

    assert ["file", "title"] == function["parameters"]["required"]
    assert b'filename="a.png"\r\nContent-Type: image/png\r\n\r\nhi' in body
    assert b'name="title"\r\n\r\nT' in body


@pytest.mark.parametrize(
    ("media_type", "content", "body"),
    [("text/plain", "hi", b"hi"), ("application/xml", "<a/>", b"<a/>"), ("application/zip", "aGk=", b"hi")],
)
def test_raw_bodies(media_type: str, content: str, body: bytes) -> None:
    """Text is sent as it is, anything else comes in base64."""
    function = function_of("post", "/things", {"requestBody": {"required": True, "content": {media_type: {}}}})
    request = sent(function, content=content)

    assert body == request.body
    assert ("content-type", media_type) in request.headers


@pytest.mark.parametrize(
    ("path", "method", "operation", "reason"),
    [
        ("/a#b", "get", {}, "its path has a '#' or a blank"),
        ("/a/{b", "get", {}, "its path has braces that name nothing"),
        ("/a", "trace", {}, "a function makes no TRACE requests"),
        ("/a", "get", {"requestBody": json_body({"type": "object"})}, "it needs a body, and a GET request has none"),
        ("/a", "get", {"servers": [{"url": "https://files.acme.example"}]}, "it is on another server than most"),
    ],
)
def test_what_no_function_can_be_made_of(path: str, method: str, operation: dict[str, Any], reason: str) -> None:
    """An operation that a connector can't make is left out, and the report says why."""
    good = {"get": {"responses": JSON_ANSWER}}
    made = document({"/good": good, "/better": good, path: {method: {"responses": JSON_ANSWER, **operation}}})
    imported = taken(made, keeps_all=True)

    assert [(f"{method.upper()} {path}", reason)] == imported.report.operations_left_out
    assert {"get-good", "get-better"} == set(imported.functions)
    assert not imported.report.is_whole


@pytest.mark.parametrize(
    ("method", "path", "operation", "kind"),
    [
        ("get", "/a", {}, ("query", False, False)),
        ("post", "/a", {}, ("mutation", False, False)),
        ("post", "/a/search", {}, ("query", False, False)),
        ("post", "/a/{id}/query", {"operationId": "a_query"}, ("query", False, False)),
        ("put", "/a/{id}", {}, ("mutation", False, True)),
        ("patch", "/a/{id}", {}, ("mutation", False, False)),
        ("delete", "/a/{id}", {}, ("mutation", True, True)),
        ("post", "/a/purge", {"operationId": "purgeAll"}, ("mutation", True, False)),
    ],
)
def test_kinds(method: str, path: str, operation: dict[str, Any], kind: tuple[str, bool, bool]) -> None:
    """The method tells what a function does; a POST that searches is a query, and what is called so destroys."""
    function = function_of(method, path, operation)
    assert kind == (function["type"], function.get("destructive", False), function.get("idempotent", False))


@pytest.mark.parametrize("media_type", ["*/*", "application/*", "*/*; charset=utf-8"])
def test_any_media_type_is_json_where_the_body_has_a_structure(media_type: str) -> None:
    """A body with fields that may be sent as anything asks for its fields, not for text in base64."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    function = function_of(
        "post", "/things", {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}
    )
    plain = function_of("post", "/things", {"requestBody": {"required": True, "content": {media_type: {}}}})

    assert b'{"name":"x"}' == sent(function, name="x").body
    assert "raw" in plain["request"]


def test_a_patch_of_fields_is_taken_before_one_of_steps() -> None:
    """Of several kinds of JSON the one that people can fill in is sent."""
    kinds = ("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml")
    schema = {"type": "object", "additionalProperties": True}
    body = {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}
    function = function_of("patch", "/things", {"requestBody": body})

    assert "application/merge-patch+json" == function["request"]["headers"]["content-type"]


def test_an_optional_body_of_any_object_is_kept() -> None:
    """An object of which the document says nothing may hold anything; only one that can hold nothing is left away."""
    free = function_of("patch", "/things", {"requestBody": json_body({"type": "object"}, required=False)})
    closed = {"type": "object", "additionalProperties": False}
    empty = function_of("patch", "/things", {"requestBody": json_body(closed, required=False)})

    assert b'{"color":"red"}' == sent(free, body={"color": "red"}).body
    assert b"" == sent(free).body
    assert "body" not in empty["request"]


def query(name: str, required: bool = True, place: str = "query") -> dict[str, Any]:
    """Return a parameter."""
    return {"name": name, "in": place, "required": required, "schema": {"type": "string"}}


def test_a_token_that_one_call_needs_is_asked_for() -> None:
    """What is called token is the account's only where sign-in has that name, or where most calls carry it."""
    schemes = {"components": {"securitySchemes": {"Auth": {"type": "http", "scheme": "bearer"}}}}
    plain = {"get": {"responses": JSON_ANSWER}}
    verify = {"get": {"responses": JSON_ANSWER, "parameters": [query("token")]}}
    few = taken(document({"/a": plain, "/b": plain, "/verify-email": verify}, **schemes))
    many = taken(document({"/a": plain, "/b": verify, "/verify-email": verify}, **schemes))

    function = few.functions["get-verify-email"]
    assert (["token"], True) == (
        function["parameters"]["required"],
        function["parameters"]["properties"]["token"]["x-sensitive"],
    )
    assert {} == many.functions["get-verify-email"]["parameters"]["properties"]


@pytest.mark.parametrize(
    ("needed", "why"),
    [
        (query("session", place="cookie"), "is a cookie, and connectors send none"),
        (query("X_Odd", place="header"), "is a header that a connector can't send"),
        (query("..."), "has a name that can't be sent"),
    ],
)
def test_what_a_call_needs_and_cannot_be_sent_is_told(needed: dict[str, Any], why: str) -> None:
    """The import isn't whole, and says of which function what is missing; without the need it is only noted."""
    operation = {"responses": JSON_ANSWER, "parameters": [needed]}
    lacking = taken(document({"/a": {"get": operation}}))
    free = taken(document({"/a": {"get": {**operation, "parameters": [{**needed, "required": False}]}}}))

    assert [("get-a", needed["name"], why)] == [(each.function, each.where, each.what) for each in lacking.report.lost]
    assert (False, True) == (lacking.report.is_whole, free.report.is_whole)
    assert f"get-a: {needed['name']}: {why}" in "\n".join(lacking.report.summary())
