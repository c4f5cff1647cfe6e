"""A client's types, as the TypeScript compiler reads them, tell what is wrong with a request and nothing else."""

import zipfile
from pathlib import Path

import pytest

from service_server.onward.values import OnwardRequest
from tests.connectors.descriptions import packages
from tests.connectors.descriptions.compiled_judge import CompiledJudge
from tests.connectors.descriptions.compiled_types import Call, CompiledClient
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
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the client's members lie."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def judge(kept: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledJudge:
    """Let the compiler read the client's types, once for all of these tests."""
    monkeypatch.setattr(packages, "CACHE", kept)
    monkeypatch.setattr("tests.connectors.descriptions.compiled_types.CACHE", kept)
    with zipfile.ZipFile(client().members[0].file, "w") as archive:
        archive.writestr("lib/notes.js", "")
        archive.writestr("lib/types.d.ts", TYPES)
    return client().read()


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
        (
            "POST",
            "/notes",
            b'{"title": "a", "lines": [{"text": "b", "marks": {"any": "1"}}]}',
            "body.lines.0.marks.any",
        ),
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


def test_texts_of_a_form(judge: CompiledJudge) -> None:
    """The names and the texts of a form are compared like those of JSON."""
    address = "https://notes.example/notes"

    assert [] == faults(judge, "POST", address, b"title=a&size=big", FORM)
    assert faults(judge, "POST", address, b"titel=a", FORM)
    assert faults(judge, "POST", address, b"title=a&size=huge", FORM)


def test_json_in_a_header(judge: CompiledJudge) -> None:
    """A header that holds JSON is compared like a body."""
    address = "https://notes.example/files"

    assert [] == faults(judge, "PUT", address, b"x", (("Arguments", '{"title": "a"}'),))
    assert ["header: 'title' is a required property"] == faults(judge, "PUT", address, b"x", (("Arguments", "{}"),))


def test_what_has_no_type(judge: CompiledJudge) -> None:
    """Places whose types the client doesn't tell are named, those that it does tell aren't."""
    body = b'{"mark": {"kind": "a", "colour": "red"}, "any": [1]}'
    request = Sent.of(OnwardRequest("PUT", "https://notes.example/notes/1", JSON, body))

    assert ["body.mark.*", "body.any"] == list(judge.untyped(request))


def test_a_call_of_any_kind_beside_others(judge: CompiledJudge) -> None:
    """Where one of several calls takes anything, what is sent there counts as untyped, since it would always pass."""
    request = Sent.of(OnwardRequest("POST", "https://notes.example/old", JSON, b'{"title": "a"}'))

    assert ["body"] == list(judge.untyped(request))


@pytest.mark.usefixtures("judge")
def test_types_that_are_missing_are_noticed() -> None:
    """A type that isn't found would be anything; the compiler's word on it ends the comparison."""
    with pytest.raises(ValueError, match="aren't understood"):
        client('import type * as types from "./lib/missing.js";').read()
