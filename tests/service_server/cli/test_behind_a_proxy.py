"""Behind proxies on other hosts: whose address counts, and how long idle connections are kept."""

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service_server.cli.options import trusted_proxies
from service_server.settings import THIS_MACHINE, InvalidSetting
from tests.real_apps.running import free_port
from tests.service_server.connecting import submit
from tests.service_server.console.operator_browser import PASSWORD, OperatorBrowser, add_operator, hidden
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, http, service

FIRST, SECOND = "127.0.0.2", "127.0.1.7"  # every address of 127.0.0.0/8 is this machine's own on Linux
FORWARDED = "X-Forwarded-For"
BELOW = "/apps/functions"
_ADDRESSES = re.compile(r'\s(?:href|src|action|formaction|data-closed|data-state|data-retry)="([^"]*)"')


def client_at(address: str, url: str) -> httpx.Client:
    """Asks from an address of this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=url, transport=transport, trust_env=False, timeout=60)


def proxy(target: str, address: str, below: str = "", port: int = 0) -> contextlib.AbstractContextManager[str]:
    """
    Run a proxy that connects to `target` from an address of its own, and adds whom it forwards for; its URL.

    It forwards what is below a path, which it takes off, and knows nothing else.
    """

    class Handler(Answering):
        def respond(self) -> None:
            hops = [*self.headers.get_all(FORWARDED, []), self.client_address[0]]
            headers = {**self.headers, FORWARDED: ", ".join(hops)}
            content = self.content()
            if not self.path.startswith(f"{below}/"):
                self.answer(404, b"The proxy has nothing here.", {})
                return
            with client_at(address, target) as upstream:
                answer = upstream.request(self.command, self.path[len(below) :], content=content, headers=headers)
            left_out = ("content-length", "connection")
            self.answer(
                answer.status_code,
                answer.content,
                {name: value for name, value in answer.headers.items() if name not in left_out},
            )

    return answering(Handler, address, port)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service that believes one proxy and one network of proxies, and no longer this machine's usual address."""
    options = ("--trusted-proxy", FIRST, "--trusted-proxy", "127.0.1.0/24", "--keep-alive", "1")
    with service(tmp_path_factory.mktemp("proxied"), *options) as running:
        yield running


@pytest.mark.slow
def test_whose_address_counts(proxied: RunningService) -> None:
    """The one in front of the last trusted proxy, whatever it claims; a long claim takes no room."""

    def logged_client(url: str, address: str, *forwarded: str) -> str:
        with client_at(address, url) as client:
            answer = client.get("/health", headers=[(FORWARDED, each) for each in forwarded])
        asked = ("request.answered", answer.headers["request-id"])
        lines = proxied.program.json_lines
        (line,) = proxied.program.wait_until(  # it may come just after the answer
            lambda: [each for each in lines() if asked == (each.get("event"), each.get("request_id"))] or None
        )
        return str(line["client"])

    with proxy(proxied.url, FIRST) as near, proxy(near, SECOND) as far, proxy(near, "127.0.2.1") as unknown:
        for url in (near, far):
            for claims in ((), ("203.0.113.7",), ("203.0.113.7, junk", FIRST)):
                assert "127.0.0.9" == logged_client(url, "127.0.0.9", *claims)
        assert "127.0.2.1" == logged_client(unknown, "127.0.0.9")
    assert "127.0.0.1" == logged_client(proxied.url, "127.0.0.1", "203.0.113.7")
    assert "x" * 64 == logged_client(proxied.url, FIRST, "x" * 10_000)


@pytest.mark.slow
def test_wrong_passwords_lock_out_their_sender_only(proxied: RunningService) -> None:
    """Guessing from one address behind the proxy has to wait; the operator, at another one, signs in."""
    add_operator(proxied, "ada")
    with (
        proxy(proxied.url, FIRST) as url,
        client_at("127.0.0.66", url) as guesser,
        client_at("127.0.0.11", url) as operator,
    ):
        while (guessed := OperatorBrowser(guesser).sign_in("ada", "guess")).status_code == 403:
            pass

        assert (429, True) == (guessed.status_code, "Too many wrong passwords" in guessed.text)
        assert int(guessed.headers["retry-after"]) >= 1
        assert 303 == OperatorBrowser(operator).sign_in("ada").status_code


def test_what_can_be_trusted() -> None:
    """Addresses and networks, one by one or with commas between them; not names, and not everybody."""
    assert THIS_MACHINE == trusted_proxies([])
    assert ("10.1.2.3", "10.0.0.0/8", "fd00::/8") == trusted_proxies(["10.1.2.3, 10.0.0.0/8", "FD00::/8"])
    for text in ("proxy.example.com", "10.0.0.1/8", "*", "", "0.0.0.0/0", "::/0", "10.0.0.0/33"):
        with pytest.raises(InvalidSetting, match="--trusted-proxy"):
            trusted_proxies([text])


@pytest.mark.slow
def test_idle_connections_are_kept_as_long_as_is_set(proxied: RunningService, running_service: RunningService) -> None:
    """By default far longer than the five seconds that make proxies answer 502; a shorter time ends them itself."""

    def ask(connection: socket.socket) -> None:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        while b'{"status":"ok"}' not in received:  # which may come apart from the head
            part = connection.recv(4096)
            assert part, received
            received += part

    def connect(to: RunningService) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", httpx.URL(to.url).port or 0), timeout=60)
        ask(connection)
        return connection

    with connect(running_service) as kept, connect(proxied) as closed:
        assert b"" == closed.recv(4096)
        time.sleep(5)  # with the second that the other one took, longer than the server's own default
        ask(kept)


@pytest.mark.slow
def test_below_a_path_that_the_proxy_takes_off(tmp_path: Path) -> None:
    """What the pages of users and operators lead to and load is all below the path, and so is where they are sent."""
    own, port = free_port(), free_port()
    public = f"http://{FIRST}:{port}"
    with (
        proxy(f"http://127.0.0.1:{own}", FIRST, BELOW, port),
        service(tmp_path, "--public-url", f"{public}{BELOW}", port=own) as below,
        http(public) as client,
    ):
        opened = client.post(
            f"{BELOW}/apps/github/connect_sessions", headers=below.headers("ann"), json={"expires_in": 3_600}
        )
        first = client.get(urlsplit(opened.json()["url"]).path)
        page = client.get(submit(client, first).headers["location"])
        refused = submit(client, page, method="token", **{"field.token": "none"})
        for each in (first, page, refused):
            assert_all_there(client, each.text)

        add_operator(below, "ada")
        browser = OperatorBrowser(client)
        fields = {"operator": "ada", "password": PASSWORD, "next": "/console/calls"}
        token = hidden(browser.page(f"{BELOW}/console"), "token")
        signed_in = client.post(f"{BELOW}/console", data=fields | {"token": token})
        pages = (
            "",
            "/applications",
            "/applications/1",
            "/apps",
            "/apps/github",
            "/users",
            "/calls",
            "/webhooks",
            "/audit",
        )
        for path in pages:
            assert_all_there(client, browser.page(f"{BELOW}/console{path}"))

        assert f"{BELOW}/console/calls" == signed_in.headers["location"]


def assert_all_there(client: httpx.Client, page: str) -> None:
    """Each address of our own on a page is below the path, and what it loads is there."""
    addresses = {unescape(each) for each in _ADDRESSES.findall(page)}
    own = {each for each in addresses if each.startswith(("/", str(client.base_url)))}

    assert own, page
    assert [] == [each for each in own if not urlsplit(each).path.startswith(f"{BELOW}/")]
    for each in own:
        if "/assets/" in each or "/icons/" in each:
            assert 200 == client.get(each).status_code, each
