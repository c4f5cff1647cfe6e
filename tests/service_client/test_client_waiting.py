"""Waiting for the end of a connect session."""

import asyncio
from typing import Any

import pytest

import service_client as sc
from service_client.testing import FakeService, HttpRequest, Response
from tests.service_client.conftest import KNOWN, Driver
from tests.service_client.scripted_server import Reply, ScriptedServer, hang

PENDING = {"status": "pending"}


def wait(**options: Any) -> Any:
    """Return the step that waits."""
    return lambda client: client.connect_sessions.wait("s1", **options)


@pytest.mark.parametrize("status", ["connected", "cancelled", "failed", "expired", "some day"])
def test_a_wait_ends_with_the_session(driver: Driver, status: str) -> None:
    """Long polls follow each other until the session is over, in whatever way, also one that is not known yet."""
    answers = [PENDING, PENDING, {"status": status}]

    def handler(request: HttpRequest) -> Response:
        transport.waits.append(float(request.query["wait"]))  # the service holds its answer back so long
        return Response.of_json(answers.pop(0))

    transport = driver.memory(handler)
    state = driver.run("http://service.test", wait(), **KNOWN, transport=transport)

    assert status == state.status
    assert ["25"] * 3 == [request.query["wait"] for request in transport.requests]
    assert [25.0] * 3 == transport.waits


def test_a_wait_gives_up_in_time(driver: Driver) -> None:
    """After its timeout it raises, having asked the service for no longer wait than was left."""

    def handler(request: HttpRequest) -> Response:
        transport.waits.append(float(request.query["wait"]))
        return Response.of_json(PENDING)

    transport = driver.memory(handler)
    with pytest.raises(sc.WaitTimeoutError, match="60 seconds"):
        driver.run("http://service.test", wait(timeout=60), **KNOWN, transport=transport)

    assert [25.0, 25.0, 10.0] == transport.waits


def test_a_service_that_does_not_hold_back_is_not_flooded(driver: Driver) -> None:
    """Where the answer comes at once the next question is asked a second later."""
    transport = driver.memory(lambda request: Response.of_json(PENDING))
    with pytest.raises(sc.WaitTimeoutError):
        driver.run("http://service.test", wait(timeout=5), **KNOWN, transport=transport)

    assert [1.0] * 5 == transport.waits


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_wait_for_no_time_is_refused(driver: Driver, timeout: float) -> None:
    """A timeout that is none is the caller's mistake."""
    with pytest.raises(sc.InvalidArgumentError):
        driver.run("http://service.test", wait(timeout=timeout), **KNOWN, transport=driver.memory(Response.of_json))


async def test_a_waiting_task_can_be_cancelled(server: ScriptedServer) -> None:
    """It ends at once as `CancelledError`, leaves the session alone, and the client goes on working."""
    server.script = [hang, Reply({"status": "connected", "connected_account_id": 4})]
    async with sc.AsyncClient(server.url, **KNOWN) as client:
        task = asyncio.create_task(client.connect_sessions.wait("s1"))
        await asyncio.to_thread(server.first_asked.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        state = await client.connect_sessions.wait("s1")

    assert 4 == state.connected_account_id
    assert ["GET", "GET"] == [asked.method for asked in server.asked]


async def test_a_wait_is_over_when_the_user_is_done() -> None:
    """In an application's tests the fake service lets the user finish, cancel, or do nothing while somebody waits."""
    service = FakeService()
    service.add_app("desk")
    client = service.async_client()
    connected, cancelled, expired = [await client.connect_sessions.create("desk") for _ in range(3)]
    first = asyncio.create_task(client.connect_sessions.wait(connected.id))
    second = asyncio.create_task(client.connect_sessions.wait(cancelled.id))
    await asyncio.sleep(0)
    account = service.finish_connecting(connected.id)
    await client.connect_sessions.cancel(cancelled.id)

    assert account.id == (await first).connected_account_id
    assert "cancelled" == (await second).status
    assert "expired" == (await client.connect_sessions.wait(expired.id)).status
