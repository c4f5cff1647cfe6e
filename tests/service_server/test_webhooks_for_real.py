"""Webhooks beside a running service, as an operator follows them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import rows
from tests.service_server.processes import command, service_beside_sandbox
from tests.service_server.waiting import until
from tests.service_server.webhooks.receiver import receiving

PENDING = "SELECT 1 FROM webhook_deliveries WHERE state = 'pending'"
ALLOWED = ("--allow-host", "webhooks=127.0.0.1")


@pytest.mark.slow
async def test_an_operator_follows_what_is_delivered(tmp_path: Path) -> None:
    """The commands show, test, rotate, send again, disable, enable and remove."""

    async def told(*arguments: str) -> str:
        return await asyncio.to_thread(command, tmp_path, "webhook", *arguments)

    async def run(*arguments: str) -> Any:
        return json.loads(await told(*arguments, "--json"))

    async with receiving() as receiver:
        with service_beside_sandbox(tmp_path, *ALLOWED) as (running, sandbox):
            made = await run(
                "create", receiver.url, *ALLOWED, "--event", "account.connected", "--event", "call.finished"
            )
            endpoint = made["id"]
            tested = await run("test", endpoint)
            account = await asyncio.to_thread(connect_by_key, running, "bob", sandbox.api_keys["bob"])
            with running.api("bob") as api:
                called = await asyncio.to_thread(api.post, "/functions/sandbox-list-projects")
            await until(lambda: not rows(tmp_path, PENDING))
            listed = await run("deliveries", endpoint)
            new = await run("rotate", endpoint)
            await run("resend", endpoint, str(listed[0]["number"]))
            await until(lambda: not rows(tmp_path, PENDING))
            await told("rotate", endpoint, "--retire-old")
            await told("disable", endpoint)
            (shown,) = await run("list")
            await told("enable", endpoint)
            words = await told("deliveries", endpoint)
            await told("remove", endpoint)
            left = await run("list")

    assert ("delivered", 204) == (tested["state"], tested["status"])
    assert ["call.finished", "account.connected", "webhook.test"] == [each["event"] for each in listed]
    assert [account, account, None] == [each["connected_account_id"] for each in listed]
    *_, first, again = receiver.received
    assert called.headers["request-id"] == first.body["data"]["request_id"]
    assert all(each.is_signed_with(made["secret"]) for each in receiver.received)
    assert (4, first.id, True) == (len(receiver.received), again.id, again.is_signed_with(new["secret"]))
    assert ("disabled", "An operator disabled it.", 1) == (shown["state"], shown["state_reason"], len(shown["secrets"]))
    assert (4, []) == (words.count("delivered"), left)
