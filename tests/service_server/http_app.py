"""What the third-party apps that tests put together have in common: they answer on a free port of loopback."""

import contextlib
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Answering(BaseHTTPRequestHandler):
    """Reads and answers whole bodies, and prints nothing."""

    def do_GET(self) -> None:
        """Answer what `command` was asked for."""
        self.respond()

    do_POST = do_GET  # noqa: N815  the name is http.server's

    def respond(self) -> None:
        """Do what the app does with a request."""
        raise NotImplementedError

    def content(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextlib.contextmanager
def answering(handler: type[Answering], address: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Answer by a handler, at an address of this machine and a free port, unless one is given; where."""
    with ThreadingHTTPServer((address, port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{address}:{server.server_address[1]}"
        server.shutdown()
