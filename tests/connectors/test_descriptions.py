"""Descriptions of paths, parameters and bodies notice what is wrong with a request, and nothing else."""

import pytest
import yaml

from tests.connectors.descriptions.clients import ClientJudge, operations, words_of
from tests.connectors.descriptions.discovery import DiscoveryDocument, DiscoveryJudge
from tests.connectors.descriptions.openapi import OpenApiDocument, OpenApiJudge
from tests.connectors.descriptions.paths import template
from tests.connectors.descriptions.sent import keys, nested
from tests.connectors.judging import FORM, faults

NOTES, ONE = "https://a.notes.example/v1/notes", "https://a.notes.example/v1/notes/1"
OPENAPI = OpenApiJudge(
    (
        OpenApiDocument(
            yaml.safe_load("""
                openapi: 3.1.0
                info: {title: Notes, version: '1'}
                servers: [{url: "https://{team}.notes.example/v1"}]
                paths:
                  /notes/{id}:
                    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                    get:
                      parameters:
                        - {name: fields, in: query, schema: {type: string, enum: [all, few]}}
                        - {name: size, in: query, schema: {type: [integer, 'null']}}
                        - {name: bare, in: query, allowEmptyValue: true, schema: {type: string}}
                        - name: sort
                          in: query
                          schema:
                            type: array
                            items:
                              type: object
                              required: [by]
                              properties: {by: {type: string}, way: {enum: [asc, desc]}, at: {type: integer}}
                        - {name: Accept, in: header, required: true, schema: {type: string}}
                      responses: {}
                  /notes:
                    post:
                      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
                      responses: {}
                components:
                  schemas:
                    Note:
                      type: object
                      required: [title]
                      properties:
                        title: {type: string}
                        lines: {type: array, items: {type: object, properties: {text: {type: string}}}}
                        labels: {type: object, additionalProperties: {type: string}}
            """)
        ),
    )
)


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", f"{ONE}?fields=few", b"", None),
        ("POST", NOTES, b'{"title": "x", "labels": {"any": "y"}}', None),
        ("GET", "https://a.notes.example/v1/nots/1", b"", "there is no path /nots/1"),
        ("DELETE", ONE, b"", "/notes/1 is for GET, not for DELETE"),
        ("GET", "https://other.example/v1/notes/1", b"", "no document describes its host"),
        ("GET", f"{ONE}?size=2&bare=a", b"", None),
        ("GET", f"{ONE}?size=big", b"", "Failed to cast value to integer type: big"),
        ("GET", f"{ONE}?sort[0][by]=a&sort[0][way]=asc&sort[0][at]=2", b"", None),
        ("GET", f"{ONE}?sort[0][way]=asc", b"", "sort.0: 'by' is a required property"),
        ("GET", f"{ONE}?sort[0][by]=a&sort[0][way]=up", b"", "'up' is not one of"),
        ("GET", f"{ONE}?sort[0][by]=a&sort[0][at]=z", b"", "is not of type 'integer'"),
        ("GET", f"{ONE}?sort[0][by]=a&sort[0][to]=b", b"", "key sort.to isn't declared"),
        ("GET", f"{ONE}?fields=none", b"", "is not one of"),
        ("GET", f"{ONE}?field=all", b"", "the query parameter field isn't declared"),
        ("POST", NOTES, b"{}", "'title' is a required property"),
        ("POST", NOTES, b'{"title": 1}', "1 is not of type 'string'"),
        ("POST", NOTES, b'{"title": "x", "lines": [{"txt": "y"}]}', "the body's key lines.txt isn't declared"),
    ],
)
def test_openapi(method: str, url: str, body: bytes, expected: str | None) -> None:
    """An OpenAPI document tells wrong paths, methods, hosts, types, enumerations, missing keys and unknown names."""
    found = faults(OPENAPI, method, url, body)

    assert [] == found if expected is None else any(expected in each for each in found)


def test_headers_of_credentials() -> None:
    """A header that a document asks for may come with an account's credentials, else it is missing."""
    operation = {
        "parameters": [{"name": "From", "in": "header", "required": True, "schema": {"type": "string"}}],
        "responses": {},
    }
    document = OpenApiDocument(
        {"openapi": "3.0.0", "info": {}, "paths": {"/me": {"get": operation}}}, "https://a.example"
    )

    assert [] == faults(OpenApiJudge((document,), {"From": "ann@example.com"}), "GET", "https://a.example/me")
    assert ["Missing required header parameter: From"] == faults(
        OpenApiJudge((document,)), "GET", "https://a.example/me"
    )


DISCOVERY = DiscoveryJudge(
    (
        DiscoveryDocument(
            yaml.safe_load("""
                rootUrl: https://notes.example/
                servicePath: notes/v1/
                parameters: {alt: {type: string, enum: [json, media]}}
                schemas:
                  Note:
                    type: object
                    properties:
                      id: {type: string, readOnly: true}
                      title: {type: string, annotations: {required: [notes.insert]}}
                      state: {type: string, enum: [open, done]}
                      lines: {type: array, items: {$ref: Line}}
                  Line: {type: object, properties: {size: {type: integer}}}
                resources:
                  notes:
                    methods:
                      insert:
                        id: notes.insert
                        httpMethod: POST
                        path: users/{userId}/notes
                        parameters:
                          userId: {type: string, required: true, location: path}
                          mode: {type: string, required: true, location: query}
                          size: {type: integer, location: query}
                        request: {$ref: Note}
                        mediaUpload: {protocols: {simple: {path: "/upload/notes/v1/users/{userId}/notes"}}}
                      undo:
                        id: notes.undo
                        httpMethod: POST
                        path: "{+name}:undo"
                        flatPath: "notes/{notesId}:undo"
            """)
        ),
    )
)
INSERT = "https://notes.example/notes/v1/users/me/notes"


@pytest.mark.parametrize(
    ("url", "body", "expected"),
    [
        (f"{INSERT}?mode=a&alt=json&size=3", b'{"title": "x", "state": "open", "lines": [{"size": 1}]}', []),
        ("https://notes.example/upload/notes/v1/users/me/notes?mode=a&uploadType=media", b"", []),
        (f"{INSERT}s?mode=a", b"", ["there is no path /users/me/notess"]),
        ("https://notes.example/notes/v1/notes/1:undo", b"", []),
        ("https://notes.example/notes/v1/notes/1/2:undo", b"", ["there is no path /notes/1/2:undo"]),
        ("https://other.example/notes", b"", ["no document describes its host"]),
        (f"{INSERT}?mod=a", b"", ["the query parameter mod isn't declared", "the query parameter mode is required"]),
        (f"{INSERT}?mode=a&mode=b", b"", ["the query parameter mode can't be repeated"]),
        (f"{INSERT}?mode=a&size=big", b"", ["the query parameter size is 'big', which isn't of the type integer"]),
        (f"{INSERT}?mode=a&alt=xml", b"", ["the query parameter alt is 'xml', not one of json, media"]),
        (f"{INSERT}?mode=a", b"{}", ["the body's key title is required"]),
        (f"{INSERT}?mode=a", b'{"title": 1}', ["the body.title must be of the type string"]),
        (f"{INSERT}?mode=a", b'{"title": "", "id": "1"}', ["the body's key id can't be written"]),
        (f"{INSERT}?mode=a", b'{"title": "", "state": "x"}', ["the body.state is 'x', not one of open, done"]),
        (f"{INSERT}?mode=a", b'{"title": "", "lines": [{"siz": 1}]}', ["the body.lines's key siz isn't declared"]),
        (
            f"{INSERT}?mode=a",
            b'{"title": "", "lines": [{"size": true}]}',
            ["the body.lines.size must be of the type integer"],
        ),
    ],
)
def test_discovery(url: str, body: bytes, expected: list[str]) -> None:
    """A discovery document tells wrong paths, parameters and bodies."""
    assert expected == faults(DISCOVERY, "POST", url, body)


CALLED = "https://eu.notes.example/v2/users/1/notes"
CLIENT = """
  /** Lists the notes of a user. */
  list(parameters) {
    return send({ url: `/users/${parameters.user}/notes`, method: 'GET', params: { page_size: parameters.pageSize } });
  }
  add(parameters) {
    return send({ url: `/users/${parameters.user}/notes`, method: 'POST', data: { title: parameters.title } });
  }
"""


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", f"{CALLED}?page_size=3", b"", []),
        ("POST", CALLED, b"title=x&labels%5Bowner%5D=me", []),
        ("GET", "https://eu.notes.example/users/1/notes", b"", None),
        ("GET", "https://eu.notes.example/v2/users/1/note", b"", ["there is no path /users/1/note"]),
        ("PUT", CALLED, b"", ["/users/1/notes is for GET, POST, not for PUT"]),
        ("POST", f"{CALLED}?page_size=3", b"", ["the query parameter page_size isn't known"]),
        ("POST", CALLED, b"titel=x", ["the body's key titel isn't known"]),
    ],
)
def test_client_sources(method: str, url: str, body: bytes, expected: list[str] | None) -> None:
    """A client's source tells paths, methods, and for each operation its names; there are names that all may have."""
    read = operations(r"url: `(?P<path>[^`]+)`", method=r"method: '(\w+)'")
    found = tuple(read({"notes.ts": CLIENT}))
    judge = ClientJudge("https://*.notes.example/v2", found, frozenset({"labels", "owner"}))
    actual = faults(judge, method, url, body, FORM)

    assert (expected == actual) if expected is not None else actual


def test_names_inside_bodies() -> None:
    """Forms with brackets are read as objects, and keys are found at any depth."""
    body = nested([("a[b][]", "1"), ("a[b][]", "2"), ("c[0][d]", "3"), ("e", "4"), ("e", "5")])

    assert {"a": {"b": ["1", "2"]}, "c": [{"d": "3"}], "e": ["4", "5"]} == body
    assert ["a", "c", "e", "b", "d"] == list(keys(body))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("users/${encode(id)}/posts/", "/users/{}/posts"),
        ("/users/{user%2Did}/posts{?%24top,skip}", "/users/{}/posts"),
        ("/v1/{+name}:move", "/v1/{+}:move"),
        ("/users/<id>.json", "/users/{}.json"),
        ("/users/:id/posts", "/users/{}/posts"),
        ('"/users/".concat(e,"/posts")', "/users/{}/posts"),
        ("'/users/' + id", "/users/{}"),
        ('["users",t,"posts"]', "/users/{}/posts"),
    ],
)
def test_path_templates(written: str, expected: str) -> None:
    """Paths are understood in every way that clients write them."""
    assert expected == template(written)


def test_words_of_a_source() -> None:
    """Words with dots are names as a whole, from their second part on, and in parts."""
    assert {"opts.due_on.before", "due_on.before", "due_on", "before"} <= words_of("@param opts.due_on.before - When.")
    assert {"$top", "user-id"} <= words_of("{?%24top}{user%2Did}")
