"""Parameters and bodies are sent the way the document says."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from service_server.onward.values import OnwardRequest
from tests.service_server.catalog.compiled import read_request
from tests.service_server.openapi_import.made_documents import (
    TEXT,
    document,
    function_of,
    holding,
    in_header,
    in_path,
    in_query,
    json_body,
    sending,
    taken,
)


def sent(function: dict[str, Any], **arguments: Any) -> OnwardRequest:
    """Build the request of a function's file."""
    return read_request(function["request"]).build("https://x", {"args": arguments, "vars": {}})


def query_of(function: dict[str, Any], **arguments: Any) -> list[tuple[str, str]]:
    """Return the query of its request."""
    return parse_qsl(urlsplit(sent(function, **arguments).url).query)


def with_parameters(*declared: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Import an operation with parameters."""
    return function_of("get", "/things", {"parameters": list(declared)}, **more)


def with_body(content: dict[str, Any], method: str = "post", path: str = "/things") -> dict[str, Any]:
    """Import an operation that takes a body."""
    return function_of(method, path, {"requestBody": {"required": True, "content": content}})


LIST = {"type": "array", "items": TEXT}


@pytest.mark.parametrize(
    ("declared", "value", "query"),
    [
        ({"schema": TEXT}, "a b", [("p", "a b")]),
        ({"schema": LIST}, ["a", "b"], [("p", "a"), ("p", "b")]),
        ({"schema": LIST, "explode": False}, ["a", "b"], [("p", "a,b")]),
        ({"schema": LIST, "style": "spaceDelimited", "explode": False}, ["a", "b"], [("p", "a b")]),
        ({"schema": LIST, "style": "pipeDelimited", "explode": False}, ["a", "b"], [("p", "a|b")]),
        ({"schema": holding(gt={"type": "integer"}), "style": "deepObject"}, {"gt": 5}, [("p[gt]", "5")]),
        ({"schema": LIST, "name": "p[]"}, ["a", "b"], [("p[]", "a"), ("p[]", "b")]),
    ],
)
def test_query_styles(declared: dict[str, Any], value: Any, query: list[tuple[str, str]]) -> None:
    """Lists and objects in a query are written by the parameter's style and explode; brackets aren't the argument's."""
    assert query == query_of(with_parameters({"name": "p", "in": "query", **declared}), p=value)


def test_an_exploded_object_is_several_parameters() -> None:
    """An object of the usual style isn't sent by its name: each member is a parameter."""
    function = with_parameters(in_query("filter", schema=holding(state=TEXT, since=TEXT)))

    assert {"state", "since"} == set(function["parameters"]["properties"])
    assert [("state", "open")] == query_of(function, state="open")


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
    function = with_parameters({"name": "filter", "in": "query", "content": {"application/json": media}})

    assert shown == function["parameters"]["properties"]["filter"]["x-placeholder"]
    assert [("filter", shown)] == query_of(function, filter=shown)


def test_single_values_are_constants() -> None:
    """What is required and has only one value is sent without asking; what is optional is left to the caller."""
    needed = in_query("format", required=True, schema={**TEXT, "enum": ["json"]})
    function = with_parameters(needed, in_query("deep", schema={**TEXT, "enum": ["yes"]}))

    assert ["deep"] == list(function["parameters"]["properties"])
    assert "https://x/things?format=json" == sent(function).url


def test_parameters_that_are_not_asked_for() -> None:
    """Optional deprecated ones, cookies, and what a security scheme stands for or is called like one."""
    scheme = {"type": "apiKey", "in": "header", "name": "X-Key"}
    function = with_parameters(
        in_query("old", deprecated=True),
        in_query("needed", deprecated=True, required=True),
        {"name": "theme", "in": "cookie", "schema": TEXT},
        in_header("X-Key", required=True),
        in_query("access_token"),
        components={"securitySchemes": {"key": scheme}},
    )
    assert ["needed"] == list(function["parameters"]["properties"])


def test_path_parameters_come_from_everywhere() -> None:
    """Parameters of the path item hold for its operations, which may replace them; undeclared ones are texts."""
    item = {
        "parameters": [in_path("id"), in_path("kind-of")],
        "get": {"parameters": [in_path("id", "integer")]},
    }
    [function] = taken(document({"/a/{kind-of}/{id}/{rest}:go": item})).functions.values()

    assert ["kind_of", "id", "rest"] == function["parameters"]["required"]
    assert "number" == function["parameters"]["properties"]["id"]["type"]
    assert "https://x/a/k/7/r:go" == sent(function, kind_of="k", id=7, rest="r").url


def test_one_name_in_several_places() -> None:
    """A path parameter keeps its name where the body has one of the same, and both are sent."""
    operation = {"parameters": [in_path("name")], "requestBody": json_body(holding(name=TEXT, a=TEXT))}
    request = sent(function_of("put", "/things/{name}", operation), name="old", body_name="new")

    assert ("https://x/things/old", {"name": "new"}) == (request.url, json.loads(request.body))


def test_the_one_accepted_type_is_sent() -> None:
    """An Accept header is nobody's argument; where it must have one value, that is sent."""
    accept = in_header("Accept", required=True, schema={**TEXT, "enum": ["application/vnd.acme+json"]})
    imported = taken(document({"/things": {"get": {"parameters": [accept]}}}))
    [function] = imported.functions.values()

    assert {"Accept": "application/vnd.acme+json"} == imported.connector["headers"]
    assert {} == function["parameters"]["properties"]


def test_version_headers_are_the_connectors() -> None:
    """The version of the API is a header of the whole connector where most functions send the same."""
    usual, other = (
        {"get": {"parameters": [in_header("Acme-Version", schema={**TEXT, "default": version})]}}
        for version in ("2026-01-01", "2026-02-02")
    )
    imported = taken(document({"/a": usual, "/b": usual, "/c": other}))

    assert {"Acme-Version": "2026-01-01"} == imported.connector["headers"]
    assert {"Acme-Version": "2026-02-02"} == imported.functions["get-c"]["request"]["headers"]
    assert "headers" not in imported.functions["get-a"]["request"]


def test_multipart_files() -> None:
    """A binary part is a file whose content comes in base64, with a name of its own; the other parts are values."""
    schema = holding("file", "title", file={**TEXT, "format": "binary"}, title=TEXT)
    encoding = {"file": {"contentType": "image/png, image/jpeg"}}
    function = with_body({"multipart/form-data": {"schema": schema, "encoding": encoding}}, path="/files")
    body = sent(function, file="aGk=", title="T", file_name="a.png").body

    assert ["file", "title"] == function["parameters"]["required"]
    assert b'filename="a.png"\r\nContent-Type: image/png\r\n\r\nhi' in body
    assert b'name="title"\r\n\r\nT' in body


TAGS = {"style": "deepObject", "explode": True}
FREE = {"type": "object", "additionalProperties": TEXT}
WRAPPED = holding("issue", issue=holding("subject", subject=TEXT, notes=TEXT))
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("media_type", "schema", "arguments", "body"),
    [
        # A list or a free object is one argument; names and constants are those of the document; wrappers are put on.
        ("application/json", LIST, {"labels": ["a"]}, b'["a"]'),
        ("application/json", FREE, {"body": {"a": "b"}}, b'{"a":"b"}'),
        ("application/json", holding(**{"a-b": TEXT, "c": TEXT}), {"a_b": "x"}, b'{"a-b":"x"}'),
        ("application/json", holding("kind", kind={"enum": ["x"]}, n=TEXT), {"n": "1"}, b'{"kind":"x","n":"1"}'),
        ("application/json", WRAPPED, {"subject": "s"}, b'{"issue":{"subject":"s"}}'),
        # A body with fields that may be sent as anything asks for its fields.
        ("*/*", holding(name=TEXT), {"name": "x"}, b'{"name":"x"}'),
        ("application/*", holding(name=TEXT), {"name": "x"}, b'{"name":"x"}'),
        ("*/*; charset=utf-8", holding(name=TEXT), {"name": "x"}, b'{"name":"x"}'),
        # Forms write their lists as the document's encoding says.
        (FORM, holding(tags=LIST), {"tags": ["a", "b"]}, b"tags=a&tags=b"),
        (FORM, {**holding(tags=LIST), "x-encoding": TAGS}, {"tags": ["a", "b"]}, b"tags%5B0%5D=a&tags%5B1%5D=b"),
        (FORM, holding(**{"tags[]": LIST}), {"tags": ["a", "b"]}, b"tags%5B%5D=a&tags%5B%5D=b"),
        # Text is sent as it is, anything else comes in base64.
        ("text/plain", {}, {"content": "hi"}, b"hi"),
        ("application/xml", {}, {"content": "<a/>"}, b"<a/>"),
        ("application/zip", {}, {"content": "aGk="}, b"hi"),
        ("*/*", {}, {"content": "aGk="}, b"hi"),
        ("application/*", {}, {"content": "aGk="}, b"hi"),
    ],
)
def test_bodies(media_type: str, schema: dict[str, Any], arguments: dict[str, Any], body: bytes) -> None:
    """A body is put together of the arguments as its schema says, and goes out with the document's media type."""
    described = {"schema": schema, "encoding": {"tags": schema["x-encoding"]} if "x-encoding" in schema else {}}
    request = sent(with_body({media_type: described}, path="/labels"), **arguments)

    assert body == request.body
    any_type = "application/json" if schema else "application/octet-stream"
    assert ("content-type", any_type if "*" in media_type else media_type) in request.headers


def test_a_wrapper_is_no_argument() -> None:
    """What its one member holds is asked for, and required where that says so."""
    assert ["subject"] == sending(WRAPPED)["parameters"]["required"]


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
    good = {"get": {}}
    made = document({"/good": good, "/better": good, path: {method: {**operation}}})
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


def test_a_patch_of_fields_is_taken_before_one_of_steps() -> None:
    """Of several kinds of JSON the one that people can fill in is sent, with its own type."""
    kinds = ("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml")
    function = with_body({kind: {"schema": holding(a=TEXT)} for kind in kinds}, "patch")

    assert ("content-type", "application/merge-patch+json") in sent(function, a="b").headers


def test_an_optional_body_of_any_object_is_kept() -> None:
    """An object of which the document says nothing may hold anything; only one that can hold nothing is left away."""
    schemas = ({"type": "object"}, {"type": "object", "additionalProperties": False})
    free, empty = (function_of("patch", "/things", {"requestBody": json_body(each, False)}) for each in schemas)

    assert b'{"color":"red"}' == sent(free, body={"color": "red"}).body
    assert b"" == sent(free).body
    assert "body" not in empty["request"]


def test_a_token_that_one_call_needs_is_asked_for() -> None:
    """What is called token is the account's only where sign-in has that name, or where most calls carry it."""
    schemes = {"components": {"securitySchemes": {"Auth": {"type": "http", "scheme": "bearer"}}}}
    plain = {"get": {}}
    verify = {"get": {"parameters": [in_query("token", required=True)]}}
    few = taken(document({"/a": plain, "/b": plain, "/verify-email": verify}, **schemes))
    many = taken(document({"/a": plain, "/b": verify, "/verify-email": verify}, **schemes))

    parameters = few.functions["get-verify-email"]["parameters"]
    assert (["token"], True) == (parameters["required"], parameters["properties"]["token"]["x-sensitive"])
    assert {} == many.functions["get-verify-email"]["parameters"]["properties"]


@pytest.mark.parametrize(
    ("needed", "why"),
    [
        ({"name": "session", "in": "cookie", "schema": TEXT}, "is a cookie, and connectors send none"),
        (in_header("X_Odd"), "is a header that a connector can't send"),
        (in_query("..."), "has a name that can't be sent"),
    ],
)
def test_what_a_call_needs_and_cannot_be_sent_is_told(needed: dict[str, Any], why: str) -> None:
    """The import isn't whole, and says of which function what is missing; without the need it is only noted."""
    lacking, free = (
        taken(document({"/a": {"get": {"parameters": [{**needed, "required": required}]}}}))
        for required in (True, False)
    )

    assert [("get-a", needed["name"], why)] == [(each.function, each.where, each.what) for each in lacking.report.lost]
    assert (False, True) == (lacking.report.is_whole, free.report.is_whole)
    assert f"get-a: {needed['name']}: {why}" in "\n".join(lacking.report.summary())
