"""Behind proxies on other hosts: whose address counts, and how long idle connections are kept."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from service_server.cli.options import trusted_proxies
from service_server.settings import THIS_MACHINE, InvalidSetting
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator
from tests.service_server.processes import RunningService, service

pytestmark = pytest.mark.slow

FIRST, SECOND = "127.0.0.2", "127.0.1.7"  # every address of 127.0.0.0/8 is this machine's own on Linux
FORWARDED = "X-Forwarded-For"


@contextlib.contextmanager
def proxy(target: str, address: str) -> Iterator[str]:
    """Run a proxy that connects to `target` from an address of its own, and adds whom it forwards for; its URL."""
    host, port = target.removeprefix("http://").split(":")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name != FORWARDED}
            hops = [*self.headers.get_all(FORWARDED, []), self.client_address[0]]
            upstream = HTTPConnection(host, int(port), source_address=(address, 0), timeout=60)
            upstream.request(self.command, self.path, body, {**headers, FORWARDED: ", ".join(hops)})
            answer = upstream.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            upstream.close()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer((address, 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://{address}:{server.server_address[1]}"
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service that believes one proxy and one network of proxies, and no longer this machine's usual address."""
    with service(tmp_path_factory.mktemp("proxied"), "--trusted-proxy", FIRST, "--trusted-proxy", "127.0.1.0/24") as it:
        yield it


def logged_client(running: RunningService, answer: httpx.Response) -> str:
    """The client's address in the access log's line of an answer."""
    asked = ("request.answered", answer.headers["request-id"])
    lines = running.program.json_lines
    (line,) = running.program.wait_until(  # it may come just after the answer
        lambda: [each for each in lines() if asked == (each.get("event"), each.get("request_id"))] or None
    )
    return str(line["client"])


def get(url: str, address: str, *forwarded: str) -> httpx.Response:
    """Ask for /health from an address of this machine, claiming to forward for others."""
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(transport=transport, trust_env=False) as client:
        return client.get(f"{url}/health", headers=[(FORWARDED, each) for each in forwarded])


def test_whose_address_counts(running: RunningService) -> None:
    """The one in front of the last trusted proxy, whatever it claims; a long claim takes no room."""
    with proxy(running.url, FIRST) as near, proxy(near, SECOND) as far, proxy(near, "127.0.2.1") as unknown:
        for url in (near, far):
            for claims in ((), ("203.0.113.7",), ("203.0.113.7, junk", FIRST)):
                assert "127.0.0.9" == logged_client(running, get(url, "127.0.0.9", *claims))
        assert "127.0.2.1" == logged_client(running, get(unknown, "127.0.0.9"))
    assert "127.0.0.1" == logged_client(running, get(running.url, "127.0.0.1", "203.0.113.7"))
    assert "x" * 64 == logged_client(running, get(running.url, FIRST, "x" * 10_000))


def test_wrong_passwords_lock_out_their_sender_only(running: RunningService) -> None:
    """Guessing from one address behind the proxy has to wait; operators at others sign in."""
    add_operator(running, "ada")
    with proxy(running.url, FIRST) as url:

        def browser_at(address: str) -> OperatorBrowser:
            transport = httpx.HTTPTransport(local_address=address)
            return OperatorBrowser(httpx.Client(base_url=url, transport=transport, trust_env=False, timeout=60))

        guesser, operator = browser_at("127.0.0.66"), browser_at("127.0.0.11")
        with guesser.http, operator.http:
            statuses = [guesser.sign_in(f"operator-{number}", "guess").status_code for number in range(24)]

            assert 429 in statuses[20:]
            assert 303 == operator.sign_in("ada").status_code


def test_what_can_be_trusted() -> None:
    """Addresses and networks, one by one or with commas between them; not names, and not everybody."""
    assert THIS_MACHINE == trusted_proxies(None) == trusted_proxies([])
    assert ("10.1.2.3", "10.0.0.0/8", "fd00::/8") == trusted_proxies(["10.1.2.3, 10.0.0.0/8", "FD00::/8"])
    for text in ("proxy.example.com", "10.0.0.1/8", "*", "", "0.0.0.0/0", "::/0", "10.0.0.0/33"):
        with pytest.raises(InvalidSetting, match="--trusted-proxy"):
            trusted_proxies([text])


def test_idle_connections_are_kept_as_long_as_is_set(tmp_path: Path, running: RunningService) -> None:
    """By default far longer than the five seconds that make proxies answer 502; a shorter time ends them itself."""
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def connect(to: RunningService) -> socket.socket:
        host, port = to.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=60)
        answered(connection)
        return connection

    def answered(connection: socket.socket) -> None:
        connection.sendall(request)
        received = b""
        while b'{"status":"ok"}' not in received:  # which may come apart from the head
            part = connection.recv(4096)
            assert part, received
            received += part

    with service(tmp_path, "--keep-alive", "1") as short, connect(short) as closed:
        assert b"" == closed.recv(4096)
    with connect(running) as kept:
        time.sleep(5.5)  # longer than the server's own default
        answered(kept)
