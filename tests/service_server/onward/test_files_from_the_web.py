"""Files that a call is given by an address: fetched once, without credentials, within the limits, and gone after it."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from service_server.errors import ServiceError
from service_server.files import Files
from service_server.invoke import take_files as step
from service_server.invoke.invocation import Arguments, Begun
from service_server.onward.values import HostRules
from service_server.store import StoredFiles
from service_server.vault import Vault
from service_server.vault.keys import new_keys
from tests.service_server.onward.certificates import own_certificate
from tests.service_server.onward.scripted import Connection, Fetch, Serve, always
from tests.service_server.store.databases import opened_copy

LIMIT = 1_000_000
CONTENT = bytes(range(256)) * 3000


async def _gives(connection: Connection) -> None:
    while True:
        path = (await connection.read_request()).split(b" ")[1].decode()
        if path == "/moved":
            await connection.answer("302 Found", b"", "Location: /files/a%20b.png?signature=s3cr3t\r\n")
        elif path == "/inside":
            await connection.answer("302 Found", b"", "Location: http://127.0.0.1/\r\n")
        elif path == "/none":
            await connection.answer("404 Not Found")
        elif path == "/large":
            await connection.answer(body=bytes(LIMIT + 1))
        elif path == "/endless":
            await connection.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                await connection.write(b"10000\r\n" + bytes(65536) + b"\r\n")
        else:
            await connection.answer(body=CONTENT, headers="Content-Type: image/png\r\n")


class Caller:
    """Calls the step for a function with one file."""

    def __init__(self, files: Files, sender: Any, url: str) -> None:
        self.files, self.url = files, url
        self.parts: Any = SimpleNamespace(files=files, sender=sender)
        request: Any = SimpleNamespace(function=SimpleNamespace(files=("file",)), application_id=1, user_id="ann")
        self.begun = Begun(request=request, process_id=None)

    async def take(self, path: str) -> Any:
        """The file of a path of the server."""
        taken = await step.take_files(self.begun, Arguments(values={"file": self.url + path}), self.parts)
        assert taken.filled is not None
        return taken.filled["file"]

    async def refused(self, path: str) -> tuple[int, str]:
        """How a path is refused."""
        with pytest.raises(ServiceError) as problem:
            await self.take(path)
        (detail,) = problem.value.details
        assert "file" == detail.field
        assert "s3cr3t" not in problem.value.error
        return problem.value.status, detail.code


@pytest.fixture
async def caller(
    serve: Serve, fetch: Fetch, empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Caller]:
    """The step before a server of the web, on a port of its own."""
    certificate, context = own_certificate("app.test", tmp_path)
    server = await serve(_gives, ssl=context)
    sender = await fetch.sender(lookup=always("127.0.0.1"), extra_ca_pem=certificate)
    monkeypatch.setattr(step, "ANY_HTTPS_HOST", HostRules((f"app.test:{server.port}",)))
    async with opened_copy(empty_database, tmp_path) as database:
        files = Files(StoredFiles(database), Vault(new_keys()), LIMIT, 3 * LIMIT)
        yield Caller(files, sender, server.url("", host="app.test", scheme="https"))


async def test_a_file_is_fetched_and_gone_after_the_call(caller: Caller) -> None:
    """It has its content, name and media type, also behind a redirect, and is kept as long as the call takes."""
    taken = await caller.take("/moved")
    (kept,) = caller.begun.fetched

    assert ("a b.png", "image/png", len(CONTENT)) == (taken["name"], taken["media_type"], taken["size"])
    assert CONTENT == b"".join([chunk async for chunk in taken.chunks()])
    await step.let_go_of_files(caller.begun, caller.parts)
    assert await caller.files.find(step.Owner(1, "ann"), kept.id) is None


async def test_what_can_not_be_fetched(caller: Caller) -> None:
    """A file that isn't there, is too large or leads inside is refused at its parameter, and nothing of it stays."""
    assert (400, "format") == await caller.refused("/none")
    assert (413, "body_too_large") == await caller.refused("/large")
    assert (413, "body_too_large") == await caller.refused("/endless")
    assert (400, "format") == await caller.refused("/inside")
    assert [] == caller.begun.fetched
    for _ in range(3):  # what stayed would fill the user's room
        await caller.take("/whole")
    assert (429, "rate_limited") == await caller.refused("/whole")
