"""What functions of a client in Python put together tells what is wrong with a request, and nothing else."""

import ast
import json
from typing import Any

import pytest

from service_server.onward.values import OnwardRequest
from tests.connectors.descriptions.compiled_judge import CompiledJudge
from tests.connectors.descriptions.python_client import calls_of
from tests.connectors.descriptions.python_types import Types
from tests.connectors.descriptions.sent import Sent
from tests.connectors.judging import JSON, faults

MODELS = """
class Line(BaseModel):
    text: str
    inner: "list[Line] | None" = None

class Note(BaseModel):
    title: str
    size: Optional[Literal["small", "big"]] = None
    lines: List[Line] = []
"""
CLIENT = """
LIMIT = 50

class Client:
    @property
    def author(self) -> str:
        return "a"

    async def list_notes(self, labels: str, limit: int = 20, archived: bool | None = None):
        params = {"limit": min(limit, LIMIT), "labels": [each.strip() for each in labels.split(",")]}
        if archived is not None:
            params["filters[archived]"] = archived
        return await self._get("/notes", params=params)

    def add_note(self, note: Note, **more):
        with self.session:
            return self._post(url=f"{self.url}/notes", json={"note": note.model_dump(), "by": {"name": self.author}})

    def share(self, note_id, people: list[str], content: dict[str, Any], kind: str = "mail"):
        body = {"people": people, "content": content, "kind": kind, "app": "notes", "copies": 1}
        return self._post("/notes/{}/share?notify=true".format(note_id), json=body)

    def share_all(self, text: str):
        return self.share(1, [], content={"text": text or "all"})

    def change(self, note_id: int, fields: Dict[str, Any]):
        data: dict[str, Any] = {}
        data.update(fields)
        return self._put(f"/notes/{note_id}", json=data)

    def remove(self, note_id: int):
        return self._delete(f"/notes/{note_id}")
"""


@pytest.fixture(scope="module")
def judge() -> CompiledJudge:
    """Read the client."""
    types = Types.of([ast.parse(MODELS)])
    calls = calls_of({"client.py": CLIENT}, r"self\._(?P<method>get|post|put|delete)", types)
    return CompiledJudge("https://notes.example", tuple(calls), types.definitions(), is_flat=True)


BY = {"name": "b"}
SHARE = {"people": ["a"], "content": {"text": "b"}, "app": "notes"}
SHARED = "/notes/1/share?notify=true"


@pytest.mark.parametrize(
    ("method", "address", "body", "expected"),
    [
        ("GET", "/notes?labels=a&labels=b", None, None),
        ("GET", "/notes?labels=a&limit=3&filters[archived]=true", None, None),
        ("GET", "/notes?labels=a&limit=few", None, "query.limit: 'few'"),
        ("GET", "/notes?labels=a&filters[archived]=yes", None, "query.filters[archived]: 'yes'"),
        ("GET", "/notes?labels=a&archived=true", None, "'archived' was unexpected"),
        ("GET", "/notes?limit=3", None, "query: 'labels' is a required property"),
        ("POST", "/notes", {"note": {"title": "a", "size": "big"}, "by": BY}, None),
        (
            "POST",
            "/notes",
            {"note": {"title": "a", "lines": [{"text": "b", "inner": [{"text": "c"}]}]}, "by": BY},
            None,
        ),
        (
            "POST",
            "/notes",
            {"note": {"title": "a", "lines": [{"text": "b", "inner": [{}]}]}, "by": BY},
            "lines.0.inner",
        ),
        ("POST", "/notes", {"note": {"title": "a", "size": "huge"}, "by": BY}, "body.note.size: 'huge'"),
        ("POST", "/notes", {"note": {"size": "big"}, "by": BY}, "body.note: 'title' is a required property"),
        ("POST", "/notes", {"note": {"title": "a", "by": {}}, "by": BY}, "'by' was unexpected"),
        ("POST", "/notes", {"note": {"title": "a"}, "by": {"name": 1}}, "body.by.name: 1 is not of type 'string'"),
        ("POST", "/notes", {"note": {"title": "a"}}, "body: 'by' is a required property"),
        ("POST", SHARED, SHARE, None),
        ("POST", SHARED, {**SHARE, "kind": "chat", "copies": 2}, None),
        ("POST", SHARED, {**SHARE, "content": {"txt": "b"}}, "body.content: "),
        ("POST", SHARED, {**SHARE, "people": "a"}, "body.people: 'a'"),
        ("POST", "/notes/1/share", SHARE, "query: 'notify' is a required property"),
        ("PUT", "/notes/1", {"any": [1]}, None),
        ("DELETE", "/notes/1", None, None),
        ("DELETE", "/notes/1", {"title": "a"}, "there is no body, but one is sent"),
    ],
)
def test_what_functions_send(judge: CompiledJudge, method: str, address: str, body: Any, expected: str | None) -> None:
    """Names, types and required keys come of annotations, models, conditions and defaults, across functions."""
    content = b"" if body is None else json.dumps(body).encode()
    found = faults(judge, method, f"https://notes.example{address}", content)

    assert [] == found if expected is None else any(expected in each for each in found), found


def test_what_has_no_type(judge: CompiledJudge) -> None:
    """What a client hands on as it is given is named as untyped."""
    request = Sent.of(OnwardRequest("PUT", "https://notes.example/notes/1", JSON, b'{"any": [1]}'))

    assert ["body.*"] == list(judge.untyped(request))
