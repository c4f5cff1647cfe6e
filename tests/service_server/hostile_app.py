"""A third-party app that answers with whatever bytes a test wants, and the service with a connector for it."""

import contextlib
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field

from tests.service_server.catalog.connector_folder import BY_API_KEY, ConnectorFolder, known_at, parameter
from tests.service_server.connecting import type_in
from tests.service_server.function_files import mutation, query
from tests.service_server.processes import RunningService, service

KEY = "hostile-app-key-0123456789"
ME = b'{"id": "someone", "name": "Someone"}'
HOOKS = '''
def reshaped(body):
    """Wrap each item."""
    return [{"item": item} for item in body] if isinstance(body, list) else body
'''


@define
class HostileApp:
    """Answers every request with `answer` and hangs up, and is gone after its `last_answer`; keeps what it was sent."""

    port: int
    answer: bytes = b""
    last_answer: bool = False
    requests: list[bytes] = field(factory=list)

    def answers(self, body: bytes, content_type: str = "application/json", status: int = 200, **headers: str) -> None:
        """Set the answer of the requests from now on; `_` in a header's name stands for `-`."""
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}", "Connection: close"]
        lines += [f"Content-Type: {content_type}"] if content_type else []
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.answer = "".join(f"{line}\r\n" for line in lines).encode("latin-1") + b"\r\n" + body


@contextlib.contextmanager
def hostile_app() -> Iterator[HostileApp]:
    """Run the app."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = HostileApp(listening.getsockname()[1])
        threading.Thread(target=_serve, args=(listening, app), daemon=True).start()
        yield app
        with contextlib.suppress(OSError):  # it may be gone already
            listening.shutdown(socket.SHUT_RDWR)  # wakes the thread, which then ends


def _serve(listening: socket.socket, app: HostileApp) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection, contextlib.suppress(OSError):
            app.requests.append(_request(connection))
            if app.last_answer:
                listening.close()
            connection.sendall(app.answer)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
        if app.last_answer:
            return


def _request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: *([0-9]+)", head, re.IGNORECASE)
    while length is not None and len(body) < int(length[1]):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextlib.contextmanager
def service_with(app: HostileApp, folder: Path, program: Sequence[str | Path] = ()) -> Iterator[RunningService]:
    """Run a service whose connector `hostile` leads to the app, with the user `victim` connected."""
    connector = known_at(
        f"http://127.0.0.1:{app.port}",
        {**BY_API_KEY, "inject": {"query": {"api_token": "${creds.api_key}"}}},
        name="hostile",
        title="Hostile",
        retry={"methods": ["GET", "PUT"]},
        pagination={
            "links": {"type": "link"},
            "totals": {"type": "page", "send": "query.page", "first": 1, "total": "body.total"},
            "offsets": {"type": "offset", "send": "query.offset"},
            "cursors": {"type": "cursor", "send": "query.cursor", "next": "body.data.next"},
        },
        errors=[{"kind": "rate_limited", "when": {"body": {"errors.*.code": ["slow_down"]}}}],
        passthrough={"methods": ["GET"]},
    )
    items = {"output": "data.items"}
    reads: dict[str, dict[str, Any]] = {
        "read": {},
        "read-links": {"paginate": "links"},
        "read-totals": {"paginate": "totals", "output": "items"},
        "read-offsets": {"paginate": "offsets"},
        "read-cursors": {"paginate": "cursors", **items},
        "read-picked": items,
        "read-transformed": {"output": "[].{id: id, name: join('', tags)}"},
        "read-reshaped": {"reshape": "reshaped"},
    }
    functions = {name: query({"get": f"/{name.removeprefix('read-')}"}, **more) for name, more in reads.items()}
    functions["replace"] = mutation({"put": "/replace"})
    taken = {
        "note": parameter(),
        "more": parameter("object", additionalProperties=True),
        "texts": parameter("array", items={"type": "string"}),
        "count": parameter("number"),
    }
    body = {name: f"${{args.{name}?}}" for name in taken}
    functions["change"] = mutation({"post": "/change", "body": body}, takes=taken)
    ConnectorFolder(connector, functions, hooks=HOOKS).write(folder / "connectors", "hostile")
    options = ["--connectors", str(folder / "connectors"), "--allow-host", f"127.0.0.1:{app.port}"]
    with service(folder / "data", *options, program=program) as running_service:
        app.answers(ME)
        assert "connected" == connect(running_service, "victim")
        yield running_service


def connect(running_service: RunningService, user_id: str) -> str:
    """Go through the connect page with the key; how the session stands then."""
    return str(type_in(running_service, user_id, "hostile", {"field.api_key": KEY})["status"])


def called(api: httpx.Client, function: str, **arguments: object) -> httpx.Response:
    """Call a function of the app."""
    return api.post(f"/functions/hostile-{function}", json=arguments)
