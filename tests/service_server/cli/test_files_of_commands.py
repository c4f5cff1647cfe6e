"""`call` and `connector try` with files: paths stand for those taken, and `--save` writes those given."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from service_server.administration.failures import AdministrationError
from service_server.catalog.load import SHIPPED, connector_named, load_catalog
from service_server.cli.local_files import uploaded
from service_server.cli.trial import read_arguments
from service_server.files import Owner
from service_server.store import DatabaseAway
from tests.service_server.commands import Ended, run_command
from tests.service_server.databases import database_of
from tests.service_server.depot import CONTENT, LIMIT, DepotWorld

pytestmark = pytest.mark.slow

USER = "in a terminal"


@pytest.fixture(scope="module")
def connected(depot: DepotWorld) -> Iterator[DepotWorld]:
    """The app, which the user has connected."""
    depot.reset()
    with depot.connected(USER):
        yield depot


def run(depot: DepotWorld, *arguments: str, stdin: str = "") -> Ended:
    """Run `call` on the data of the running service, whose limit is the command's too."""
    folder = depot.running.data_directory
    options = ["--user-id", USER, "--data-dir", str(folder), "--connectors", str(folder.parent / "connectors")]
    options += ["--allow-host", f"depot={depot.app.url.removeprefix('http://')}"]
    env = {"SERVICE_DATABASE": database_of(folder), "SERVICE_MAX_FILE_BYTES": str(LIMIT)}
    return run_command(["call", *arguments, *options], stdin=stdin, env=env)


def test_a_path_stands_for_a_file(connected: DepotWorld, tmp_path: Path) -> None:
    """It is shown as such and sent with its name; nothing of it is sent after a no, or if it is too large."""
    (tmp_path / "my plan.bin").write_bytes(CONTENT)
    (tmp_path / "large.bin").write_bytes(bytes(LIMIT + 1))
    given = ("depot-raw", f"file={tmp_path / 'my plan.bin'}")
    declined = run(connected, *given, stdin="n\n")
    large = run(connected, "depot-raw", f"file={tmp_path / 'large.bin'}", "--yes")
    before = list(connected.app.received)
    agreed = run(connected, *given, stdin="y\n")
    (received,) = connected.app.received

    assert (1, 1, []) == (declined.status, large.status, before)
    assert "my plan.bin" in declined.errors.partition("file: ")[2]
    assert "large.bin: The file is larger than" in large.errors
    assert 0 == agreed.status, agreed.errors
    assert ("/raw?name=my%20plan.bin", CONTENT) == (received.path, received.body)


def test_a_file_is_saved(connected: DepotWorld, tmp_path: Path) -> None:
    """What a function gives is written to a path, whole; what is there already is never overwritten."""
    saved = tmp_path / "given.png"
    first = run(connected, "depot-get", "as_file=true", "--save", str(saved), "--json")
    again = run(connected, "depot-get", "as_file=true", "--save", str(saved))
    plain = run(connected, "depot-get", "--save", str(tmp_path / "other.png"))

    assert 0 == first.status, first.errors
    assert len(CONTENT) == json.loads(first.output)["output"]["size"]
    assert CONTENT == saved.read_bytes()
    assert (1, True) == (again.status, "is there already" in again.errors)
    assert "nothing was saved" in plain.errors
    assert not (tmp_path / "other.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["depot-raw", "file=nowhere.bin"], "file: there is no file nowhere.bin"),
        (["depot-several", 'files:=["nowhere.bin"]'], "files: there is no file nowhere.bin"),
        (["depot-raw", "file=file_0123456789012345678901", "--save", "x.bin"], "depot-raw gives no file"),
        (["depot-get", "--save", "nowhere/x.bin"], "There is no directory nowhere"),
    ],
)
def test_paths_that_lead_nowhere(connected: DepotWorld, arguments: list[str], said: str) -> None:
    """They are told before anything is asked or sent."""
    ended = run(connected, *arguments)

    assert (1, True) == (ended.status, said in ended.errors)


async def test_a_file_that_can_not_be_deleted(depot: DepotWorld, tmp_path: Path) -> None:
    """It takes nothing away from what became of the call, which may have been carried out."""
    path = tmp_path / "plan.bin"
    path.write_bytes(b"plan")
    catalog = load_catalog([depot.running.data_directory.parent / "connectors"])
    function = catalog.connectors["depot"].functions["depot-raw"]
    files = AsyncMock()
    files.keep.return_value.id = "file_1"
    files.delete.side_effect = DatabaseAway("it is away")
    async with uploaded(files, Owner(1, "ann"), function, {"file": str(path)}) as given:
        ended = given

    assert {"file": "file_1"} == ended
    assert 1 == files.delete.await_count


async def test_paths_stand_for_files(tmp_path: Path) -> None:
    """The request has the file's content, name and media type; lists have several; one that isn't there is told."""
    (tmp_path / "a b.png").write_bytes(CONTENT)

    def read(app: str, name: str, *given: tuple[str, str]) -> tuple[Any, dict[str, Any]]:
        connector = connector_named([SHIPPED], app)
        function = connector.functions[f"{app}-{name}"]
        return function.request, read_arguments(function, given)

    request, arguments = read("wordpress", "upload-file", ("file", str(tmp_path / "a b.png")), ("title", "A"))
    streamed = request.build("https://blog.example.com", {"args": arguments, "vars": {}}).streamed
    body = b"".join([chunk async for chunk in streamed.chunks()])
    mail = (("to", "ada@example.com"), ("subject", "S"), ("text", "T"), ("attachments", str(tmp_path / "a b.png")))
    _, of_list = read("gmail", "send-message", *mail)

    assert streamed.length == len(body)
    assert CONTENT in body
    assert b'filename="a b.png"\r\nContent-Type: image/png' in body
    assert ["a b.png"] == [each["name"] for each in of_list["attachments"]]
    with pytest.raises(AdministrationError, match="There is no file /nowhere"):
        read("wordpress", "upload-file", ("file", "/nowhere"))
