"""Whether a request was sent: told rightly for every point at which a connection can fail."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from service_server.onward.values import HostRules, Interrupted, NotSent, OnwardRequest, OnwardResponse
from tests.service_server.onward.certificates import own_certificate
from tests.service_server.onward.scripted import Connection, Gate, Serve, always

Fetch = Callable[..., Awaitable[OnwardResponse]]


async def _reset_after_request(connection: Connection) -> None:
    await connection.read_request()
    connection.reset()


async def _never_answer(connection: Connection) -> None:
    await connection.read_request()
    await connection.until_closed()


async def _wait_silently(connection: Connection) -> None:
    await connection.until_closed()


async def test_refused_connection_is_not_sent(serve: Serve, fetch: Fetch) -> None:
    """A server that isn't there got nothing."""
    server = await serve()
    await server.stop()

    with pytest.raises(NotSent, match="refused"):
        await fetch(server, "POST", body=b"x")


async def test_tls_failure_is_not_sent(serve: Serve, gate: Gate) -> None:
    """A server that doesn't speak TLS, or hangs in the handshake, got nothing of the request."""

    async def talk_plainly(connection: Connection) -> None:
        await connection.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await connection.until_closed()

    for script in (talk_plainly, _wait_silently):
        server = await serve(script)
        sender = await gate.open(connect_timeout_seconds=0.3)
        request = OnwardRequest("POST", server.url(scheme="https"), body=b"x")

        with pytest.raises(NotSent):
            await sender.fetch(request, HostRules((f"127.0.0.1:{server.port}",)))


async def test_untrusted_certificate_is_not_sent(serve: Serve, gate: Gate, tmp_path: Path) -> None:
    """A certificate that nobody vouches for ends the call before anything is sent; one the operator trusts works."""
    certificate, context = own_certificate("app.test", tmp_path)
    server = await serve(ssl=context)
    rules = HostRules((f"app.test:{server.port}", f"other.app.test:{server.port}"))

    strict = await gate.open(lookup=always("127.0.0.1"))
    trusting = await gate.open(lookup=always("127.0.0.1"), extra_ca_pem=certificate)
    request = OnwardRequest("POST", server.url(host="app.test", scheme="https"), body=b"x")

    with pytest.raises(NotSent, match="certificate"):
        await strict.fetch(request, rules)
    assert server.requests == []
    assert 200 == (await trusting.fetch(request, rules)).status
    with pytest.raises(NotSent, match="certificate"):
        await trusting.fetch(OnwardRequest("GET", server.url(host="other.app.test", scheme="https")), rules)


async def test_reads_are_tried_once_more(serve: Serve, fetch: Fetch) -> None:
    """A GET whose connection breaks before the answer is sent a second time, and not a third."""
    server = await serve(_reset_after_request)

    with pytest.raises(Interrupted) as interrupted:
        await fetch(server)
    assert "broken_off" == interrupted.value.kind
    assert 2 == len(server.requests)


async def test_what_breaks_off_is_told_from_what_never_came(serve: Serve, fetch: Fetch) -> None:
    """Where an answer has begun, however short it is, the reason says so: the app was there."""

    async def break_off(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")

    with pytest.raises(Interrupted, match="the app's answer broke off"):
        await fetch(await serve(break_off), "POST")
    with pytest.raises(Interrupted, match="the connection broke before the app answered"):
        await fetch(await serve(_reset_after_request), "POST")


async def test_second_try_that_is_not_sent_does_not_deny_the_first(serve: Serve, fetch: Fetch) -> None:
    """When the second try of a GET finds no server any more, the first one still counts as sent."""

    async def answer_no_more(connection: Connection) -> None:
        await connection.read_request()
        server.listen_no_more()
        connection.reset()

    server = await serve(answer_no_more)

    with pytest.raises(Interrupted):
        await fetch(server)


async def test_timeout_after_sending(serve: Serve, fetch: Fetch) -> None:
    """An app that doesn't answer in time may have done what it was asked for."""
    server = await serve(_never_answer)

    with pytest.raises(Interrupted) as interrupted:
        await fetch(server, "POST", body=b"x", timeout_seconds=0.3, connect_timeout_seconds=0.1)
    assert "timed_out" == interrupted.value.kind
    assert 1 == len(server.requests)


async def test_slow_body_runs_into_the_timeout(serve: Serve, fetch: Fetch) -> None:
    """The time limit covers the whole answer: a body that drips doesn't keep the call open."""

    async def drip(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            await connection.write(b"x")
            await asyncio.sleep(0.02)

    server = await serve(drip)

    with pytest.raises(Interrupted) as interrupted:
        await fetch(server, timeout_seconds=0.3, connect_timeout_seconds=0.1)
    assert "timed_out" == interrupted.value.kind


@pytest.mark.parametrize(
    "answer",
    [
        None,
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nwhat\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip",
        b"HTTP/1.1 200",
        b"SSH-2.0-OpenSSH\r\n\r\n",
    ],
)
async def test_broken_answers(serve: Serve, fetch: Fetch, answer: bytes | None) -> None:
    """No answer, cut short or malformed, however much of it came: a change may have happened, and is not sent twice."""

    async def answer_badly(connection: Connection) -> None:
        await connection.read_request()
        if answer is None:
            connection.reset()
        else:
            await connection.write(answer)

    server = await serve(answer_badly)

    with pytest.raises(Interrupted) as interrupted:
        await fetch(server, "POST", body=b"x")
    assert "broken_off" == interrupted.value.kind
    assert 1 == len(server.requests)


async def test_kept_connection_that_was_closed(serve: Serve, gate: Gate) -> None:
    """A kept connection that the app has closed meanwhile costs nothing: the next request takes a new one."""

    async def answer_one(connection: Connection) -> None:
        await connection.read_request()
        await connection.answer()

    server = await serve(answer_one)
    sender = await gate.open()
    for _ in range(4):
        request = OnwardRequest("POST", server.url(), body=b"x")
        response = await sender.fetch(request, HostRules((f"127.0.0.1:{server.port}",)))

        assert 200 == response.status
    assert 4 == len(server.requests) == server.connections


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_kept_connection_that_breaks(serve: Serve, gate: Gate, method: str) -> None:
    """A kept connection that breaks under a request: a GET goes out again, a POST is told as perhaps done."""
    seen = 0

    async def reset_the_second(connection: Connection) -> None:
        nonlocal seen
        while True:
            await connection.read_request()
            seen += 1
            if seen == 2:
                connection.reset()
                return
            await connection.answer()

    server = await serve(reset_the_second)
    sender = await gate.open()
    rules = HostRules((f"127.0.0.1:{server.port}",))
    await sender.fetch(OnwardRequest("GET", server.url()), rules)

    if method == "GET":
        assert 200 == (await sender.fetch(OnwardRequest("GET", server.url()), rules)).status
    else:
        with pytest.raises(Interrupted):
            await sender.fetch(OnwardRequest("POST", server.url(), body=b"x"), rules)
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

    server = await serve(watch)
    call = asyncio.create_task(fetch(server, timeout_seconds=0.5, connect_timeout_seconds=0.1))
    await sent.wait()
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(ended.wait(), 5)


async def test_reasons_keep_the_url_to_themselves(serve: Serve, fetch: Fetch) -> None:
    """No error and no repr shows the query or the headers, where some apps take their credential."""
    server = await serve(_reset_after_request)
    silent = await serve()
    await silent.stop()
    request = OnwardRequest("GET", server.url("/a?api_token=hunter2"), (("Authorization", "hunter2"),), b"hunter2")

    for target in (server, silent):
        with pytest.raises((Interrupted, NotSent)) as failure:
            await fetch(target, path="/a?api_token=hunter2")
        shown = failure.getrepr(showlocals=False, style="long", chain=True)
        assert "hunter2" not in f"{failure.value!r} {failure.value.reason} {failure.value.__cause__} {shown.reprcrash}"
    assert "hunter2" not in repr(request)
