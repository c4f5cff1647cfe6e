"""The HTTPX transports against a real server, with everything that goes wrong on a network."""

import asyncio
import socket
import threading
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import service_client as sc
from tests.service_client.conftest import KNOWN, BlockingDriver, Driver
from tests.service_client.scripted_server import (
    Reply,
    ScriptedServer,
    flood,
    hang,
    reset,
    trickle,
    trickle_head,
    truncate,
)

pytestmark = pytest.mark.slow

APPS = {"apps": [], "cursor": ""}
RESULT = {"network_code": "200", "output": "é"}


def list_apps(client: Any) -> Any:
    """Read something."""
    return client.apps.list()


def call(client: Any) -> Any:
    """Write something."""
    return client.functions.call("desk-create", {"title": "é"})


def test_a_request_arrives_as_planned(driver: Driver, server: ScriptedServer) -> None:
    """Verb, target, headers and body reach the server byte for byte."""
    server.script = [Reply(RESULT)]
    result = driver.run(
        server.url + "/api/",
        lambda c: c.functions.call("desk-a/b", {"t": "é"}, connected_account_id=3),
        app_key="key",
        user_id=" Zoë",
        secret="secret",
    )

    assert sc.ExecutedCall(network_code="200", output="é", function="desk-a/b") == result
    (asked,) = server.asked
    assert ("POST", "/api/functions/desk-a%2Fb?connected_account_id=3", '{"t":"é"}'.encode()) == (
        asked.method,
        asked.target,
        asked.body,
    )
    assert {
        "app-key": "key",
        "user-id": "%20Zo%C3%AB",
        "hash": sc.sign(" Zoë", "secret"),
        "content-type": "application/json",
    }.items() <= asked.headers.items()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(name=st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda name: name.strip(".")))
def test_a_name_arrives_as_one_segment(server: ScriptedServer, name: str) -> None:
    """HTTPX does not undo, repeat or resolve the encoding of a path."""
    server.script = [Reply(status=204)]
    BlockingDriver().run(server.url, lambda c: c.connect_sessions.cancel(name))

    target = server.asked[-1].target
    assert target.isascii()
    assert f"/connect_sessions/{name}" == unquote(target)
    assert target.count("/") == 2


def test_a_read_survives_a_reset(driver: Driver, server: ScriptedServer) -> None:
    """A connection that breaks off is tried again for reads."""
    server.script = [reset, Reply(APPS)]

    assert [] == driver.run(server.url, list_apps)
    assert ["GET", "GET"] == [asked.method for asked in server.asked]


def test_a_write_is_sent_once_when_the_connection_breaks(driver: Driver, server: ScriptedServer) -> None:
    """A call whose answer is lost is not repeated; the error says that it may have happened."""
    server.script = [reset, Reply(RESULT)]

    with pytest.raises(sc.ServiceUnreachableError, match="may have taken effect") as caught:
        driver.run(server.url, call)

    assert caught.value.may_have_executed
    assert len(server.asked) == 1


def test_a_truncated_answer_is_no_answer(driver: Driver, server: ScriptedServer) -> None:
    """An answer that ends too early is not read as if it were whole."""
    server.script = [truncate]

    with pytest.raises(sc.ServiceUnreachableError):
        driver.run(server.url, list_apps, **KNOWN, retries=0)


def test_nothing_listening_is_reported_as_not_sent(driver: Driver) -> None:
    """Without a connection nothing can have happened, and the error says where to look."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(sc.ServiceUnreachableError, match="Check base_url") as caught:
            driver.run(url, call)

    assert not caught.value.may_have_executed
    assert url in str(caught.value)


@pytest.mark.parametrize("step", [hang, trickle, trickle_head], ids=["hang", "trickle", "trickle head"])
def test_a_timeout_covers_the_whole_request(driver: Driver, server: ScriptedServer, step: Any) -> None:
    """Neither silence nor an endless trickle, of the body or of the head, keeps a caller longer than the timeout."""
    server.script = [step]

    with pytest.raises(sc.ServiceTimeoutError, match=r"within 0\.3 seconds") as caught:
        driver.run(server.url, list_apps, **KNOWN, timeout=0.3)

    assert caught.value.may_have_executed


def test_a_timeout_covers_a_request_over_a_used_connection(driver: Driver, server: ScriptedServer) -> None:
    """The limit is that of each request, not of the connection it goes over."""
    server.script = [Reply(APPS), trickle_head]

    def twice(client: Any) -> Any:
        def blocking() -> None:
            list(client.apps.list())
            client.apps.get("desk", timeout=0.3)

        async def awaiting() -> None:
            await client.apps.list()
            await client.apps.get("desk", timeout=0.3)

        return blocking() if isinstance(client, sc.Client) else awaiting()

    with pytest.raises(sc.ServiceTimeoutError, match=r"within 0\.3 seconds"):
        driver.run(server.url, twice)
    assert len(server.asked) == 2


def test_a_receiver_that_takes_nothing_does_not_hold_a_sender(driver: Driver) -> None:
    """The timeout covers the sending of a large body, too."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        body = {"text": "x" * 32 * 1024 * 1024}
        with pytest.raises(sc.ServiceTimeoutError) as caught:
            driver.run(url, lambda c: c.functions.call("desk-create", body, timeout=0.5))

    assert caught.value.may_have_executed


def test_a_connection_that_does_not_come_about_was_not_sent(
    driver: Driver, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that does not answer ends in the time allowed; nothing was sent, so that a read is tried again."""
    held = threading.Event()
    look_up = socket.getaddrinfo
    asked: list[Any] = []

    def stall(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host in ("slow.test", b"slow.test"):
            asked.append(host)
            held.wait(2)
            host = "127.0.0.1"
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", stall)
    try:
        with pytest.raises(sc.ServiceTimeoutError) as caught:
            driver.run(server.url.replace("127.0.0.1", "slow.test"), list_apps, **KNOWN, timeout=0.3, retries=1)
        assert not caught.value.may_have_executed
        assert len(asked) == 2
        assert [] == server.asked
    finally:
        held.set()


def test_an_endless_answer_is_cut_off(driver: Driver, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer larger than any the service gives is refused while it arrives."""
    monkeypatch.setattr("service_client.transports.limits.LARGEST_ANSWER", 4 * 1024 * 1024)
    server.script = [flood]

    with pytest.raises(sc.MalformedAnswerError, match="larger than 4 MiB"):
        driver.run(server.url, list_apps)


def test_a_malformed_answer_is_reported(driver: Driver, server: ScriptedServer) -> None:
    """A 200 that is not the service's is an error, with the request's id where one is given."""
    server.script = [Reply(b'{"apps": [', headers={"Request-Id": "r-9"})]

    with pytest.raises(sc.MalformedAnswerError, match="request r-9"):
        driver.run(server.url, list_apps)


def test_redirects_are_not_followed(driver: Driver, server: ScriptedServer) -> None:
    """Credentials and bodies are not carried to where an answer points."""
    server.script = [Reply(b"", 307, {"Location": "/elsewhere"})]

    with pytest.raises(sc.MalformedAnswerError, match="redirects"):
        driver.run(server.url, call)
    assert len(server.asked) == 1


def test_errors_never_repeat_the_query(driver: Driver, server: ScriptedServer) -> None:
    """A prompt may be private: it does not reach an error's text."""
    server.script = [hang]

    with pytest.raises(sc.ServiceTimeoutError) as caught:
        driver.run(server.url, lambda c: c.functions.predict("my private matter"), **KNOWN, timeout=0.2)

    assert "private" not in str(caught.value)


def test_an_expired_token_is_renewed_and_kept(driver: Driver, server: ScriptedServer) -> None:
    """A 401 asks the source for another token once, repeats the call and goes on with the new token."""
    server.script = [Reply(RESULT), Reply({"error": "Expired."}, 401), Reply(RESULT), Reply(RESULT)]
    tokens = iter(["t-1", "t-2"])
    options = {"token": driver.token(lambda: next(tokens))}
    driver.run(server.url, call, **options)
    assert server.asked[0].headers["authorization"] == "Bearer t-1"
    assert "hash" not in server.asked[0].headers

    tokens = iter(["t-2", "t-3"])
    driver.run(server.url, call, **options)
    assert ["Bearer t-2", "Bearer t-3"] == [asked.headers["authorization"] for asked in server.asked[1:]]


async def test_many_calls_share_a_client(server: ScriptedServer) -> None:
    """Concurrent requests of one awaiting client do not disturb each other."""
    server.script = [Reply(RESULT)]
    async with sc.AsyncClient(server.url, **KNOWN) as client:
        results = await asyncio.gather(*(client.functions.call("a-b", {"n": n}) for n in range(20)))

    assert 20 * ["é"] == [result.output for result in results]
    assert {f'{{"n":{n}}}'.encode() for n in range(20)} == {asked.body for asked in server.asked}


async def test_a_cancelled_request_is_given_up(server: ScriptedServer) -> None:
    """Cancelling the task ends the request at once, as `CancelledError`, and the client goes on working."""
    server.script = [hang, Reply(APPS)]
    async with sc.AsyncClient(server.url, **KNOWN) as client:
        task = asyncio.create_task(client.apps.get("desk"))
        await asyncio.to_thread(server.first_asked.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [] == [app async for app in client.apps.list()]
