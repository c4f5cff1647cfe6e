"""Faults on demand, the request log, and the tester's other controls."""

import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.examples.processes import CLIENT_ID, CLIENT_SECRET, SandboxApp

TICKETS = "/api/v1/tickets"


def order(client: httpx.Client, fault: str, **more: Any) -> None:
    """Order a fault for the tickets' path."""
    assert 201 == client.post("/_faults", json={"path": TICKETS, "fault": fault, **more}).status_code


def newest_id(client: httpx.Client) -> int:
    """The number of Alice's latest ticket; 1045 at the start."""
    return int(client.get(TICKETS, params={"limit": 100}).json()["items"][-1]["id"])


def create(client: httpx.Client, timeout: float = 5) -> httpx.Response:
    """Try to create a ticket."""
    return client.post(TICKETS, json={"title": "x", "project_id": "documentation"}, timeout=timeout)


def test_what_is_answered_instead(alice: httpx.Client) -> None:
    """A limit with its wait as often as ordered, another status, or anything; nothing is done, then all is well."""
    order(alice, "rate_limited", times=2, retry_after=7)
    answers = [alice.get(TICKETS) for _ in range(3)]
    order(alice, "server_error", status=503, method="POST")
    order(alice, "answer", status=302, content="<html>", content_type="text/html", location="/login", method="GET")
    failed, ordered = create(alice), alice.get(TICKETS)

    assert [429, 429, 200] == [answer.status_code for answer in answers]
    assert "7" == answers[0].headers["retry-after"]
    assert 503 == failed.status_code
    assert (302, "<html>") == (ordered.status_code, ordered.text)
    assert ("text/html", "/login") == (ordered.headers["content-type"], ordered.headers["location"])
    assert 1045 == newest_id(alice)


def test_malformed_json_is_a_200_that_cannot_be_read(alice: httpx.Client) -> None:
    """malformed_json claims success and JSON, and is none."""
    order(alice, "malformed_json")
    answer = alice.get(TICKETS)

    assert (200, "application/json") == (answer.status_code, answer.headers["content-type"])
    with pytest.raises(ValueError, match="delimiter"):
        answer.json()


@pytest.mark.parametrize(
    ("fault", "more", "error", "newest"),
    [
        ("connection_reset", {}, httpx.ReadError, 1045),
        ("reset_after_commit", {}, httpx.ReadError, 1046),
        ("truncated_body", {}, httpx.RemoteProtocolError, 1046),
        ("slow", {"seconds": 60}, httpx.ReadTimeout, 1046),
    ],
)
def test_no_answer_before_or_after_the_work(
    alice: httpx.Client, fault: str, more: dict[str, Any], error: type[Exception], newest: int
) -> None:
    """connection_reset leaves the request undone; the others have done it, without an answer or a whole one in time."""
    order(alice, fault, method="POST", **more)
    with pytest.raises(error):
        create(alice, timeout=0.3 if fault == "slow" else 5)

    assert newest == newest_id(alice)


def test_expired_token_answers_401(alice: httpx.Client) -> None:
    """expired_token refuses a living credential once; an API key works again afterwards."""
    order(alice, "expired_token")

    assert [401, 200] == [alice.get(TICKETS).status_code for _ in range(2)]


def test_prefix_concerns_all_below(alice: httpx.Client) -> None:
    """A path that ends in * is a prefix, and faults wait until they are dropped."""
    order(alice, "server_error", path="/api/v1/*", times=3)

    assert [500, 500] == [alice.get(path).status_code for path in ("/api/v1/me", TICKETS)]
    assert [1] == [fault["times"] for fault in alice.get("/_faults").json()["faults"]]
    alice.delete("/_faults")
    assert 200 == alice.get(TICKETS).status_code


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"path": TICKETS},
        {"path": TICKETS, "fault": "flood"},
        {"path": "api", "fault": "slow"},
        {"path": "/_log", "fault": "slow"},
        {"path": TICKETS, "fault": "slow", "times": 0},
        {"path": TICKETS, "fault": "slow", "times": True},
        {"path": TICKETS, "fault": "slow", "seconds": "1"},
        {"path": TICKETS, "fault": "server_error", "status": 200},
        {"path": TICKETS, "fault": "slow", "method": "post"},
        {"path": TICKETS, "fault": "slow", "when": "now"},
        {"path": TICKETS, "fault": "slow", "content": "words"},
        {"path": TICKETS, "fault": "answer", "content": 5},
        {"path": TICKETS, "fault": "answer", "content_type": "text/html\r\nx-more: 1"},
    ],
)
def test_wrong_orders_are_refused(alice: httpx.Client, body: dict[str, Any]) -> None:
    """A fault that is not described rightly is refused and does not wait."""
    assert 400 == alice.post("/_faults", json=body).status_code
    assert [] == alice.get("/_faults").json()["faults"]


def test_log_holds_no_secret(visitor: httpx.Client, sandbox: SandboxApp) -> None:
    """Secrets of any request are blotted out in the log."""
    secret = "do-not-keep-me"
    form = {"grant_type": "refresh_token", "refresh_token": secret, "client_secret": secret, "client_id": CLIENT_ID}
    visitor.post("/oauth/token", data=form)
    visitor.post("/oauth/token", content=f"token={secret}&token={secret}", headers={"content-type": "text/plain"})
    visitor.post("/oauth/revoke", data={"token": secret}, auth=(CLIENT_ID, CLIENT_SECRET))
    visitor.get("/oauth/authorize", params={"state": secret, "code": secret})
    visitor.post("/login", data={"username": "alice", "password": secret})
    visitor.get("/api/v1/me", headers={"authorization": f"Bearer {secret}", "x-api-key": secret})
    log = visitor.get("/_log")

    assert 6 == len(log.json()["requests"])
    assert secret not in log.text
    assert CLIENT_SECRET not in log.text
    assert secret not in sandbox.program.output()
    assert "[redacted]" in log.text


def test_reset_can_spare_the_grants(visitor: httpx.Client, alice: httpx.Client) -> None:
    """A reset of the data alone brings back the seeded tickets and leaves faults waiting."""
    create(alice)
    order(alice, "rate_limited", method="DELETE")
    assert 204 == alice.post("/_reset", json={"parts": ["data"]}).status_code

    assert 1045 == newest_id(alice)
    assert 1 == len(alice.get("/_faults").json()["faults"])
    assert 400 == alice.post("/_reset", json={"parts": ["everything"]}).status_code


def test_redirect_uris_can_be_changed(visitor: httpx.Client, redirect_uri: str) -> None:
    """The registered redirect URIs can be replaced, by right ones only."""
    other = "http://127.0.0.1:8/callback"
    for uris in (["ftp://x/"], ["/relative"], ["http://x/#fragment"], ["http://x/\r\n"], "http://x/", None):
        assert 400 == visitor.put("/_client", json={"redirect_uris": uris}).status_code

    assert 204 == visitor.put("/_client", json={"redirect_uris": [other]}).status_code
    parameters = {"client_id": CLIENT_ID, "redirect_uri": other}
    assert 303 == visitor.get("/oauth/authorize", params=parameters).status_code
    assert 204 == visitor.put("/_client", json={"redirect_uris": [redirect_uri]}).status_code


def test_controls_are_not_for_browsers(visitor: httpx.Client) -> None:
    """A web page cannot reach the controls."""
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert 403 == visitor.post("/_reset", headers=headers).status_code
        assert 403 == visitor.get("/_log", headers=headers).status_code


@pytest.mark.parametrize("head", [b"NONSENSE\r\n\r\n", b"GET /\xff HTTP/1.1\r\nhost: x\r\n\r\n"])
def test_what_is_not_http_is_refused(sandbox: SandboxApp, head: bytes) -> None:
    """Bytes that are no HTTP request get a 400 and the end of the connection."""
    address = urlsplit(sandbox.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(head)
        received = b""
        while chunk := connection.recv(4096):
            received += chunk

    assert received.startswith(b"HTTP/1.1 400")
