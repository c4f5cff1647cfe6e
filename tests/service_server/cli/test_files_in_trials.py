"""`connector try` with files: paths stand for them, and they are sent as a call would send them."""

from pathlib import Path

import pytest

from service_server.administration.failures import AdministrationError
from service_server.catalog.load import SHIPPED, connector_named
from service_server.catalog.values import FunctionDefinition
from service_server.cli.trial import read_arguments

CONTENT = bytes(range(256)) * 3000


def function_of(app: str, name: str) -> FunctionDefinition:
    """A shipped function."""
    connector = connector_named([SHIPPED], app)
    assert connector is not None
    return connector.functions[f"{app}-{name}"]


async def test_paths_stand_for_files(tmp_path: Path) -> None:
    """The request has the file's content, name and media type."""
    (tmp_path / "a b.png").write_bytes(CONTENT)
    function = function_of("wordpress", "upload-file")
    arguments = read_arguments(function, [("file", str(tmp_path / "a b.png")), ("title", "A")])
    request = function.request.build("https://blog.example.com", {"args": arguments, "vars": {}})
    assert request.streamed is not None
    body = b"".join([chunk async for chunk in request.streamed.chunks()])

    assert request.streamed.length == len(body)
    assert CONTENT in body
    assert b'filename="a b.png"\r\nContent-Type: image/png' in body


def test_lists_of_files_and_files_that_are_not_there(tmp_path: Path) -> None:
    """Each of several paths is a file; one that leads nowhere is told."""
    (tmp_path / "a.txt").write_bytes(b"a")
    said = [("to", "ada@example.com"), ("subject", "S"), ("text", "T"), ("attachments", str(tmp_path / "a.txt"))]
    arguments = read_arguments(function_of("gmail", "send-message"), said)

    assert ["a.txt"] == [each["name"] for each in arguments["attachments"]]
    with pytest.raises(AdministrationError, match="There is no file /nowhere"):
        read_arguments(function_of("wordpress", "upload-file"), [("file", "/nowhere")])
