"""The host application's own backend: it signs the user's id, renders the page, and sets what the page may load."""

import asyncio
import html
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from examples.gallery.page import gallery_page
from service_client import sign

STATIC = Path(__file__).parent / "static"
CONTENT_TYPES = {
    "helpdesk.css": "text/css; charset=utf-8",
    "helpdesk.js": "text/javascript; charset=utf-8",
    "helpdesk.svg": "image/svg+xml",
}

GALLERY_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""The gallery is one file without scripts, with its styles in it."""


@frozen
class Host:
    """
    What the host application knows: its own address, the service's, and its key and secret there.

    `user_id` stands for whoever is signed in to the host application.
    """

    url: str
    service_url: str
    app_key: str
    app_secret: str
    user_id: str

    def page(self) -> str:
        """The page, with the user's hash in it; the secret stays here."""
        values = {
            "script": f"{self.service_url}/servicejs/v1/servicejs.js",
            "app_key": self.app_key,
            "user_id": self.user_id,
            "hash": sign(self.user_id, self.app_secret),
        }
        template = Template((STATIC / "helpdesk.html").read_text(encoding="utf-8"))
        return template.substitute({name: html.escape(value) for name, value in values.items()})

    def content_security_policy(self) -> str:
        """The strictest policy under which ServiceJS works in its worker mode."""
        parts = urlsplit(self.service_url)
        service = f"{parts.scheme}://{parts.netloc}"
        directives = {
            "default-src": "'none'",
            "script-src": f"'self' {service} 'wasm-unsafe-eval'",
            "worker-src": "blob:",
            "connect-src": service,
            "img-src": f"'self' {service}",
            "style-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
            "trusted-types": "servicejs",
        }
        return "; ".join(f"{name} {value}" for name, value in directives.items())

    def knows(self, host_header: str) -> bool:
        """Whether a request was meant for us: another name that leads here must not get a signed page."""
        return host_header.lower() == urlsplit(self.url).netloc.lower()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    host: Host

    def do_GET(self) -> None:
        """Answer a browser."""
        path = urlsplit(self.path).path
        name = path.removeprefix("/static/")
        if not self.host.knows(self.headers.get("Host", "")):
            self._answer(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"Open " + self.host.url.encode())
        elif path == "/":
            self._answer(HTTPStatus.OK, "text/html; charset=utf-8", self.host.page().encode())
        elif path == "/gallery":
            self._answer(HTTPStatus.OK, "text/html; charset=utf-8", _gallery(), GALLERY_POLICY)
        elif name in CONTENT_TYPES and name != path:
            self._answer(HTTPStatus.OK, CONTENT_TYPES[name], (STATIC / name).read_bytes())
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing here.")

    def _answer(self, status: HTTPStatus, content_type: str, body: bytes, policy: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy or self.host.content_security_policy())
        self.send_header("Referrer-Policy", "same-origin")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Stay silent: the page's address may carry the code of a connect session."""


@cache
def _gallery() -> bytes:
    """The page of every part of the SDK in every state, made when it is first asked for."""
    return asyncio.run(gallery_page()).encode()


def create_server(address: tuple[str, int]) -> ThreadingHTTPServer:
    """Listen; what to serve is set with `serve`, when the port is known."""
    server = ThreadingHTTPServer(address, _Handler)
    server.daemon_threads = True
    return server


def serve(server: ThreadingHTTPServer, host: Host) -> None:
    """Answer browsers until the server is shut down."""
    server.RequestHandlerClass = type("HostHandler", (_Handler,), {"host": host})
    server.serve_forever()
