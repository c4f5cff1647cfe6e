"""Webhooks of the real service: killed in the middle of it, nothing is lost and nothing overtakes for an account."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import ON_SQLITE, dictionaries, execute
from tests.service_server.killed_service import Installation, calm, installed, killed_under_load
from tests.service_server.processes import command
from tests.service_server.webhooks.receiver import receiving

pytestmark = pytest.mark.slow

ALLOWED = ("--allow-host", "webhooks=127.0.0.1")


@pytest.fixture
def installation(database_url: str, tmp_path: Path) -> Iterator[Installation]:
    """Everything set up, and the service not yet started."""
    with installed(tmp_path, database_url) as installation:
        yield installation


def waiting(installation: Installation) -> int:
    """How much is still to be delivered."""
    (row,) = dictionaries(installation.folder, "SELECT COUNT(*) AS n FROM webhook_deliveries WHERE state = 'pending'")
    return int(row["n"])


async def until_delivered(installation: Installation) -> None:
    """Wait until nothing is left to be delivered."""
    async with asyncio.timeout(120):
        while await asyncio.to_thread(waiting, installation):  # noqa: ASYNC110  the service does not tell this process
            await asyncio.sleep(0.1)


async def created(installation: Installation, url: str, *options: str) -> dict[str, str]:
    """A new endpoint and its secret."""
    output = await asyncio.to_thread(
        command, installation.folder, "webhook", "create", url, *ALLOWED, *options, "--json"
    )
    made: dict[str, str] = json.loads(output)
    return made


async def test_killed_while_delivering(installation: Installation) -> None:
    """Every row of the log was told at least once, and first arrivals keep the order of each account."""
    async with receiving() as receiver:
        await created(installation, receiver.url)
        with contextlib.ExitStack() as processes:
            running = processes.enter_context(installation.start(*ALLOWED))
            await asyncio.to_thread(connect_by_sign_in, running, installation.sandbox, "alice", "alice")
            key = installation.sandbox.api_keys["bob"]
            await asyncio.to_thread(connect_by_key, running, "bob", key)
            for callers, moments in ((8, (0.3, 0.8)), (20, (1.0, 1.5))):
                await killed_under_load(installation, running, callers, 0.02, moments)
                # As if the killed process had been gone for long: its leases have run out.
                execute(installation.folder, "UPDATE webhook_deliveries SET lease_until = 0")
                running = processes.enter_context(installation.start(*ALLOWED))
            await until_delivered(installation)
            log = dictionaries(installation.folder, "SELECT id, outcome FROM calls")
            written = dictionaries(
                installation.folder, "SELECT event_id, account_id FROM webhook_deliveries ORDER BY id"
            )

    ends = {each.body["data"]["call_id"]: each.body["data"]["outcome"] for each in receiver.received if is_call(each)}
    assert {row["id"]: row["outcome"] for row in log} == ends
    assert {"alice", "bob"} == {each.body["data"]["user_id"] for each in receiver.received if not is_call(each)}
    for account in {row["account_id"] for row in written}:
        arrived = list(dict.fromkeys(each.id for each in receiver.received if each.account == account))
        assert [row["event_id"] for row in written if row["account_id"] == account] == arrived


def is_call(received: Any) -> bool:
    """Whether a call has ended."""
    return bool(received.body["type"] == "call.finished")


@ON_SQLITE
async def test_an_operator_follows_what_is_delivered(installation: Installation) -> None:
    """The commands show, test, rotate, send again, disable, enable and remove, beside the running service."""
    folder = installation.folder

    def run(*arguments: str) -> Any:
        return json.loads(command(folder, "webhook", *arguments, "--json"))

    async with receiving() as receiver:
        made = await created(installation, receiver.url, "--event", "account.connected", "--event", "call.finished")
        endpoint = made["id"]
        with installation.start(*ALLOWED) as running:
            tested = await asyncio.to_thread(run, "test", endpoint)
            key = installation.sandbox.api_keys["bob"]
            account = await asyncio.to_thread(connect_by_key, running, "bob", key)
            calm(installation.sandbox)
            with running.api("bob") as api:
                called = await asyncio.to_thread(api.post, "/functions/sandbox-list-projects")
            await until_delivered(installation)
            listed = await asyncio.to_thread(run, "deliveries", endpoint)
            new = await asyncio.to_thread(run, "rotate", endpoint)
            await asyncio.to_thread(run, "resend", endpoint, str(listed[0]["number"]))
            await until_delivered(installation)
            command(folder, "webhook", "rotate", endpoint, "--retire-old")
            command(folder, "webhook", "disable", endpoint)
            (shown,) = await asyncio.to_thread(run, "list")
            command(folder, "webhook", "enable", endpoint)
            words = command(folder, "webhook", "deliveries", endpoint)
            command(folder, "webhook", "remove", endpoint)

    assert ("delivered", 204) == (tested["state"], tested["status"])
    assert ["call.finished", "account.connected", "webhook.test"] == [each["event"] for each in listed]
    assert [account, account, None] == [each["connected_account_id"] for each in listed]
    assert called.headers["request-id"] == receiver.received[2].body["data"]["request_id"]
    assert all(each.is_signed_with(made["secret"]) for each in receiver.received)
    assert receiver.received[2].id == receiver.received[3].id
    assert receiver.received[3].is_signed_with(new["secret"])
    assert ("disabled", "An operator disabled it.", 1) == (shown["state"], shown["state_reason"], len(shown["secrets"]))
    assert 4 == words.count("delivered")
    assert [] == json.loads(command(folder, "webhook", "list", "--json"))
