"""`connector try` with files: paths stand for them, and they are sent as a call would send them."""

from pathlib import Path
from typing import Any

import pytest

from service_server.administration.failures import AdministrationError
from service_server.catalog.load import SHIPPED, connector_named
from service_server.cli.trial import read_arguments

CONTENT = bytes(range(256)) * 3000


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
