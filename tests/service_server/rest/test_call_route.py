"""Calls are answered in front of the framework, and what it would have refused is refused there, too."""

import contextlib
import socket
from collections.abc import Iterator

import httpx
import pytest

from tests.service_server.processes import RunningService

CALL = "/functions/sandbox-create-ticket"
MEBIBYTE = 1024 * 1024

pytestmark = pytest.mark.slow


def code_of(response: httpx.Response) -> str:
    """The code of the one thing that an answer finds wrong."""
    (detail,) = response.json()["error_details"]
    code: str = detail["code"]
    return code


def test_a_body_in_pieces_has_the_same_limit(api: httpx.Client) -> None:
    """One whose length nobody tells before."""

    def pieces() -> Iterator[bytes]:
        for _ in range(17):
            yield b" " * (MEBIBYTE // 16)

    response = api.post(CALL, content=pieces(), headers={"Content-Type": "application/json"})

    assert (413, "body_too_large") == (response.status_code, code_of(response))


@contextlib.contextmanager
def begun(service: RunningService, length: int, body: str = "") -> Iterator[socket.socket]:
    """A connection on which a call was begun, with as much of its body."""
    host, port = service.url.removeprefix("http://").split(":")
    head = [f"POST {CALL} HTTP/1.1", f"Host: {host}", f"Content-Length: {length}", "Content-Type: application/json"]
    head += [f"{name}: {value}" for name, value in service.headers("user-1").items()]
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall("\r\n".join([*head, "", body]).encode())
        yield connection


@pytest.mark.parametrize("length", [MEBIBYTE + 1, 10**18, int("9" * 60)])
def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(rest_service: RunningService, length: int) -> None:
    """The answer comes while nothing of the body has."""
    with begun(rest_service, length, "\r\n") as connection:
        answer = connection.recv(65_536)

    assert answer.split(b" ")[1] in (b"413", b"400"), answer


def test_a_caller_who_leaves_in_the_middle_breaks_nothing(rest_service: RunningService, api: httpx.Client) -> None:
    """Nothing was called, and nothing is said of it in the log but that a request came."""
    before = rest_service.program.output().count("Traceback")
    for _ in range(5):
        with begun(rest_service, 100, '\r\n{"title": '):
            pass

    assert "not_connected" == code_of(api.post(CALL, json={"title": "A"}))
    assert before == rest_service.program.output().count("Traceback")


def test_another_spelling_of_the_path_is_no_call(api: httpx.Client) -> None:
    """What only the framework would take for the path of a call; it may end with a slash."""
    for path in ("//functions/sandbox-create-ticket", "/functions//sandbox-create-ticket", f"{CALL}//"):
        response = api.post(httpx.URL(str(api.base_url) + path), json={})
        assert (404, "not_found") == (response.status_code, code_of(response)), path
    assert "not_connected" == code_of(api.post(f"{CALL}/", json={"title": "A"}))
