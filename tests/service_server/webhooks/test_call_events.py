"""The ends of calls are told to those who want to hear of them, exactly as the log has them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from attrs import evolve

from service_server.store import CallLog, DatabaseAway, Processes, Retention, UserData, WebhookEndpoints
from service_server.store.webhook_events import account_event
from tests.service_server.actors import OWNER
from tests.service_server.calls.scripted_calls import ScriptedCalls, scripted_calls, whole, written
from tests.service_server.databases import ON_SQLITE, dictionaries, execute
from tests.service_server.store.databases import call
from tests.service_server.webhooks.conftest import Post

pytestmark = pytest.mark.slow

URL = "http://127.0.0.1:9/hook"


def told(database_url: str) -> list[dict[str, Any]]:
    """What is to be delivered: the data of each event, in its order."""
    rows = dictionaries(database_url, "SELECT body FROM webhook_deliveries ORDER BY id")
    return [json.loads(row["body"])["data"] for row in rows]


def deliveries(database_url: str) -> list[dict[str, Any]]:
    """All that is to be delivered, or was."""
    return dictionaries(database_url, "SELECT * FROM webhook_deliveries")


@ON_SQLITE
async def test_who_does_not_want_to_hear_of_calls_is_not_told(post: Post) -> None:
    """Another application, an endpoint for other events, and a disabled one."""
    await post.endpoint(URL, "account.connected")
    disabled = await post.endpoint(URL)
    await post.administration.disable(OWNER, disabled)
    post.call_events.follow(await post.endpoints.everyone())

    assert not post.call_events.are_wanted_by(post.application.id)
    await post.administration.enable(OWNER, disabled)
    post.call_events.follow(await post.endpoints.everyone())
    assert post.call_events.are_wanted_by(post.application.id)
    assert not post.call_events.are_wanted_by(post.application.id + 1)


async def test_the_end_of_a_call_is_written_once(post: Post, database_url: str) -> None:
    """An attempt to write it that may have got through is not repeated for the endpoints that have it."""
    await post.endpoint(URL)
    await post.endpoint(URL, "call.finished")
    post.call_events.follow(await post.endpoints.everyone())
    ended = call("c1", application_id=post.application.id, outcome="finished", network_code="201", duration_ms=12.5)
    await post.call_events.record(ended, durable=True)
    await post.call_events.settle(ended)
    await post.call_events.settle(evolve(ended, id="c2"))

    expected = {
        "call_id": "c1",
        "request_id": "r",
        "function": "sandbox-create-ticket",
        "app": "sandbox",
        "user_id": "ann",
        "connected_account_id": 1,
        "outcome": "finished",
        "network_code": "201",
        "duration_ms": 12.5,
        "started_at": "2026-01-01T00:00:00.000000Z",
    }
    assert [expected] * 2 + [expected | {"call_id": "c2"}] * 2 == told(database_url)


async def test_calls_of_a_dead_process_are_told_as_unknown(post: Post, database_url: str) -> None:
    """As the log says of them, in the transaction that writes it there."""
    await post.endpoint(URL)
    dead, alive = Processes(post.database), Processes(post.database)
    async with dead.serving():
        log = CallLog(post.database, lambda: dead.id)
        owned = {"application_id": post.application.id, "process_id": dead.id}
        await log.record(call("cut off", **owned))
        await log.record(call("of another application", **(owned | {"application_id": 99})))
        await log.record(call("over", **owned))
        await log.finish(call("over", **owned))
    async with alive.serving():
        pass

    assert [("cut off", "unknown")] == [(each["call_id"], each["outcome"]) for each in told(database_url)]


@ON_SQLITE
async def test_a_call_is_told_with_its_row(database_url: str, tmp_path: Path) -> None:
    """Whether it changes something or not, to whom there is by then; without arguments and output."""
    async with scripted_calls(written(tmp_path), database_url, tmp_path) as calls:
        await calls.script([whole()])
        await calls.call("find")
        await follow(calls, database_url)
        await calls.call("find")
        await calls.call("add")

    events = told(database_url)
    _, *rows = dictionaries(database_url, "SELECT * FROM calls ORDER BY id")
    assert [(row["id"], row["network_code"]) for row in rows] == [(e["call_id"], e["network_code"]) for e in events]
    assert not {"arguments", "output"} & {key for event in events for key in event}


@ON_SQLITE
async def test_all_who_are_told_are_told_in_one_commit(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the call's row: a process that is killed leaves no finished call that only some endpoints hear of."""
    commits: list[int] = []
    async with scripted_calls(written(tmp_path), database_url, tmp_path) as calls:
        await calls.script([whole(201)])
        await follow(calls, database_url, "e", "f", "g")
        commit = calls.database._commit

        async def counted(batch: Any) -> None:
            commits.append(len(batch))
            await commit(batch)

        monkeypatch.setattr(calls.database, "_commit", counted)
        await calls.call("add")

    assert [1, 4] == commits  # its start; its end and the three events
    assert 3 == len(told(database_url))


@ON_SQLITE
@pytest.mark.parametrize(("part", "name"), [("log", "finish"), ("call_events", "record")])
async def test_a_call_that_is_written_late_is_told_once(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, name: str
) -> None:
    """Whichever of its writes the database took at first."""
    async with scripted_calls(written(tmp_path), database_url, tmp_path) as calls:
        await calls.script([whole(201)])
        await follow(calls, database_url)
        with monkeypatch.context() as patched:
            patched.setattr(getattr(calls, part), name, AsyncMock(side_effect=DatabaseAway("away")))
            await calls.call("add")
        await calls.invoker.finish()
        (row,) = await calls.rows()

    assert [(row.id, "finished")] == [(event["call_id"], event["outcome"]) for event in told(database_url)]
    assert "finished" == row.outcome


async def follow(calls: ScriptedCalls, database_url: str, *endpoint_ids: str) -> None:
    """Have an endpoint, or those of these ids, be told of the calls from now on."""
    for each in endpoint_ids or ("e",):
        execute(
            database_url,
            "INSERT INTO webhook_endpoints (id, application_id, url, event_types, sealed_secrets, state, created_at) "
            f"VALUES ('{each}', 1, 'https://hook.test', '[]', '[]', 'enabled', '2026')",
        )
    calls.call_events.follow(await WebhookEndpoints(calls.database).everyone())


async def test_what_is_old_is_forgotten(post: Post, database_url: str) -> None:
    """Deliveries leave with the calls of their time."""
    await post.endpoint(URL)
    await post.connected("ann")
    await Retention(post.database).forget(90)
    assert 1 == len(told(database_url))
    execute(database_url, "UPDATE webhook_deliveries SET created_at = created_at - 91 * 86400")
    await Retention(post.database).forget(90)

    assert [] == told(database_url)


@pytest.mark.parametrize("forgets", ["upkeep", "erasure"])
async def test_a_removed_endpoint_leaves_nothing(post: Post, database_url: str, forgets: str) -> None:
    """What it was told goes with it; what another process writes in that moment by upkeep, or with an erased user."""
    before, removed, after = sorted([await post.endpoint(URL) for _ in range(3)], key=lambda each: each.id)
    assert before.id < removed.id < after.id
    accounts = [await post.connected(f"ann {number}") for number in range(120)]
    await post.administration.remove(OWNER, removed)
    assert {before.id: 120, after.id: 120} == Counter(row["endpoint_id"] for row in deliveries(database_url))
    event = account_event("account.connected", post.application.id, "ann", "sandbox", accounts[0].id)
    await post.deliveries.add(event, removed.id)
    if forgets == "upkeep":
        await Retention(post.database).forget(90)
    else:
        await UserData(post.database).delete(post.application.id, "ann")

    assert {before.id, after.id} == {row["endpoint_id"] for row in deliveries(database_url)}
