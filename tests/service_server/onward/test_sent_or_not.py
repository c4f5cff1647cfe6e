"""Whether a request was sent: told rightly for every point at which a connection can fail."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from service_server.onward.values import Interrupted, NotSent, OnwardRequest
from tests.service_server.onward.certificates import own_certificate
from tests.service_server.onward.scripted import Connection, Fetch, ScriptedServer, Serve, always, writing

HASTY = {"timeout_seconds": 0.3, "connect_timeout_seconds": 0.1}


async def _reset_after_request(connection: Connection) -> None:
    await connection.read_request()
    connection.reset()


async def kind_of_interruption(fetch: Fetch, server: ScriptedServer, method: str = "GET", **settings: Any) -> str:
    """How a request ends that may have been carried out."""
    with pytest.raises(Interrupted) as interrupted:
        await fetch(server, method, body=b"" if method == "GET" else b"x", **settings)
    return interrupted.value.kind


async def test_refused_connection_is_not_sent(serve: Serve, fetch: Fetch) -> None:
    """A server that isn't there got nothing."""
    server = await serve()
    await server.stop()

    with pytest.raises(NotSent, match="refused"):
        await fetch(server, "POST", body=b"x")


async def test_tls_failure_is_not_sent(serve: Serve, fetch: Fetch) -> None:
    """A server that doesn't speak TLS, or hangs in the handshake, got nothing of the request."""

    async def talk_plainly(connection: Connection) -> None:
        await connection.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await connection.until_closed()

    for script in (talk_plainly, Connection.until_closed):
        with pytest.raises(NotSent):
            await fetch(await serve(script), "POST", scheme="https", body=b"x", connect_timeout_seconds=0.3)


async def test_untrusted_certificate_is_not_sent(serve: Serve, fetch: Fetch, tmp_path: Path) -> None:
    """A certificate that nobody vouches for ends the call before anything is sent; one the operator trusts works."""
    certificate, context = own_certificate("app.test", tmp_path)
    server = await serve(ssl=context)
    there: dict[str, Any] = {"scheme": "https", "body": b"x", "lookup": always("127.0.0.1")}

    with pytest.raises(NotSent, match="certificate"):
        await fetch(server, "POST", host="app.test", **there)
    assert server.requests == []
    assert 200 == (await fetch(server, "POST", host="app.test", **there, extra_ca_pem=certificate)).status
    with pytest.raises(NotSent, match="certificate"):
        await fetch(server, "POST", host="other.app.test", **there, extra_ca_pem=certificate)


async def test_reads_are_tried_once_more(serve: Serve, fetch: Fetch) -> None:
    """A GET whose connection breaks before the answer is sent a second time, and not a third."""
    server = await serve(_reset_after_request)

    assert "broken_off" == await kind_of_interruption(fetch, server)
    assert 2 == len(server.requests)


async def test_what_changes_something_by_get_is_not_tried_again(serve: Serve, fetch: Fetch) -> None:
    """It may have been done; what a 303 after it leads to is a read again."""
    server = await serve(_reset_after_request)
    with pytest.raises(Interrupted):
        await fetch(server, changing=True)
    assert 1 == len(server.requests)

    async def redirect_and_reset(connection: Connection) -> None:
        await connection.read_request()
        if len(other.requests) == 1:
            await connection.write(b"HTTP/1.1 303 See Other\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
        connection.reset()

    other = await serve(redirect_and_reset)
    assert 303 == (await fetch(other, changing=True)).status
    assert 3 == len(other.requests)


async def test_second_try_that_is_not_sent_does_not_deny_the_first(serve: Serve, fetch: Fetch) -> None:
    """When the second try of a GET finds no server any more, the first one still counts as sent."""

    async def answer_no_more(connection: Connection) -> None:
        await connection.read_request()
        server.listen_no_more()
        connection.reset()

    server = await serve(answer_no_more)

    assert "broken_off" == await kind_of_interruption(fetch, server)


async def test_timeout_after_sending(serve: Serve, fetch: Fetch) -> None:
    """An app that doesn't answer in time, or whose answer drips, may have done what it was asked for."""

    async def never_answer(connection: Connection) -> None:
        await connection.read_request()
        await connection.until_closed()

    async def drip(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            await connection.write(b"x")
            await asyncio.sleep(0.02)

    for script in (never_answer, drip):
        server = await serve(script)
        assert "timed_out" == await kind_of_interruption(fetch, server, "POST", **HASTY)
        assert 1 == len(server.requests)


BROKE_OFF, NEVER_CAME = "the app's answer broke off", "the connection broke before the app answered"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (_reset_after_request, NEVER_CAME),
        (writing(b""), NEVER_CAME),
        (writing(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"), BROKE_OFF),
        (writing(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nwhat\r\n"), BROKE_OFF),
        (writing(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), BROKE_OFF),
        (writing(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"), BROKE_OFF),
        (writing(b"HTTP/1.1 200"), NEVER_CAME),
        (writing(b"SSH-2.0-OpenSSH\r\n\r\n"), NEVER_CAME),
    ],
)
async def test_broken_answers(serve: Serve, fetch: Fetch, script: Any, reason: str) -> None:
    """A change may have happened, and is not sent twice; where an answer had begun, the reason says so."""
    server = await serve(script)
    with pytest.raises(Interrupted, match=reason) as interrupted:
        await fetch(server, "POST", body=b"x")

    assert ("broken_off", 1) == (interrupted.value.kind, len(server.requests))


async def test_kept_connection_that_was_closed(serve: Serve, fetch: Fetch) -> None:
    """A kept connection that the app has closed meanwhile costs nothing: the next request takes a new one."""
    server = await serve(writing(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    for _ in range(4):
        assert 200 == (await fetch(server, "POST", body=b"x")).status
        await asyncio.sleep(0.1)  # a request that crosses the closing may have arrived, and is told as such
    assert 4 == len(server.requests) == server.connections


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_kept_connection_that_breaks(serve: Serve, fetch: Fetch, method: str) -> None:
    """A kept connection that breaks under a request: a GET goes out again, a POST is told as perhaps done."""

    async def reset_the_second(connection: Connection) -> None:
        while True:
            await connection.read_request()
            if len(server.requests) == 2:
                connection.reset()
                return
            await connection.answer()

    server = await serve(reset_the_second)
    await fetch(server)

    if method == "GET":
        assert 200 == (await fetch(server)).status
    else:
        assert "broken_off" == await kind_of_interruption(fetch, server, "POST")
        assert 2 == len(server.requests)


async def test_cancelled_call_ends_with_its_time_limit(serve: Serve, fetch: Fetch) -> None:
    """A call that was given up keeps its connection no longer than the call itself might have lasted."""
    sent, ended = asyncio.Event(), asyncio.Event()

    async def watch(connection: Connection) -> None:
        await connection.read_request()
        sent.set()
        try:
            await connection.until_closed()
        finally:
            ended.set()

    call = asyncio.create_task(fetch(await serve(watch), timeout_seconds=0.5, connect_timeout_seconds=0.1))
    await sent.wait()
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(ended.wait(), 5)


async def test_reasons_keep_the_url_to_themselves(serve: Serve, fetch: Fetch) -> None:
    """No error and no repr shows the query or the headers, where some apps take their credential."""
    server, silent = await serve(_reset_after_request), await serve()
    await silent.stop()
    request = OnwardRequest("GET", server.url("/a?api_token=hunter2"), (("Authorization", "hunter2"),), b"hunter2")

    for target in (server, silent):
        with pytest.raises((Interrupted, NotSent)) as failure:
            await fetch(target, path="/a?api_token=hunter2")
        shown = failure.getrepr(showlocals=False, style="long", chain=True)
        assert "hunter2" not in f"{failure.value!r} {failure.value.reason} {failure.value.__cause__} {shown.reprcrash}"
    assert "hunter2" not in repr(request)
