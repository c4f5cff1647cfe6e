"""A client's types, as the TypeScript compiler reads them, tell what is wrong with a request and nothing else."""

import zipfile
from collections.abc import Iterator

import pytest

from service_server.onward.values import OnwardRequest
from tests.connectors.descriptions import packages
from tests.connectors.descriptions.compiled_judge import CompiledJudge
from tests.connectors.descriptions.compiled_types import Call, CompiledClient, amended
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.sent import Sent
from tests.connectors.judging import FORM, JSON, faults

TYPES = """
interface Titled { titel: string }
export interface Note extends Titled { size?: "small" | "big"; lines?: Line[]; by?: { id: string } | { name: string } }
interface Line { text: string; inner?: Line; marks?: Record<string, number> }
export interface Marked { mark: { kind: string; [name: string]: unknown }; any?: any }
export interface Search { label?: string[]; limit?: number; archived?: boolean; other?: string }
"""
CALLS = (
    Call("GET", "/notes", query='Omit<types.Search, "other">'),
    Call("POST", "/notes", body="types.Note"),
    Call("DELETE", "/notes/{}"),
    Call("PUT", "/notes/{}", body="types.Marked | undefined"),
    Call("PUT", "/files", header="types.Note"),
    Call("POST", "/old", body="types.Note"),
    Call("POST", "/old", body="unknown"),
    Call(
        "GET",
        "/people",
        query="{ 'page[size]': limit, by_label: given.label }",
        parameters="...[given, limit]: Parameters<(given: types.Search, limit?: number) => void>",
    ),
)


def client(head: str = 'import type * as types from "./lib/types.js";') -> CompiledClient:
    """A client of three calls."""
    return CompiledClient(
        npm("notes@1.0.0", "sha512-AAAA"),
        base_url="https://notes.example",
        sources=("lib/notes.js",),
        reader=lambda _: CALLS,
        head=head,
        types=("lib/*.d.ts",),
        rewrite=lambda texts: {name: text.replace("titel", "title") for name, text in texts.items()},
        header="Arguments",
        flat=True,
    )


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CompiledJudge]:
    """Let the compiler read the client's types, once for all of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        kept = tmp_path_factory.mktemp("kept")
        patch.setattr(packages, "CACHE", kept)
        patch.setattr("tests.connectors.descriptions.compiled_types.CACHE", kept)
        with zipfile.ZipFile(client().members[0].file, "w") as archive:
            archive.writestr("lib/notes.js", "")
            archive.writestr("lib/types.d.ts", TYPES)
        yield client().read()


@pytest.mark.parametrize(
    ("method", "address", "body", "expected"),
    [
        ("GET", "/notes?label=a&limit=3&archived=true", b"", None),
        ("GET", "/notes?label=a&label=b", b"", None),
        ("GET", "/notes?limit=few", b"", "query.limit: 'few'"),
        ("GET", "/notes?archived=yes", b"", "query.archived: 'yes'"),
        ("GET", "/notes?other=a", b"", "query: Unevaluated properties are not allowed ('other'"),
        ("GET", "/notes", b'{"label": ["a"]}', "there is no body, but one is sent"),
        ("POST", "/notes", b'{"title": "a", "size": "big", "lines": [{"text": "b", "inner": {"text": "c"}}]}', None),
        ("POST", "/notes", b'{"title": "a", "by": {"id": "1", "name": "b"}}', None),
        ("POST", "/notes", b'{"title": "a", "by": {}}', "body.by: {} is not valid"),
        ("POST", "/notes", b'{"title": "a", "lines": [{"text": "b", "marks": {"any": 1}}]}', None),
        ("POST", "/notes", b'{"title": "a", "lines": [{"text": "b", "marks": {"a": "1"}}]}', "body.lines.0.marks.a"),
        ("POST", "/notes", b'{"title": 1}', "body.title: 1 is not of type 'string'"),
        ("POST", "/notes", b'{"title": "a", "size": "huge"}', "body.size: 'huge'"),
        ("POST", "/notes", b"", "body: 'title' is a required property"),
        ("POST", "/notes", b'{"title": "a", "lines": [{"txt": "b"}]}', "body.lines.0: "),
        ("POST", "/notes?title=a", b'{"title": "a"}', "there is no query, but one is sent"),
        ("DELETE", "/notes/1", b"", None),
        ("PUT", "/notes/1", b"", None),
        ("PUT", "/notes/1", b"{}", "body: 'mark' is a required property"),
        ("GET", "/people?page[size]=3&by_label=a", b"", None),
        ("GET", "/people?page[size]=few", b"", "query.page[size]: 'few'"),
        ("GET", "/people?label=a", b"", "'label' was unexpected"),
        ("DELETE", "/note/1", b"", "there is no path /note/1"),
    ],
)
def test_each_place_has_its_names_and_types(
    judge: CompiledJudge, method: str, address: str, body: bytes, expected: str | None
) -> None:
    """Place, name, type and required are compared, through what types extend, leave out, join and hold."""
    found = faults(judge, method, f"https://notes.example{address}", body, JSON)

    assert [] == found if expected is None else any(expected in each for each in found), found


def test_forms_and_headers(judge: CompiledJudge) -> None:
    """The names and the texts of a form are compared like those of JSON, a header that holds JSON like a body."""
    notes, files = "https://notes.example/notes", "https://notes.example/files"

    assert [] == faults(judge, "POST", notes, b"title=a&size=big", FORM)
    assert faults(judge, "POST", notes, b"titel=a", FORM)
    assert faults(judge, "POST", notes, b"title=a&size=huge", FORM)
    assert [] == faults(judge, "PUT", files, b"x", (("Arguments", '{"title": "a"}'),))
    assert ["header: 'title' is a required property"] == faults(judge, "PUT", files, b"x", (("Arguments", "{}"),))


@pytest.mark.parametrize(
    ("method", "address", "body", "untyped"),
    [
        ("PUT", "/notes/1", b'{"mark": {"kind": "a", "colour": "red"}, "any": [1]}', ["body.mark.*", "body.any"]),
        # One of the two calls takes anything, so that what is sent there would always pass.
        ("POST", "/old", b'{"title": "a"}', ["body"]),
    ],
)
def test_what_has_no_type(judge: CompiledJudge, method: str, address: str, body: bytes, untyped: list[str]) -> None:
    """Places whose types the client doesn't tell are named, those that it does tell aren't."""
    request = Sent.of(OnwardRequest(method, f"https://notes.example{address}", JSON, body))

    assert untyped == list(judge.untyped(request))


@pytest.mark.usefixtures("judge")
def test_types_that_are_missing_are_noticed() -> None:
    """A type that isn't found would be anything; the compiler's word on it ends the comparison."""
    with pytest.raises(ValueError, match="aren't understood"):
        client('import type * as types from "./lib/missing.js";').read()


def test_amended_types_are_there() -> None:
    """What is amended has to be in the types, so that an exception goes when its reason has gone."""
    assert {"a": "type A = string"} == amended(("any", "string"))({"a": "type A = any"})
    with pytest.raises(ValueError, match="no member holds other"):
        amended(("other", "string"))({"a": "type A = any"})
