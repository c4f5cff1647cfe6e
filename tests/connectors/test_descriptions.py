"""Each way of comparing requests with a description notices what is wrong, and nothing else."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from graphql import build_schema

from service_server.onward.values import OnwardRequest
from tests.connectors.descriptions import packages
from tests.connectors.descriptions.clients import ClientJudge, operations, words_of
from tests.connectors.descriptions.description import AnyJudge, Judge
from tests.connectors.descriptions.discovery import DiscoveryDocument, DiscoveryJudge
from tests.connectors.descriptions.graphql_schema import GraphQLJudge
from tests.connectors.descriptions.graphql_types import generated_types
from tests.connectors.descriptions.openapi import OpenApiDocument, OpenApiJudge
from tests.connectors.descriptions.packages import fetch_missing, npm
from tests.connectors.descriptions.paths import template
from tests.connectors.descriptions.sent import Sent, keys, nested
from tests.connectors.descriptions.slack import MethodJudge
from tests.connectors.descriptions.typescript import TypeScript

JSON = (("Content-Type", "application/json"),)
FORM = (("Content-Type", "application/x-www-form-urlencoded"),)


def faults(judge: Judge, method: str, url: str, body: bytes = b"", headers: Any = JSON) -> list[str]:
    """Say what a description has against a request."""
    return list(judge.faults(Sent.of(OnwardRequest(method, url, headers if body else (), body))))


OPENAPI = OpenApiJudge(
    (
        OpenApiDocument(
            {
                "openapi": "3.1.0",
                "info": {"title": "Notes", "version": "1"},
                "servers": [{"url": "https://{team}.notes.example/v1"}],
                "paths": {
                    "/notes/{id}": {
                        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                        "get": {
                            "parameters": [
                                {"name": "fields", "in": "query", "schema": {"type": "string", "enum": ["all", "few"]}}
                            ],
                            "responses": {},
                        },
                    },
                    "/notes": {
                        "post": {
                            "requestBody": {
                                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}
                            },
                            "responses": {},
                        }
                    },
                },
                "components": {
                    "schemas": {
                        "Note": {
                            "type": "object",
                            "required": ["title"],
                            "properties": {
                                "title": {"type": "string"},
                                "lines": {
                                    "type": "array",
                                    "items": {"type": "object", "properties": {"text": {"type": "string"}}},
                                },
                                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                            },
                        }
                    }
                },
            }
        ),
    )
)


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", "https://a.notes.example/v1/notes/1?fields=few", b"", None),
        ("POST", "https://a.notes.example/v1/notes", b'{"title": "x", "labels": {"any": "y"}}', None),
        ("GET", "https://a.notes.example/v1/nots/1", b"", "there is no path /nots/1"),
        ("DELETE", "https://a.notes.example/v1/notes/1", b"", "/notes/1 is for GET, not for DELETE"),
        ("GET", "https://other.example/v1/notes/1", b"", "no document describes its host"),
        ("GET", "https://a.notes.example/v1/notes/1?fields=none", b"", "is not one of"),
        ("GET", "https://a.notes.example/v1/notes/1?field=all", b"", "the query parameter field isn't declared"),
        ("POST", "https://a.notes.example/v1/notes", b"{}", "'title' is a required property"),
        ("POST", "https://a.notes.example/v1/notes", b'{"title": 1}', "1 is not of type 'string'"),
        (
            "POST",
            "https://a.notes.example/v1/notes",
            b'{"title": "x", "lines": [{"txt": "y"}]}',
            "the body's key lines.txt isn't declared",
        ),
    ],
)
def test_openapi(method: str, url: str, body: bytes, expected: str | None) -> None:
    """An OpenAPI document tells wrong paths, methods, hosts, types, enumerations, missing keys and unknown names."""
    found = faults(OPENAPI, method, url, body)

    assert [] == found if expected is None else any(expected in each for each in found)


DISCOVERY = DiscoveryJudge(
    (
        DiscoveryDocument(
            {
                "rootUrl": "https://notes.example/",
                "servicePath": "notes/v1/",
                "parameters": {"alt": {"type": "string", "enum": ["json", "media"]}},
                "schemas": {
                    "Note": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string", "readOnly": True},
                            "title": {"type": "string", "annotations": {"required": ["notes.insert"]}},
                            "state": {"type": "string", "enum": ["open", "done"]},
                            "lines": {"type": "array", "items": {"$ref": "Line"}},
                        },
                    },
                    "Line": {"type": "object", "properties": {"size": {"type": "integer"}}},
                },
                "resources": {
                    "notes": {
                        "methods": {
                            "insert": {
                                "id": "notes.insert",
                                "httpMethod": "POST",
                                "path": "users/{userId}/notes",
                                "parameters": {
                                    "userId": {"type": "string", "required": True, "location": "path"},
                                    "mode": {"type": "string", "required": True, "location": "query"},
                                    "size": {"type": "integer", "location": "query"},
                                },
                                "request": {"$ref": "Note"},
                                "mediaUpload": {
                                    "protocols": {"simple": {"path": "/upload/notes/v1/users/{userId}/notes"}}
                                },
                            },
                            "undo": {
                                "id": "notes.undo",
                                "httpMethod": "POST",
                                "path": "{+name}:undo",
                                "flatPath": "notes/{notesId}:undo",
                            },
                        }
                    }
                },
            }
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


CLIENT_AFTER = """
  /** Lists the notes of a user. */
  list(parameters) {
    return send({ url: `/users/${parameters.user}/notes`, method: 'GET', params: { page_size: parameters.pageSize } });
  }
  add(parameters) {
    return send({ url: `/users/${parameters.user}/notes`, method: 'POST', data: { title: parameters.title } });
  }
"""
CLIENT_BEFORE = """
    list(opts) { let queryParams = { 'page[size]': opts.size }; return callApi('/notes', 'GET', queryParams); }
    add(body) { let queryParams = { 'notify': 1 }; return callApi('/notes', 'POST', queryParams, body); }
"""


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", "https://eu.notes.example/v2/users/1/notes?page_size=3", b"", []),
        ("POST", "https://eu.notes.example/v2/users/1/notes", b"title=x&labels%5Bowner%5D=me", []),
        ("GET", "https://eu.notes.example/users/1/notes", b"", None),
        ("GET", "https://eu.notes.example/v2/users/1/note", b"", ["there is no path /users/1/note"]),
        ("PUT", "https://eu.notes.example/v2/users/1/notes", b"", ["/users/1/notes is for GET, POST, not for PUT"]),
        (
            "POST",
            "https://eu.notes.example/v2/users/1/notes?page_size=3",
            b"",
            ["the query parameter page_size isn't known"],
        ),
        ("POST", "https://eu.notes.example/v2/users/1/notes", b"titel=x", ["the body's key titel isn't known"]),
    ],
)
def test_client_sources(method: str, url: str, body: bytes, expected: list[str] | None) -> None:
    """A client's source tells paths, methods, and for each operation its names; `free` keys hold any."""
    read = operations(r"url: `(?P<path>[^`]+)`", method=r"method: '(\w+)'")
    found = tuple(read({"notes.ts": CLIENT_AFTER}))
    judge = ClientJudge("https://*.notes.example/v2", found, frozenset({"labels"}), frozenset({"labels"}))
    actual = faults(judge, method, url, body, FORM)

    assert (expected == actual) if expected is not None else actual


def test_client_sources_with_names_in_front() -> None:
    """Where a client names parameters before the path, those of one operation are not those of another."""
    read = operations(r"callApi\('(?P<path>[^']+)', '(?P<method>\w+)'", names="before")
    judge = ClientJudge("https://notes.example", tuple(read({"notes.js": CLIENT_BEFORE})), frozenset(), frozenset())

    assert [] == faults(judge, "GET", "https://notes.example/notes?page[size]=1")
    assert [] == faults(judge, "POST", "https://notes.example/notes?notify=1")
    assert ["the query parameter notify isn't known"] == faults(judge, "GET", "https://notes.example/notes?notify=1")


METHODS = MethodJudge(
    "https://notes.example/api",
    {"notes.add": "AddArguments", "notes.find": "FindArguments"},
    TypeScript.of(
        [
            """
            /** What: 'all' { of } these share. */
            interface Shared { token?: string; }
            type Titled<T> = { title: T; /** may hold links: https://x */ labels?: Label[] };
            interface Label { readonly name: string; colour?: 'red' | 'blue' }
            export interface AddArguments extends Shared, Partial<Marked> { note: Titled<string>; then?: () => void; }
            interface Marked { mark: boolean }
            export type FindArguments = (Shared & { by: "id"; id: string }) | (Shared & { by: "text"; text: string; })
              & Omit<Marked, 'mark'> & { any: Record<string, number>; [key: `x_${string}`]: unknown } ;
            """
        ]
    ),
)


@pytest.mark.parametrize(
    ("method", "body", "expected"),
    [
        ("notes.add", b'{"note": {"title": "x", "labels": [{"name": "y"}]}, "mark": true, "token": "t"}', []),
        ("notes.ad", b"{}", ["there is no method notes.ad"]),
        ("notes.add", b"{}", ["the key note is required"]),
        ("notes.add", b'{"note": {"title": "x"}, "marked": true}', ["the key marked isn't declared"]),
        ("notes.add", b'{"note": {"labels": []}}', ["the key note.title is required"]),
        (
            "notes.add",
            b'{"note": {"title": "x", "labels": [{"colour": "red"}]}}',
            ["the key note.labels.name is required"],
        ),
        ("notes.find", b'{"by": "id", "id": "1"}', []),
        ("notes.find", b'{"by": "text", "text": "1", "any": {"x": 1}}', []),
        ("notes.find", b'{"id": "1"}', ["the key by is required"]),
    ],
)
def test_method_list(method: str, body: bytes, expected: list[str]) -> None:
    """Declared types tell unknown and missing arguments, through what they extend, join and leave out."""
    assert expected == faults(METHODS, "POST", f"https://notes.example/api/{method}", body)


GRAPHQL = GraphQLJudge(
    "https://notes.example/graphql",
    build_schema(
        "type Query { note(id: ID!, size: Size): Note } type Note { title: String } input Size { width: Int! }"
    ),
)


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        (
            "query($id: ID!, $size: Size) { note(id: $id, size: $size) { title } }",
            '{"id": "1", "size": {"width": 1}}',
            None,
        ),
        ("{ note(id: 1) { titel } }", "{}", "Cannot query field 'titel' on type 'Note'"),
        ("{ note(id: 1) { title }", "{}", "Syntax Error"),
        ("query($id: ID!) { note(id: $id) { title } }", "{}", "Variable '$id'"),
        ("query($id: ID!) { note(id: $id) { title } }", '{"id": "1", "x": 1}', "the variable $x isn't declared"),
        (
            "query($s: Size) { note(id: 1, size: $s) { title } }",
            '{"s": {"height": 1}}',
            "unknown field 'height'",
        ),
    ],
)
def test_graphql(query: str, variables: str, expected: str | None) -> None:
    """A schema tells unknown fields, and variables that are missing, unknown or of another type."""
    body = f'{{"query": "{query}", "variables": {variables}}}'.encode()
    found = faults(GRAPHQL, "POST", "https://notes.example/graphql", body)

    assert [] == found if expected is None else any(expected in each for each in found)
    assert [] != faults(GRAPHQL, "POST", "https://notes.example/graphq", body)


def test_names_inside_bodies() -> None:
    """Forms with brackets are read as objects, and keys are found at any depth but inside free ones."""
    body = nested([("a[b][]", "1"), ("a[b][]", "2"), ("c[0][d]", "3"), ("e", "4"), ("e", "5")])

    assert {"a": {"b": ["1", "2"]}, "c": {"d": "3"}, "e": ["4", "5"]} == body
    assert ["a", "b", "c", "e"] == list(keys(body, frozenset({"c"})))


def test_a_package_is_the_pinned_one_and_only_what_is_wanted_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package with another digest, or without a member that is wanted, is refused and leaves nothing behind."""
    content = b"export {}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("notes/lib/a.js", "notes/lib/b.js", "notes/docs/c.md"):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

    def download(_: object, directory: Path) -> Path:
        # Only the registry is left out.
        file = directory / "notes-1.0.0.tgz"
        file.write_bytes(packed.getvalue())
        return file

    monkeypatch.setattr(packages, "CACHE", tmp_path / "cache" / "descriptions")
    monkeypatch.setattr(packages, "_download", download)
    digest = packages.digest("npm", packed.getvalue())
    wanted = npm("notes@1.0.0", digest).keeping("lib/*.js")
    fetch_missing([wanted, wanted])

    assert {"lib/a.js": "export {}", "lib/b.js": "export {}"} == wanted.texts()
    assert ["lib/a.js"] == list(wanted.texts("*a.js"))
    with pytest.raises(ValueError, match="not the pinned sha512-AAAA"):
        fetch_missing([npm("notes@1.0.0", "sha512-AAAA").keeping("lib/*.js")])
    with pytest.raises(ValueError, match="has no member src"):
        fetch_missing([npm("notes@1.0.0", digest).keeping("src/*")])
    assert [wanted.file] == list(wanted.file.parent.iterdir())


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


def test_one_of_several_descriptions_has_to_agree() -> None:
    """A request that no description of an app agrees with is at fault by each of them."""
    judge = AnyJudge((METHODS, GRAPHQL))

    assert [] == faults(judge, "POST", "https://notes.example/api/notes.add", b'{"note": {"title": "x"}}')
    assert 2 == len(faults(judge, "POST", "https://notes.example/api/notes.ad"))


def test_words_of_a_source() -> None:
    """Words with dots are names as a whole, from their second part on, and in parts."""
    assert {"opts.due_on.before", "due_on.before", "due_on", "before"} <= words_of("@param opts.due_on.before - When.")
    assert {"$top", "user-id"} <= words_of("{?%24top}{user%2Did}")


GENERATED = """
export type Scalars = { ID: { input: string; output: string }; String: { input: string; output: string } };
export declare enum Size { /** Small. */ Small = "small", Big = "big" }
/** The queries. */
export type Query = { __typename?: "Query"; note?: Maybe<Note>; notes: Array<Note>; found: Found };
export type QueryNoteArgs = { id: Scalars["ID"]["input"]; filter?: InputMaybe<Filter> };
export type Note = Node & { __typename?: "Note"; title: Scalars["String"]["output"]; size?: Maybe<Size> };
export type NoteTitleArgs = { sizes?: Array<Size> };
type Node = { id: Scalars["ID"]["output"] };
type Found = Note | Person;
type Person = { __typename?: "Person"; name: Scalars["String"]["output"] };
type Filter = { size: Size; and?: Array<Filter> };
"""


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        (
            "query($id: ID!, $f: Filter) { note(id: $id, filter: $f) { id title(sizes: [big]) } notes { size } }",
            {"id": "1", "f": {"size": "small", "and": [{"size": "big"}]}},
            None,
        ),
        ("{ found { ... on Note { title } ... on Person { name } } }", {}, None),
        ("{ note { title } }", {}, "ID!"),
        ("{ notes { name } }", {}, "Cannot query field 'name'"),
        ("{ note(id: 1, filter: {size: huge}) { title } }", {}, "huge"),
        ("query($f: Filter) { note(id: 1, filter: $f) { title } }", {"f": {"and": []}}, "'size'"),
    ],
)
def test_schema_of_generated_types(query: str, variables: dict[str, Any], expected: str | None) -> None:
    """A schema is read from types that were generated of it: nullness, lists, arguments, enumerations and unions."""
    judge = GraphQLJudge("https://notes.example/graphql", generated_types({"types.d.ts": GENERATED}))
    body = json.dumps({"query": query, "variables": variables}).encode()
    found = faults(judge, "POST", "https://notes.example/graphql", body)

    assert [] == found if expected is None else any(expected in each for each in found)
