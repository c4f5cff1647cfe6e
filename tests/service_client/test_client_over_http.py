"""The HTTPX transports against a real server, with everything that goes wrong on a network."""

import asyncio
import platform
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

import service_client as sc
from tests.service_client.conftest import KNOWN, Driver
from tests.service_client.scripted_server import (
    Reply,
    ScriptedServer,
    flood,
    hang,
    hang_up,
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
    """Verb, target, headers and body reach the server byte for byte: HTTPX neither undoes nor repeats an encoding."""
    server.script = [Reply(RESULT)]
    name = "desk-a/../%2E%2e?#é b"
    result = driver.run(
        server.url + "/api/",
        lambda c: c.functions.call(name, {"t": "é"}, connected_account_id=3),
        app_key="key",
        user_id=" Zoë",
        secret="secret",
    )

    assert sc.ExecutedCall(network_code="200", output="é", function=name) == result
    (asked,) = server.asked
    target = "/api/functions/desk-a%2F..%2F%252E%252e%3F%23%C3%A9%20b?connected_account_id=3"
    assert ("POST", target, '{"t":"é"}'.encode()) == (asked.method, asked.target, asked.body)
    assert {
        "app-key": "key",
        "user-id": "%20Zo%C3%AB",
        "hash": sc.sign(" Zoë", "secret"),
        "accept": "application/json",
        "content-type": "application/json",
        "user-agent": f"service-client/{sc.__version__} python/{platform.python_version()} httpx/{httpx.__version__}",
    }.items() <= asked.headers.items()


def test_a_connection_that_breaks(driver: Driver, server: ScriptedServer) -> None:
    """A read is tried again; a call whose answer is lost is not, and the error says that it may have happened."""
    server.script = [reset, Reply(APPS), reset]

    assert [] == driver.run(server.url, list_apps)
    with pytest.raises(sc.ServiceUnreachableError, match="may have taken effect") as caught:
        driver.run(server.url, call)
    assert caught.value.may_have_executed
    assert ["GET", "GET", "POST"] == [asked.method for asked in server.asked]


def test_nothing_listening_is_reported_as_not_sent(driver: Driver) -> None:
    """Without a connection nothing can have happened, and the error says where to look."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(sc.ServiceUnreachableError, match=f"{url}.*Check base_url") as caught:
            driver.run(url, call)

    assert not caught.value.may_have_executed


@pytest.mark.parametrize("step", [hang, trickle, trickle_head], ids=["hang", "trickle", "trickle head"])
def test_a_timeout_covers_the_whole_request(driver: Driver, server: ScriptedServer, step: Any) -> None:
    """Neither silence nor an endless trickle keeps a caller longer; a prompt, which may be private, is not told."""
    server.script = [step]

    with pytest.raises(sc.ServiceTimeoutError, match=r"within 0\.3 seconds") as caught:
        driver.run(server.url, lambda c: c.functions.predict("my private matter"), **KNOWN, timeout=0.3)

    assert caught.value.may_have_executed
    assert "private" not in str(caught.value)


def test_a_timeout_covers_a_request_over_a_used_connection(server: ScriptedServer) -> None:
    """The limit is that of each request, not of the connection it goes over."""
    server.script = [Reply(APPS), trickle_head]

    with sc.Client(server.url, **KNOWN) as client:
        client.apps.list()
        with pytest.raises(sc.ServiceTimeoutError, match=r"within 0\.3 seconds"):
            client.apps.get("desk", timeout=0.3)
    assert 1 == len({asked.connection for asked in server.asked})
    assert 2 == len(server.asked)


def test_a_receiver_that_takes_nothing_does_not_hold_a_sender(driver: Driver) -> None:
    """The timeout covers the sending of a large body, too."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        body = {"text": "x" * 16 * 1024 * 1024}
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


@pytest.mark.parametrize(
    ("step", "error", "said"),
    [
        (truncate, sc.ServiceUnreachableError, "broke the connection off"),
        (hang_up, sc.ServiceUnreachableError, r"without sending a response\. A write may"),
        (flood, sc.MalformedAnswerError, "larger than 4 MiB"),
        (Reply(b'{"apps": [', headers={"Request-Id": "r-9"}), sc.MalformedAnswerError, "request r-9"),
        (Reply(b"", 307, {"Location": "/elsewhere"}), sc.MalformedAnswerError, "redirects"),
    ],
    ids=["truncated", "hung up", "endless", "malformed", "redirect"],
)
def test_what_is_no_answer(
    driver: Driver, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, step: Any, error: Any, said: str
) -> None:
    """Neither read as if it were whole, nor to its end, nor followed to where it points."""
    monkeypatch.setattr("service_client.transports.limits.LARGEST_ANSWER", 4 * 1024 * 1024)
    server.script = [step]

    with pytest.raises(error, match=said):
        driver.run(server.url, list_apps, **KNOWN, retries=0)
    assert 1 == len(server.asked)


def test_the_proxy_of_the_environment_is_used_and_named(
    driver: Driver, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it can't be reached, or refuses, nobody is sent looking at the service alone; its password is not shown."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTP_PROXY", server.url)
    server.script = [Reply(APPS)]
    assert [] == driver.run("http://functions.test", list_apps, **KNOWN)
    assert ["http://functions.test/apps"] == [each.target for each in server.asked]

    monkeypatch.setenv("HTTPS_PROXY", f"http://user:planted@127.0.0.1:{server.server_port}")
    server.script = [Reply(status=407)]
    with pytest.raises(sc.ServiceUnreachableError, match=r"407 .* That is what the proxy says") as refused:
        driver.run("https://functions.test", call, **KNOWN)
    assert ["CONNECT"] == [each.method for each in server.asked[1:]]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:planted@127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(sc.ServiceUnreachableError, match="proxy that the environment names") as gone:
            driver.run("https://functions.test", call, retries=0, **KNOWN)
    assert "planted" not in str(refused.value) + str(gone.value)
    assert (False, False) == (refused.value.may_have_executed, gone.value.may_have_executed)


def test_many_threads_share_a_client(server: ScriptedServer) -> None:
    """Each for a user of its own, and none with another's limits."""
    server.script = [Reply(RESULT)]
    with sc.Client(server.url, **KNOWN) as client, ThreadPoolExecutor(20) as threads:

        def work(number: int) -> None:
            for _ in range(10):
                call(client.for_user(f"user-{number}"))

        list(threads.map(work, range(20)))

    expected = Counter({(f"user-{number}", sc.sign(f"user-{number}", "secret")): 10 for number in range(20)})
    assert expected == Counter((each.headers["user-id"], each.headers["hash"]) for each in server.asked)


async def test_cancelled_calls_leave_room_for_others(server: ScriptedServer) -> None:
    """Whether they wait for a connection, for a place or for an answer: more of them than there are connections."""
    server.script = [hang]
    async with sc.AsyncClient(server.url, **KNOWN) as client:
        for pause in (0.0, 0.01, 0.1):
            calls = [asyncio.create_task(call(client)) for _ in range(150)]
            await asyncio.sleep(pause)
            for each in calls:
                each.cancel()
            ended = await asyncio.gather(*calls, return_exceptions=True)
            assert {asyncio.CancelledError} == {type(each) for each in ended}
        server.script = [Reply(RESULT)]
        answers = await asyncio.gather(*(call(client) for _ in range(150)))

    assert {"200"} == {each.network_code for each in answers}
