"""Functions that take and give files, against a running app: what it gets is what the user gave, and only that."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from attrs import define, field, frozen

from tests.service_server.catalog.connector_folder import (
    ConnectorFolder,
    minimal_connector,
    minimal_function,
    parameter,
)
from tests.service_server.connecting import given_values
from tests.service_server.processes import RunningService, http, service

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
class World:
    """The service and the app."""

    running: RunningService
    app: Depot

    def upload(self, api: httpx.Client, content: bytes = CONTENT) -> str:
        """Keep a file."""
        answer = api.post("/files", params={"name": NAME}, content=content, headers={"Content-Type": "image/png"})
        return str(answer.json()["id"])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Run the app and the service."""
    folder, depot = tmp_path_factory.mktemp("depot"), Depot()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            content, headers, status = Depot().answer, {"Content-Type": "application/json"}, 200
            if self.path != "/me":
                depot.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                status, content = depot.status, depot.answer
                if self.command == "GET":
                    content, headers = depot.given, depot.sent_headers
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815  the name is http.server's

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        depot.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        _write_connector(folder / "connectors", depot.url)
        host = depot.url.removeprefix("http://")
        options = ["--connectors", str(folder / "connectors"), "--allow-host", f"depot={host}"]
        with service(folder / "data", *options, env={"SERVICE_MAX_FILE_BYTES": str(LIMIT)}) as running:
            yield World(running, depot)
        server.shutdown()


@pytest.fixture
def api(world: World, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The API as a user of the test's own, who has connected the app; it behaves well."""
    world.app.received.clear()
    world.app.given, world.app.status, world.app.sent_headers = CONTENT, 200, {"Content-Type": "image/png"}
    with world.running.api(request.node.name) as api, http(world.running.url) as browser:
        session = api.post("/apps/depot/connect_sessions", json={}).json()
        path = urlsplit(session["url"]).path
        answer = browser.post(path, data=given_values(browser.get(path).text))
        assert answer.status_code in (200, 303), answer.text
        yield api


def _write_connector(directory: Path, url: str) -> None:
    file = parameter(format="file")

    def takes(request: dict[str, Any], **more: Any) -> dict[str, Any]:
        parameters = {"type": "object", "required": ["file"], "properties": {"file": file}}
        return {**minimal_function(), "type": "mutation", "request": request, "parameters": parameters, **more}

    several = {
        "type": "object",
        "properties": {"files": parameter("array", items={"type": "string", "format": "file"})},
    }
    wanted = {"name": parameter(), "as_file": parameter("boolean")}
    gives: dict[str, Any] = {
        **minimal_function(),
        "request": {"get": "/content"},
        "output": {"format": "file", "when": "as_file", "name": "${args.name?}"},
        "parameters": {"type": "object", "properties": wanted},
    }
    connector = {**minimal_connector(), "name": "depot", "title": "Depot", "base_url": url, "test": {"get": "/me"}}
    connector["account"] = {"id": "${test.id}", "name": "${test.name}"}
    functions = {
        "raw": takes({"post": "/raw", "query": {"name": "${args.file.name}"}, "raw": {"content": "${args.file}"}}),
        "form": takes({"post": "/form", "multipart": {"title": "A", "part": {"file": "${args.file}"}}}),
        "json": takes({"post": "/json", "body": {"a": {"content": "${args.file}", "size": "${args.file.size}"}}}),
        "mail": takes(
            {"post": "/mail", "raw": {"content": "${prepared.parts}", "type": "${prepared.type}"}}, prepare="with_file"
        ),
        "several": takes({"post": "/several", "body": {"all": "${args.files?}"}}, parameters=several),
        "get": gives,
        "attached": {**gives, "output": {**gives["output"], "base64": "data"}},
    }
    ConnectorFolder(connector, functions, hooks=HOOKS).write(directory, "depot")


def _body(name: str, received: Received) -> bytes:
    """The file in what the app received."""
    if name == "raw":
        assert ([NAME], "image/png") == (
            parse_qs(urlsplit(received.path).query)["name"],
            received.headers["content-type"],
        )
        return received.body
    if name == "json":
        inner = json.loads(received.body)["a"]
        assert len(CONTENT) == inner["size"]
        return base64.b64decode(inner["content"], validate=True)
    if name == "mail":
        assert "message/rfc822" == received.headers["content-type"]
        head, _, rest = received.body.partition(b"\r\n\r\n")
        text = rest.removesuffix(b"-- \r\n")
        assert f"Subject: {NAME}".encode() == head
        assert {76} == {len(line) for line in text.split(b"\r\n")[:-2]}
        return base64.b64decode(text)
    boundary = received.headers["content-type"].partition("boundary=")[2].encode()
    parts = dict(part.strip(b"\r\n").split(b"\r\n\r\n", 1) for part in received.body.split(b"--" + boundary)[1:-1])
    shown = NAME.replace('"', "%22").encode()
    head = b'Content-Disposition: form-data; name="part"; filename="' + shown + b'"\r\nContent-Type: image/png'
    assert b"A" == parts[b'Content-Disposition: form-data; name="title"']
    return parts[head]


@pytest.mark.parametrize("name", ["raw", "form", "json", "mail"])
def test_a_file_arrives_whole(world: World, api: httpx.Client, name: str) -> None:
    """However the app wants it, it gets the content with its length, name and media type; the log has its id alone."""
    kept = world.upload(api)
    answer = api.post(f"/functions/depot-{name}", json={"file": kept})
    (received,) = world.app.received

    assert (200, "200") == (answer.status_code, answer.json()["network_code"])
    assert len(received.body) == int(received.headers["content-length"])
    assert "transfer-encoding" not in received.headers
    assert CONTENT == _body(name, received)


def test_a_large_answer_to_a_file(world: World, api: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the app answers is read as ever, however much it is."""
    monkeypatch.setattr(world.app, "answer", json.dumps(["x" * 1000] * 1000).encode())
    answer = api.post("/functions/depot-raw", json={"file": world.upload(api)}).json()

    assert ("200", 1000) == (answer["network_code"], len(answer["output"]))


def test_several_files(world: World, api: httpx.Client) -> None:
    """A list of files arrives in its order; an empty file is one, too."""
    kept = [world.upload(api, b"first"), world.upload(api, b""), world.upload(api, b"third")]
    api.post("/functions/depot-several", json={"files": kept}).raise_for_status()

    texts = json.loads(world.app.received[0].body)["all"]
    assert [b"first", b"", b"third"] == [base64.b64decode(text) for text in texts]


def test_what_names_no_file(world: World, api: httpx.Client) -> None:
    """What is gone, another user's, too large, somewhere inside or no file at all is refused, and nothing is sent."""
    with world.running.api("somebody else") as other:
        foreign = world.upload(other)
    gone = world.upload(api)
    api.delete(f"/files/{gone}")
    inside = world.app.url.replace("http:", "https:")
    refused = {
        foreign: "unknown_file",
        gone: "unknown_file",
        "file_0123456789012345678901": "unknown_file",
        "report.pdf": "format",
        "http://example.com/a.pdf": "format",
        f"{inside}/content": "host_not_allowed",
        "https://127.0.0.1/content": "host_not_allowed",
        "https://169.254.169.254/latest/meta-data": "host_not_allowed",
        "https://[::1]/": "host_not_allowed",
        "https://localhost/": "host_not_allowed",
        "https://user@example.com/": "host_not_allowed",
    }
    for value, code in refused.items():
        answer = api.post("/functions/depot-raw", json={"file": value})
        detail = answer.json()["error_details"][0]
        assert (400, code, "file", "fix_field") == (
            answer.status_code,
            detail["code"],
            detail["field"],
            detail["action"],
        ), value
    answer = api.post("/functions/depot-several", json={"files": [world.upload(api, b"x"), foreign]})
    assert "files[1]" == answer.json()["error_details"][0]["field"]
    assert [] == world.app.received


def test_the_same_key_sends_it_once(world: World, api: httpx.Client) -> None:
    """A repeat is answered from what is kept, even when the file is gone by then; another file is another call."""
    kept, other = world.upload(api), world.upload(api)
    key = {"Idempotency-Key": "once"}
    first = api.post("/functions/depot-raw", json={"file": kept}, headers=key)
    api.delete(f"/files/{kept}")
    again = api.post("/functions/depot-raw", json={"file": kept}, headers=key)
    conflict = api.post("/functions/depot-raw", json={"file": other}, headers=key)

    assert first.json() == again.json()
    assert ("true", 409) == (again.headers["idempotency-replayed"], conflict.status_code)
    assert 1 == len(world.app.received)


def test_a_function_gives_a_file(world: World, api: httpx.Client) -> None:
    """The answer is kept for the user, who loads it; asked for otherwise it is relayed as ever."""
    world.app.sent_headers |= {"Content-Disposition": "inline; filename*=UTF-8''B%C3%BCro.png; filename=\"x.png\""}
    output = api.post("/functions/depot-get", json={"as_file": True}).json()["output"]
    relayed = api.post("/functions/depot-get", json={"name": "a"}).json()["output"]
    world.app.sent_headers = {"Content-Type": "text/plain"}
    named = api.post("/functions/depot-get", json={"as_file": True, "name": "notes.txt"}).json()["output"]

    assert ("Büro.png", "image/png", len(CONTENT)) == (output["name"], output["media_type"], output["size"])
    assert CONTENT == api.get(f"/files/{output['id']}").content
    assert ("notes.txt", "text/plain") == (named["name"], named["media_type"])
    assert base64.b64encode(CONTENT).decode() == relayed["base64"]
    with world.running.api("somebody else") as other:
        assert 404 == other.get(f"/files/{output['id']}").status_code


def test_a_file_that_stands_in_json(world: World, api: httpx.Client) -> None:
    """It is kept as the file it is, of the kind that its name tells; JSON without one is told, and keeps nothing."""
    world.app.sent_headers = {"Content-Type": "application/json"}
    world.app.given = json.dumps({"size": len(CONTENT), "data": base64.urlsafe_b64encode(CONTENT).decode()}).encode()
    output = api.post("/functions/depot-attached", json={"as_file": True, "name": "plan.pdf"}).json()["output"]
    unnamed = api.post("/functions/depot-attached", json={"as_file": True}).json()["output"]
    world.app.given = b'{"size": 0}'
    missing = api.post("/functions/depot-attached", json={"as_file": True}).json()
    world.app.given = json.dumps({"data": base64.b64encode(bytes(LIMIT + 1)).decode()}).encode()
    large = api.post("/functions/depot-attached", json={"as_file": True}).json()

    assert ("plan.pdf", "application/pdf", len(CONTENT)) == (output["name"], output["media_type"], output["size"])
    assert CONTENT == api.get(f"/files/{output['id']}").content
    assert "application/octet-stream" == unnamed["media_type"]
    assert ("502", "broken_off") == (missing["network_code"], missing["output"]["error"])
    assert ("502", "too_large") == (large["network_code"], large["output"]["error"])


def test_a_function_gives_no_file(world: World, api: httpx.Client) -> None:
    """What the app answers to a request that failed is relayed; a file that is too large is told."""
    world.app.status, world.app.given = 404, b'{"error": "no such file"}'
    world.app.sent_headers = {"Content-Type": "application/json"}
    missing = api.post("/functions/depot-get", json={"as_file": True}).json()
    world.app.status, world.app.given = 200, bytes(LIMIT + 1)
    large = api.post("/functions/depot-get", json={"as_file": True}).json()

    assert ("404", {"error": "no such file"}) == (missing["network_code"], missing["output"])
    assert ("502", "too_large") == (large["network_code"], large["output"]["error"])
    assert str(LIMIT) in large["output"]["reason"]
