"""Files of users: what goes up comes down, for who gave it and for nobody else, and not for long."""

import asyncio
import io
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from attrs import evolve

from service_client import AsyncClient, Client, File, FileContent, InvalidArgumentError, NotAcceptedError, NotFoundError
from service_server.files import Files, FileTooLarge, KeptFile, NoRoomForFile, Owner
from service_server.files.pieces import PIECE_BYTES, DamagedPiece
from service_server.store import FileGone, StoredFiles
from service_server.vault import Vault
from service_server.vault.keys import new_keys
from tests.service_server.clients import Clients, result
from tests.service_server.databases import ON_SQLITE
from tests.service_server.processes import RunningService, service
from tests.service_server.store.databases import opened

pytestmark = pytest.mark.slow

LIMIT = 3_000_000
OF_ALL = 7_000_000
CONTENT = bytes(range(256)) * 9_000  # several pieces, and the last one not full
ANN = Owner(1, "ann")


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with small limits."""
    env = {"SERVICE_MAX_FILE_BYTES": str(LIMIT), "SERVICE_MAX_USER_FILES_BYTES": str(OF_ALL)}
    with service(tmp_path_factory.mktemp("files"), env=env) as running:
        yield running


@pytest.fixture(params=[Client, AsyncClient], ids=lambda kind: kind.__name__)
def clients(request: pytest.FixtureRequest, keeping: RunningService) -> Clients:
    """Both kinds of client."""
    return Clients(request.param, keeping.url, keeping.app_key, keeping.app_secret)


class Unseekable(io.BytesIO):
    """A file object whose size nobody can tell before it is read."""

    def seekable(self) -> bool:
        """Say that it isn't."""
        return False


async def test_what_goes_up_comes_down(clients: Clients, tmp_path: Path) -> None:
    """A path, bytes and a file object arrive whole, with name, size and media type; deleted they are gone."""
    path = tmp_path / "Übersicht 2026.csv"
    path.write_bytes(CONTENT)
    async with clients.of(f"up {clients.kind.__name__}") as client:
        kept: list[File] = [
            await result(client.files.upload(path)),
            await result(client.files.upload(b"", name="../../etc/passwd", media_type="Text/HTML; charset=utf-8")),
            await result(client.files.upload(Unseekable(b"streamed"), name="notes.txt")),
        ]
        came: list[FileContent] = [await result(client.files.download(each.id)) for each in kept]
        for each in kept:
            await result(client.files.delete(each.id))
            with pytest.raises(NotFoundError) as gone:
                await result(client.files.download(each.id))
            assert "unknown_file" == gone.value.code

    assert [
        ("Übersicht 2026.csv", len(CONTENT), "text/csv"),
        ("passwd", 0, "text/html; charset=utf-8"),
        ("notes.txt", 8, "text/plain"),
    ] == [(each.name, each.size, each.media_type) for each in kept]
    assert all(3500 < each.expires_at.timestamp() - time.time() <= 3600 for each in kept)
    # What a browser might run is only bytes on the way back.
    assert [
        FileContent("Übersicht 2026.csv", "text/csv", CONTENT),
        FileContent("passwd", "application/octet-stream", b""),
        FileContent("notes.txt", "text/plain", b"streamed"),
    ] == came


async def test_what_can_not_be_uploaded(clients: Clients, tmp_path: Path) -> None:
    """A path that isn't there, a text file and a media type that is none are told before anything is sent."""
    async with clients.of("wrong") as client:
        for wrong, told in (
            ({"file": tmp_path / "none"}, "There is no file"),
            ({"file": 7}, "Pass a path"),
            ({"file": b"", "media_type": "x\r\nA: b"}, "media_type must"),
            ({"file": io.StringIO("x")}, "binary mode"),
        ):
            with pytest.raises(InvalidArgumentError, match=told):
                await result(client.files.upload(**wrong))


async def test_too_large_is_told(clients: Clients) -> None:
    """A file over the limit is refused, whether or not its size was announced, and nothing of it stays."""
    async with clients.of(f"large {clients.kind.__name__}") as client:
        for _ in range(3):  # what stayed would fill the user's room
            for large in (bytes(LIMIT + 1), Unseekable(bytes(LIMIT + 1))):
                with pytest.raises(NotAcceptedError, match=r"larger than 2\.861 MiB") as refused:
                    await result(client.files.upload(large))
                assert (413, "body_too_large") == (refused.value.status, refused.value.code)
        assert LIMIT == (await result(client.files.upload(bytes(LIMIT)))).size


def test_a_user_keeps_so_much_at_most(keeping: RunningService) -> None:
    """Over the limit for all files a user waits or deletes some, whoever uploads at the same time."""
    with keeping.api("collector") as api:
        kept = [api.post("/files", content=bytes(LIMIT)).json()["id"] for _ in range(2)]
        refused = api.post("/files", content=bytes(LIMIT))
        assert 204 == api.delete(f"/files/{kept[0]}").status_code
        assert 201 == api.post("/files", content=bytes(LIMIT)).status_code
    with keeping.api("other") as api:
        assert 201 == api.post("/files", content=bytes(LIMIT)).status_code

    assert (429, "rate_limited") == (refused.status_code, refused.json()["error_details"][0]["code"])
    assert 3500 < int(refused.headers["retry-after"]) <= 3600


def test_nobody_else_has_it(keeping: RunningService) -> None:
    """Neither another user nor nobody in particular loads or deletes a file: there is none. A form is no file."""
    with keeping.api("owner") as owner, keeping.api("thief") as thief:
        assert 415 == owner.post("/files", files={"file": b"x"}).status_code
        kept = owner.post("/files", params={"name": "a.txt"}, content=b"mine").json()["id"]
        for answer in (thief.get(f"/files/{kept}"), thief.delete(f"/files/{kept}"), owner.get("/files/file_x")):
            assert (404, "unknown_file") == (answer.status_code, answer.json()["error_details"][0]["code"])
        token = {"Authorization": f"Bearer {owner.post('/session_tokens').json()['token']}"}
        with httpx.Client(base_url=keeping.url, trust_env=False) as nobody:
            assert 401 == nobody.get(f"/files/{kept}").status_code
            assert 401 == nobody.post("/files", content=b"x").status_code
            by_token = nobody.get(f"/files/{kept}", headers=token)

    assert b"mine" == by_token.content
    assert "attachment; filename*=UTF-8''a.txt" == by_token.headers["content-disposition"]
    assert "nosniff" == by_token.headers["x-content-type-options"]
    assert "sandbox; default-src 'none'" == by_token.headers["content-security-policy"]
    assert "no-store" == by_token.headers["cache-control"]


def test_an_upload_that_breaks_off(keeping: RunningService) -> None:
    """A connection that ends early leaves nothing, not even the room that was set aside."""
    address = urlsplit(keeping.url)
    for _ in range(4):  # each would take almost half of the user's room
        head = f"POST /files HTTP/1.1\r\nHost: x\r\nContent-Length: {LIMIT}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in keeping.headers("breaker").items())
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(head.encode() + b"\r\n" + bytes(LIMIT // 2))
    with keeping.api("breaker") as api:
        keeping.program.wait_until(lambda: api.post("/files", content=bytes(LIMIT)).status_code == 201 or None)
        assert 201 == api.post("/files", content=bytes(LIMIT)).status_code


@pytest.fixture
async def stored(database_url: str) -> AsyncIterator[StoredFiles]:
    """The files of an empty database."""
    async with opened(database_url) as database:
        yield StoredFiles(database)


@pytest.fixture
def files(stored: StoredFiles) -> Files:
    """Files with a vault and limits."""
    return Files(stored, Vault(new_keys()), LIMIT, OF_ALL)


async def _in_chunks(content: bytes, size: int = 70_000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def _read(file: Any) -> bytes:
    return b"".join([chunk async for chunk in file.chunks()])


@ON_SQLITE
async def test_sizes_around_a_piece(files: Files) -> None:
    """Nothing is lost or added where pieces meet."""
    for size in (0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES):
        content = bytes(i % 251 for i in range(size))
        kept = await files.keep(ANN, "a", "", _in_chunks(content))
        assert (size, content) == (kept.size, await _read(kept))
        await files.delete(ANN, kept.id)


@ON_SQLITE
async def test_pieces_are_sealed_in_their_places(files: Files, stored: StoredFiles, monkeypatch: Any) -> None:
    """The database sees no content and no name; pieces that were swapped, cut off or of another file don't open."""
    kept = await files.keep(ANN, "salaries.txt", "text/plain", _in_chunks(CONTENT))
    other = await files.keep(ANN, "b", "", _in_chunks(CONTENT))
    row = await stored.find(*ANN, kept.id)
    pieces = [await stored.piece(kept.id, position) for position in range(5)]
    assert "salaries" not in row.sealed_head
    assert all(CONTENT[:64] not in piece for piece in pieces)

    for read, order in ((kept, [1, 0, *range(2, 5)]), (other, range(5)), (evolve(kept, size=PIECE_BYTES), range(5))):

        async def piece(_: StoredFiles, __: str, position: int, order: Sequence[int] = order) -> bytes:
            return pieces[order[position]]

        monkeypatch.setattr(StoredFiles, "piece", piece)
        with pytest.raises(DamagedPiece):
            await _read(read)


async def test_an_hour_later(files: Files, stored: StoredFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose time is over can't be found, and upkeep deletes it with all its pieces; others stay."""
    old = await files.keep(ANN, "old", "", _in_chunks(CONTENT))
    with monkeypatch.context() as later:
        for module in ("service_server.files.files.now", "service_server.store.files.now"):
            later.setattr(module, lambda: time.time() + 1800)
        young = await files.keep(ANN, "young", "", _in_chunks(CONTENT))
    with monkeypatch.context() as later:
        later.setattr("service_server.store.files.now", lambda: time.time() + 3700)
        assert await files.find(ANN, old.id) is None
        assert 1 == await stored.forget()
        assert CONTENT == await _read(await files.find(ANN, young.id))
    with pytest.raises(FileGone):
        await _read(old)


async def test_limits_hold_for_uploads_at_once(files: Files) -> None:
    """Many uploads at the same moment don't get past the limit together; what is refused leaves nothing."""
    uploads = [files.keep(ANN, "a", "", _in_chunks(bytes(1_000_000)), 1_000_000) for _ in range(12)]
    came = [type(each) for each in await asyncio.gather(*uploads, return_exceptions=True)]

    assert {KeptFile: OF_ALL // 1_000_000, NoRoomForFile: 12 - OF_ALL // 1_000_000} == Counter(came)


@pytest.mark.parametrize("size", [0, 1, 1_000_000])
async def test_an_unannounced_file_takes_what_room_there_is(files: Files, size: int) -> None:
    """Next to full, what fits is kept, and of what doesn't nothing stays; full, nothing begins."""
    for _ in range(6):
        await files.keep(ANN, "a", "", _in_chunks(bytes(1_000_000)), 1_000_000)
    with pytest.raises(NoRoomForFile):
        await files.keep(ANN, "large", "", _in_chunks(bytes(1_000_001)))
    kept = await files.keep(ANN, "b", "", _in_chunks(bytes(size)))
    assert size == kept.size
    await files.keep(ANN, "rest", "", _in_chunks(bytes(1_000_000 - size)), 1_000_000 - size)

    for length in (1, None):
        with pytest.raises(NoRoomForFile):
            await files.keep(ANN, "c", "", _in_chunks(b"c"), length)


@ON_SQLITE
async def test_a_file_is_no_larger_than_all_of_a_user(stored: StoredFiles) -> None:
    """Where the limit of all files is the lower one, it is that of each, and not in the way of small ones."""
    files = Files(stored, Vault(new_keys()), OF_ALL, LIMIT)

    for length in (LIMIT + 1, None):
        with pytest.raises(FileTooLarge) as problem:
            await files.keep(ANN, "large", "", _in_chunks(bytes(LIMIT + 1)), length)
        assert LIMIT == problem.value.limit
    assert 1 == (await files.keep(ANN, "small", "", _in_chunks(b"s"))).size


async def test_deleted_while_it_is_written(files: Files, stored: StoredFiles) -> None:
    """A file that is deleted, or that turns out too large, while it comes is no file, and its pieces go."""

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield bytes(PIECE_BYTES)

    with pytest.raises(FileTooLarge):
        await files.keep(ANN, "a", "", endless())

    begun: list[str] = []
    original = stored.add_piece

    async def deleting(file_id: str, position: int, sealed_content: bytes) -> None:
        await original(file_id, position, sealed_content)
        begun.append(file_id)
        await stored.delete(file_id)

    stored.add_piece = deleting
    with pytest.raises(FileGone):
        await files.keep(ANN, "a", "", _in_chunks(CONTENT))
    with pytest.raises(FileGone):
        await stored.piece(begun[0], 0)
