"""The service with an app that takes and gives files."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field, frozen

from tests.service_server.catalog.connector_folder import ConnectorFolder, known_at, parameter
from tests.service_server.connecting import type_in
from tests.service_server.function_files import mutation, query
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, service

CONTENT = bytes(range(256)) * 5_000 + b"the end"
LIMIT = 2_000_000
NAME = 'Bericht "Mai" ü.bin'

HOOKS = '''
"""Writes a message around a file."""


def with_file(arguments):
    """A message with the file in lines of base64."""
    file = arguments["file"]
    return {"parts": [f"Subject: {file['name']}\\r\\n\\r\\n", {"base64": file}, "-- \\r\\n"], "type": "message/rfc822"}
'''


@frozen
class Received:
    """A request as the app got it."""

    path: str
    headers: dict[str, str]
    body: bytes = field(repr=False)


@define
class Depot:
    """An app that takes and gives files; `given` is what it answers a GET, with `status` and `sent_headers`."""

    url: str = ""
    received: list[Received] = field(factory=list)
    given: bytes = CONTENT
    status: int = 200
    answer: bytes = b'{"id": 1, "name": "Depot"}'
    sent_headers: dict[str, str] = field(factory=dict)


@frozen
class DepotWorld:
    """The service and the app."""

    running: RunningService
    app: Depot

    def upload(self, api: httpx.Client, content: bytes = CONTENT) -> str:
        """Keep a file."""
        answer = api.post("/files", params={"name": NAME}, content=content, headers={"Content-Type": "image/png"})
        return str(answer.json()["id"])

    @contextlib.contextmanager
    def connected(self, user_id: str) -> Iterator[httpx.Client]:
        """The API as a user who has connected the app."""
        assert "connected" == type_in(self.running, user_id, "depot", {}, "open")["status"]
        with self.running.api(user_id) as api:
            yield api

    def reset(self) -> None:
        """Let the app behave well, and forget what it got."""
        self.app.received.clear()
        self.app.given, self.app.status, self.app.sent_headers = CONTENT, 200, {"Content-Type": "image/png"}


@contextlib.contextmanager
def depot_world(folder: Path) -> Iterator[DepotWorld]:
    """Run the app and the service."""
    depot = Depot()

    class Handler(Answering):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            body = self.content()
            content, headers, status = Depot().answer, {"Content-Type": "application/json"}, 200
            if self.path != "/me":
                depot.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                status, content = depot.status, depot.answer
                if self.command == "GET":
                    content, headers = depot.given, depot.sent_headers
            self.answer(status, content, headers)

    with answering(Handler) as depot.url:
        _write_connector(folder / "connectors", depot.url)
        host = depot.url.removeprefix("http://")
        options = ["--connectors", str(folder / "connectors"), "--allow-host", f"depot={host}"]
        with service(folder / "data", *options, env={"SERVICE_MAX_FILE_BYTES": str(LIMIT)}) as running:
            yield DepotWorld(running, depot)


def _write_connector(directory: Path, url: str) -> None:
    def takes(request: dict[str, Any], **more: Any) -> dict[str, Any]:
        return mutation(request, takes={"file": parameter(format="file")}, required=["file"], **more)

    several = {"files": parameter("array", items={"type": "string", "format": "file"})}
    output = {"format": "file", "when": "as_file", "name": "${args.name?}"}
    gives = query({"get": "/content"}, "name", takes={"as_file": parameter("boolean")}, output=output)
    connector = known_at(url, name="depot", title="Depot")
    functions = {
        "raw": takes({"post": "/raw", "query": {"name": "${args.file.name}"}, "raw": {"content": "${args.file}"}}),
        "form": takes({"post": "/form", "multipart": {"title": "A", "part": {"file": "${args.file}"}}}),
        "json": takes({"post": "/json", "body": {"a": {"content": "${args.file}", "size": "${args.file.size}"}}}),
        "mail": takes(
            {"post": "/mail", "raw": {"content": "${prepared.parts}", "type": "${prepared.type}"}}, prepare="with_file"
        ),
        "several": mutation({"post": "/several", "body": {"all": "${args.files?}"}}, takes=several),
        "get": gives,
        "attached": {**gives, "output": {**output, "base64": "data"}},
    }
    ConnectorFolder(connector, functions, hooks=HOOKS).write(directory, "depot")
