"""A client made of an OpenAPI document notices what is wrong with a request, place by place."""

import pytest

from tests.connectors.descriptions.generated_clients import GeneratedJudge
from tests.connectors.descriptions.typed_clients import TypedOperation
from tests.connectors.descriptions.typescript import TypeScript
from tests.connectors.judging import faults

JUDGE = GeneratedJudge(
    "https://notes.example",
    (
        TypedOperation("GET", "/notes", "ListNotesData"),
        TypedOperation("POST", "/notes", "AddNoteData"),
        TypedOperation("DELETE", "/notes/{}", "DeleteNoteData"),
    ),
    TypeScript.of(
        [
            """
            export type ListNotesData = {
                body?: never; path?: never; query?: { label?: Array<string> }; url: '/notes';
            };
            export type AddNoteData = {
                body: { title: string; text?: string }; path?: never; query?: never; url: '/notes';
            };
            export type DeleteNoteData = { body?: never; path: { id: string }; query?: never; url: '/notes/{id}' };
            """
        ]
    ),
)


@pytest.mark.parametrize(
    ("method", "address", "body", "expected"),
    [
        ("GET", "/notes?label=a&label=b", b"", []),
        ("GET", "/notes?title=a", b"", ["the key query.title isn't declared"]),
        ("POST", "/notes", b'{"title": "x", "text": "y"}', []),
        ("POST", "/notes", b'{"text": "y"}', ["the key body.title is required"]),
        ("POST", "/notes", b"", ["the key body is required"]),
        ("POST", "/notes?label=a", b'{"title": "x"}', ["there is no query, but one is sent"]),
        ("DELETE", "/notes/7", b"", []),
        ("DELETE", "/notes/7", b'{"title": "x"}', ["there is no body, but one is sent"]),
        ("GET", "/note", b"", ["there is no path /note"]),
    ],
)
def test_each_place_has_its_names(method: str, address: str, body: bytes, expected: list[str]) -> None:
    """A query and a body may hold what is declared there, must hold what is required, and aren't sent elsewhere."""
    assert expected == faults(JUDGE, method, f"https://notes.example{address}", body)
