"""Uploads that have to be sent again: whole, or not at all."""

import inspect
import io
from pathlib import Path
from typing import Any

import pytest

from service_client import AsyncClient, AuthenticationError, Client, InvalidArgumentError
from service_client.testing import AsyncMemoryTransport, HttpRequest, MemoryTransport, Response

KEPT = {"id": "file_1", "name": "a", "size": 5, "media_type": "text/plain", "expires_at": "2030-01-01T00:00:00Z"}
REFUSED = {"error": "The token is over.", "error_details": [], "request_id": "r"}


class Pipe(io.BytesIO):
    """A file object that can be read once."""

    def seekable(self) -> bool:
        """Say that it can't go back."""
        return False


class Uploads:
    """What arrives, by the token that it came with; an old one is refused once all is there."""

    def __init__(self) -> None:
        self.arrived: list[tuple[str, bytes]] = []

    def __call__(self, request: HttpRequest) -> Response:
        """Answer one upload."""
        content: Any = request.content
        whole = content if isinstance(content, bytes) else b"".join(content.chunks())
        token = request.headers["Authorization"].removeprefix("Bearer ")
        self.arrived.append((token, whole))
        return Response.of_json(REFUSED, 401) if token == "old" else Response.of_json(KEPT, 201)


def client_of(kind: Any, uploads: Uploads, *tokens: str) -> Any:
    """A client that has these tokens, one after the other."""
    transport = MemoryTransport(uploads) if kind is Client else AsyncMemoryTransport(uploads)
    return kind("http://service.test", token=iter(tokens).__next__, transport=transport)


async def result(answer: Any) -> Any:
    """What a method gives, awaited where it has to be."""
    return await answer if inspect.isawaitable(answer) else answer


@pytest.mark.parametrize("kind", [Client, AsyncClient])
async def test_what_can_be_read_again_is_sent_again(kind: Any) -> None:
    """Whole, with the new token."""
    for file in (b"whole", io.BytesIO(b"whole")):
        uploads = Uploads()
        await result(client_of(kind, uploads, "old", "new").files.upload(file, name="a"))

        assert [("old", b"whole"), ("new", b"whole")] == uploads.arrived


@pytest.mark.parametrize("kind", [Client, AsyncClient])
async def test_what_can_be_read_once_is_sent_once(kind: Any) -> None:
    """Nothing is left of it for a new token, and an empty file in its place would pass for it."""
    uploads = Uploads()
    client, pipe = client_of(kind, uploads, "old", "new"), Pipe(b"whole")
    with pytest.raises(AuthenticationError):
        await result(client.files.upload(pipe, name="a"))

    assert [("old", b"whole")] == uploads.arrived


def test_what_was_read_is_not_read_again() -> None:
    """A transport that reads it a second time is told so, and sends no empty file."""

    def twice(request: HttpRequest) -> Response:
        content: Any = request.content
        assert [b"whole"] == list(content.chunks())
        return Response.of_json({"read": len(list(content.chunks()))})

    client = Client("http://service.test", token="t", transport=MemoryTransport(twice))
    with pytest.raises(InvalidArgumentError, match="can't be read again"):
        client.files.upload(Pipe(b"whole"), name="a")


@pytest.mark.parametrize(("then", "arrives"), [(b"first and second", b"first"), (b"fir", None)])
def test_a_file_that_changes_meanwhile(tmp_path: Path, then: bytes, arrives: bytes | None) -> None:
    """As many bytes are sent as were announced: HTTP's libraries fail at any others."""
    path = tmp_path / "service.log"
    path.write_bytes(b"first")
    came: list[tuple[int | None, bytes]] = []

    def changes(request: HttpRequest) -> Response:
        content: Any = request.content
        announced = content.size
        path.write_bytes(then)
        came.append((announced, b"".join(content.chunks())))
        return Response.of_json(KEPT, 201)

    client = Client("http://service.test", token="t", transport=MemoryTransport(changes))
    if arrives is None:
        with pytest.raises(InvalidArgumentError, match="has become shorter"):
            client.files.upload(path)
    else:
        client.files.upload(path)
        assert [(5, arrives)] == came
