"""An app that sends the service astray, a trap that nothing may reach, and the service with a connector for the app."""

import contextlib
import gzip
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from attrs import define, field, frozen

from tests.service_server.catalog.connector_folder import ConnectorFolder, parameter
from tests.service_server.connecting import given_values
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, command, http, service

LIMIT_BYTES = 20_000
LIMIT_SECONDS = 2
JSON = {"Content-Type": "application/json"}
KEY = "a-key-that-only-the-app-may-see"


@define
class DoorsApp:
    """What the app does with requests for one path (`astray`); all others it answers well."""

    url: str = ""
    path: str = ""
    location: str = ""
    status: int = 302
    body: str = ""
    requests: list[str] = field(factory=list)

    def redirects(self, path: str, location: str, status: int = 302) -> None:
        """Send those who ask for a path elsewhere."""
        self.path, self.location, self.status, self.body = path, location, status, ""

    def sends(self, path: str, body: str) -> None:
        """Answer a path with a body that is a `bomb`, `endless` or a `drip`."""
        self.path, self.location, self.body = path, "", body

    def behaves(self) -> None:
        """Answer everything well."""
        self.path = ""


@frozen
class Trap:
    """A server on a port of this machine that nobody is allowed to reach."""

    port: int
    visits: list[str]


@frozen
class Doors:
    """All of it."""

    running: RunningService
    app: DoorsApp
    trap: Trap

    def connect(self, user: str, way: str, server: str) -> str:
        """Connect with a server address of the user's own; how the session stands then."""
        with self.running.api(user) as api, http(self.running.url) as browser:
            session = api.post("/apps/doors/connect_sessions", json={}).json()
            page = browser.get(f"{session['url']}?auth={way}")
            form = given_values(page.text) | {"variable.server": server}
            form |= {"field.key": KEY, "field.client_id": "us", "field.client_secret": KEY}
            answer = browser.post(urlsplit(session["url"]).path, data=form)
            assert answer.status_code < 500, answer.text
            leaving = re.findall(r'(?:url=|href=")([^"]+/authorize[^"]+)"', answer.text)
            if way == "oauth" and leaving:
                state = parse_qs(urlsplit(unescape(leaving[0])).query)["state"][0]
                answer = browser.get("/oauth/callback", params={"state": state, "code": "a-code"})
                assert answer.status_code < 500, answer.text
            status: str = api.get(f"/connect_sessions/{session['id']}").json()["status"]
            return status

    def call(self, user: str, function: str, **arguments: object) -> httpx.Response:
        """Call a function."""
        with self.running.api(user) as api:
            content = json.dumps(arguments)  # in ASCII, so that halves of surrogate pairs pass
            return api.post(
                f"/functions/doors-{function}", content=content, headers={"Content-Type": "application/json"}
            )


@contextlib.contextmanager
def doors(folder: Path) -> Iterator[Doors]:
    """Run it."""
    app = DoorsApp()

    class Handler(Answering):
        def respond(self) -> None:
            app.requests.append(f"{self.requestline}\n{self.headers}\n{self.content().decode()}")
            path = urlsplit(self.path).path
            with contextlib.suppress(OSError):
                if path != app.path:
                    self.answer(200, b'{"id": "someone", "name": "Someone", "access_token": "a-token"}', JSON)
                elif app.location:
                    self.answer(app.status, b"{}", {**JSON, "Location": app.location})
                else:
                    self._astray()

        def _astray(self) -> None:
            if app.body == "bomb":
                self.answer(200, gzip.compress(b" " * 50_000_000), {**JSON, "Content-Encoding": "gzip"})
                return
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            while True:
                self.wfile.write(b" " * (100_000 if app.body == "endless" else 1))
                time.sleep(0 if app.body == "endless" else 0.1)

    with answering(Handler) as app.url, trap() as trapped:
        ConnectorFolder(_connector(app.url), _FUNCTIONS).write(folder / "connectors", "doors")
        options = [
            "--connectors",
            str(folder / "connectors"),
            "--allow-host",
            f"doors={app.url.removeprefix('http://')}",
        ]
        limits = {
            "SERVICE_MAX_ONWARD_RESPONSE_BYTES": str(LIMIT_BYTES),
            "SERVICE_ONWARD_TIMEOUT_SECONDS": str(LIMIT_SECONDS),
        }
        client = ["--client-id", "us", "--client-secret-file", "-", *options[:2]]
        command(folder / "data", "app", "configure", "doors", *client, stdin=KEY)
        with service(folder / "data", *options, env=limits) as running:
            yield Doors(running, app, trapped)


@contextlib.contextmanager
def trap() -> Iterator[Trap]:
    """Listen on one port, on every address of this machine."""
    visits: list[str] = []
    with socket.socket(socket.AF_INET6) as listening:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind(("::", 0))
        listening.listen()

        def serve() -> None:
            while True:
                try:
                    connection, address = listening.accept()
                except OSError:
                    return
                visits.append(str(address))
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        yield Trap(listening.getsockname()[1], visits)
        listening.shutdown(socket.SHUT_RDWR)


def _connector(url: str) -> dict[str, Any]:
    bearer = {"header": {"Authorization": "Bearer ${token.access_token}"}}
    return {
        "name": "doors",
        "title": "Doors",
        "description": "A self-hosted app: the user says where it runs.",
        "vars": {"server": {"title": "Server", "description": "Its address.", "set_by": "user", "format": "uri"}},
        "base_url": "${vars.server}",
        "auth": [
            {
                "id": "key",
                "type": "api_key",
                "title": "Key",
                "fields": {"key": {"title": "Key"}},
                "inject": {"header": {"X-Key": "${creds.key}"}},
            },
            {
                "id": "oauth",
                "type": "oauth2_code",
                "title": "Sign in",
                "authorize_url": f"{url}/authorize",
                "token_url": f"{url}/token",
                "revoke_url": f"{url}/revoke",
                "inject": bearer,
            },
            {
                "id": "service",
                "type": "oauth2_client_credentials",
                "title": "Service account",
                "token_url": "${vars.server}/token",
                "inject": bearer,
            },
            {
                "id": "login",
                "type": "token_exchange",
                "title": "Log in",
                "fields": {"key": {"title": "Key"}},
                "login": {"post": "/login", "body": {"key": "${creds.key}"}},
                "token": {"access_token": "body.access_token"},
                "inject": bearer,
            },
        ],
        "test": {"get": "/me"},
        "account": {"id": "${test.id}", "name": "${test.name}"},
        "passthrough": {"methods": ["GET", "POST"]},
    }


_FUNCTIONS: dict[str, dict[str, Any]] = {
    "read": {
        "type": "query",
        "title": "Read",
        "description": "Read.",
        "request": {"get": "/read", "query": {"q": "${args.note?}"}, "headers": {"X-Note": "${args.note?}"}},
        "parameters": {"type": "object", "properties": {"note": parameter()}},
    },
    "change": {
        "type": "mutation",
        "title": "Change",
        "description": "Change.",
        "request": {"post": "/change/${args.part}"},
        "parameters": {"type": "object", "required": ["part"], "properties": {"part": parameter()}},
    },
}
