"""`service-server calls`: the log in a terminal and as files."""

import asyncio
import csv
import json
from pathlib import Path

import pytest

from service_server.settings import default_database_url
from service_server.store import CallLog, Refusal
from service_server.store.call_ids import call_id
from service_server.store.migrations import upgrade
from tests.service_server.commands import run_command
from tests.service_server.processes import command
from tests.service_server.store.databases import call, opened

pytestmark = pytest.mark.slow

FORMULA = "=HYPERLINK(A1)"


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder with two calls and a refused one, and the ids of the calls."""
    folder = tmp_path_factory.mktemp("logged")
    upgrade(default_database_url(folder))
    ids = sorted(call_id() for _ in range(3))

    async def record() -> None:
        async with opened(default_database_url(folder)) as database:
            log = CallLog(database)
            done = {"outcome": "finished", "duration_ms": 12.5, "app_ms": 10.0}
            await log.record(call(ids[0], network_code="200", arguments={"title": "é\ud83d"}, **done))
            await log.record(call(ids[1], network_code="500", user_id=FORMULA, **done))
            why = {"code": "required", "error": "It is required.", "at": "2026-01-01T00:00:00.000000Z"}
            about = {"application_id": 1, "user_id": "ann", "function_name": "sandbox-get-ticket", "request_id": "r"}
            await log.refuse(Refusal(id=ids[2], **about, **why))

    asyncio.run(record())
    return folder, ids


def test_calls_are_listed_and_shown(logged: tuple[Path, list[str]]) -> None:
    """Newest first, narrowed by the console's filters, page after page; one call with what it was given."""
    folder, ids = logged
    first = json.loads(command(folder, "calls", "list", "--limit", "1", "--json"))
    second = json.loads(command(folder, "calls", "list", "--before", first["older"], "--since", "1h", "--json"))
    refused = json.loads(command(folder, "calls", "list", "--refused", "--code", "required", "--json"))
    shown = json.loads(command(folder, "calls", "show", ids[0]))

    assert [ids[1]] == [each["id"] for each in first["calls"]]
    assert ([ids[0]], None) == ([each["id"] for each in second["calls"]], second["older"])
    assert [ids[2]] == [each["id"] for each in refused["calls"]]
    assert (10.0, 12.5, "é\ud83d") == (shown["app_ms"], shown["duration_ms"], shown["arguments"]["title"])
    assert "sandbox-create-ticket" in command(folder, "calls", "list", "--outcome", "failed")


def test_calls_are_exported(logged: tuple[Path, list[str]]) -> None:
    """As JSON lines as they are; as CSV, in which no text is a formula; contents only where they are asked for."""
    folder, ids = logged
    lines = command(folder, "calls", "export", "--user-id", "ann", "--contents").splitlines()
    file = folder / "calls.csv"
    command(folder, "calls", "export", "--format", "csv", "--output", str(file))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    refused = json.loads(command(folder, "calls", "export", "--refused"))

    assert [(ids[0], "é\ud83d")] == [(each["id"], each["arguments"]["title"]) for each in map(json.loads, lines)]
    assert [(ids[1], f"'{FORMULA}"), (ids[0], "ann")] == [(each["id"], each["user_id"]) for each in rows]
    assert not {"arguments", "output", "process_id"} & set(rows[0])
    assert ("required", ids[2]) == (refused["code"], refused["id"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("list", "--since", "soon"), "Give a time in UTC"), (("show", "nobody"), "There is no call nobody in the log")],
)
def test_what_is_not_there_is_said(logged: tuple[Path, list[str]], arguments: tuple[str, ...], told: str) -> None:
    """In a line that says what to do."""
    ended = run_command(["calls", *arguments, "--data-dir", str(logged[0])], stdin="", env={})

    assert 1 == ended.status
    assert told in ended.errors
