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

from tests.service_server.catalog.connector_folder import ConnectorFolder, known_at
from tests.service_server.connecting import given_values
from tests.service_server.function_files import mutation, query
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, command, http, service

LIMIT_BYTES = 20_000
JSON = {"Content-Type": "application/json"}
KEY = "a-key-that-only-the-app-may-see"


@define
class DoorsApp:
    """What the app does with requests for one path (`astray`); all others it answers well."""

    url: str = ""
    path: str = ""
    location: str = ""
    status: int = 302
    after: float = 0
    requests: list[str] = field(factory=list)

    def redirects(self, path: str, location: str, status: int = 302) -> None:
        """Send those who ask for a path elsewhere."""
        self.path, self.location, self.status = path, location, status

    def sends_a_bomb(self, path: str, after: float = 0) -> None:
        """Answer a path, so many seconds later, with a small body that unpacks to a large one."""
        self.path, self.location, self.after = path, "", after

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
            return api.post(f"/functions/doors-{function}", content=content, headers=JSON)


@contextlib.contextmanager
def doors(folder: Path) -> Iterator[Doors]:
    """Run it."""
    app, bomb = DoorsApp(), gzip.compress(b" " * 50_000_000)

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
                    time.sleep(app.after)
                    self.answer(200, bomb, {**JSON, "Content-Encoding": "gzip"})

    with answering(Handler) as app.url, trap() as trapped:
        ConnectorFolder(_connector(app.url), _FUNCTIONS).write(folder / "connectors", "doors")
        host = app.url.removeprefix("http://")
        options = ["--connectors", str(folder / "connectors"), "--allow-host", f"doors={host}"]
        limits = {"SERVICE_MAX_ONWARD_RESPONSE_BYTES": str(LIMIT_BYTES), "SERVICE_ONWARD_TIMEOUT_SECONDS": "4"}
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
    def way(name: str, kind: str, **keys: Any) -> dict[str, Any]:
        bearer = {"header": {"Authorization": "Bearer ${token.access_token}"}}
        return {"id": name, "type": kind, "title": name.title(), "inject": bearer, **keys}

    fields = {"key": {"title": "Key"}}
    login = {"post": "/login", "body": {"key": "${creds.key}"}}
    own = {name: f"{url}/{name.removesuffix('_url')}" for name in ("authorize_url", "token_url", "revoke_url")}
    server = {"title": "Server", "description": "Its address.", "set_by": "user", "format": "uri"}
    return known_at(
        "${vars.server}",
        way("key", "api_key", fields=fields, inject={"header": {"X-Key": "${creds.key}"}}),
        way("oauth", "oauth2_code", **own),
        way("service", "oauth2_client_credentials", token_url="${vars.server}/token"),
        way("login", "token_exchange", fields=fields, login=login, token={"access_token": "body.access_token"}),
        name="doors",
        vars={"server": server},
        passthrough={"methods": ["GET", "POST"]},
    )


_FUNCTIONS = {
    "read": query({"get": "/read", "query": {"q": "${args.note?}"}, "headers": {"X-Note": "${args.note?}"}}, "note"),
    "change": mutation({"post": "/change/${args.part}"}, "part", required=["part"]),
}
