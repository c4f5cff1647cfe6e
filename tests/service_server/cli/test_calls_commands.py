"""`service-server calls`: the log in a terminal and as files."""

import csv
import json
from pathlib import Path

import pytest

from service_server.store import CallLog, Refusal
from service_server.store.call_ids import call_id
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.databases import put_empty_database, sqlite_url
from tests.service_server.store.databases import call, opened

pytestmark = pytest.mark.slow

FORMULA = "=HYPERLINK(A1)"


@pytest.fixture
async def ids(tmp_path: Path) -> list[str]:
    """Those of two calls and of a refused one, which are logged."""
    put_empty_database(tmp_path / "data")
    ids = sorted(call_id() for _ in range(3))
    async with opened(sqlite_url(tmp_path / "data")) as database:
        log = CallLog(database)
        done = {"outcome": "finished", "duration_ms": 12.5, "app_ms": 10.0}
        await log.record(call(ids[0], network_code="200", arguments={"title": "é\ud83d"}, **done))
        await log.record(call(ids[1], network_code="500", user_id=FORMULA, **done))
        why = {"code": "required", "error": "It is required.", "at": "2026-01-01T00:00:00.000000Z"}
        about = {"application_id": 1, "user_id": "ann", "function_name": "sandbox-get-ticket", "request_id": "r"}
        await log.refuse(Refusal(id=ids[2], **about, **why))
    return ids


def test_calls_are_listed_and_shown(run: Run, ids: list[str]) -> None:
    """Newest first, narrowed by the console's filters, page after page; one call with what it was given."""

    def listed(*options: str) -> tuple[list[str], str | None]:
        page = json.loads(run("calls", "list", "--json", *options).output)
        return [each["id"] for each in page["calls"]], page["older"]

    (newest,), older = listed("--limit", "1")
    shown = json.loads(run("calls", "show", ids[0]).output)

    assert ids[1] == newest
    assert ([ids[0]], None) == listed("--before", str(older), "--since", "1h")
    assert [ids[2]] == listed("--refused", "--code", "required")[0]
    assert (10.0, 12.5, "é\ud83d") == (shown["app_ms"], shown["duration_ms"], shown["arguments"]["title"])
    assert "sandbox-create-ticket" in run("calls", "list", "--outcome", "failed").output
    assert "Give a time in UTC" in lines_of(run("calls", "list", "--since", "soon"))[0]
    assert "There is no call nobody in the log" in lines_of(run("calls", "show", "nobody"))[0]


def test_calls_are_exported(run: Run, ids: list[str]) -> None:
    """
    As JSON lines as they are; as CSV, in which no text is a formula; contents only where they are asked for.

    No file that is there already is written over.
    """
    whole = json.loads(run("calls", "export", "--user-id", "ann", "--contents").output)
    run("calls", "export", "--format", "csv", "--output", "calls.csv")
    rows = list(csv.DictReader(Path("calls.csv").read_text().splitlines()))
    again = lines_of(run("calls", "export", "--refused", "--output", "calls.csv"))
    refused = json.loads(run("calls", "export", "--refused").output)

    assert (ids[0], "é\ud83d") == (whole["id"], whole["arguments"]["title"])
    assert [(ids[1], f"'{FORMULA}"), (ids[0], "ann")] == [(each["id"], each["user_id"]) for each in rows]
    assert not {"arguments", "output", "process_id"} & set(rows[0])
    assert ("required", ids[2]) == (refused["code"], refused["id"])
    assert "File exists" in again[-1]
    assert rows == list(csv.DictReader(Path("calls.csv").read_text().splitlines()))
