"""`users export` and `users erase` beside a running service: all that is kept of one user, and nothing of others."""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from service_server.cli.users import users_cli
from service_server.store import DatabaseAway, UserData
from service_server.store.tables import METADATA
from tests.examples.processes import SandboxApp
from tests.service_server.commands import Ended, run_command
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import BOTH_KINDS, database_of, dictionaries, whole_tables
from tests.service_server.processes import RunningService, command, create_application

pytestmark = pytest.mark.slow
USER = 'zoe "O\'Neil" 100%_x'
NEIGHBOUR = USER.replace("%_x", "ab_x")  # what the patterns of SQL would take for the user


def run(service: RunningService, sandbox: SandboxApp, *arguments: str, stdin: str = "") -> Ended:
    """Run a command on the service's data."""
    options = ["--app-key", service.app_key, "--data-dir", str(service.data_directory)]
    if arguments[1] == "erase":
        options += ["--allow-host", f"sandbox={sandbox.url.removeprefix('http://')}"]
    env = {"SERVICE_DATABASE": database_of(service.data_directory)}
    return run_command([*arguments, *options], stdin=stdin, env=env)


def found_of(service: RunningService, *user_ids: str) -> list[dict[str, int]]:
    """In how many rows of which table each user's id stands, plain or as JSON writes it."""
    names = [table.name for table in METADATA.sorted_tables]
    tables = whole_tables(service.data_directory, names)

    def count(user_id: str, rows: list[dict[str, Any]]) -> int:
        spellings = {user_id, json.dumps(user_id)[1:-1]}
        return sum(any(spelling in str(value) for value in row.values() for spelling in spellings) for row in rows)

    counts = ({name: count(user, rows) for name, rows in zip(names, tables, strict=True)} for user in user_ids)
    return [{name: number for name, number in of_user.items() if number} for of_user in counts]


def use(service: RunningService, sandbox: SandboxApp, user_id: str) -> None:
    """Leave rows of every kind."""
    connect_by_sign_in(service, sandbox, user_id, "alice")
    bob = connect_by_key(service, user_id, sandbox.api_keys["bob"])
    with service.api(user_id) as api:
        ticket = {"title": "Of the user", "project_id": "website", "fields": {"severity": "high"}}
        of_bob = {"connected_account_id": bob}
        key = {"Idempotency-Key": f"once {bob}"}
        done = api.post("/functions/sandbox-create-ticket", json=ticket, headers=key, params=of_bob)
        assert 200 == done.status_code, done.text
        api.post("/functions/sandbox-list-tickets", json={}, params=of_bob)
        assert 400 == api.post("/functions/sandbox-create-ticket", json={}, params=of_bob).status_code
        plain = {"Content-Type": "text/plain"}
        assert 201 == api.post("/files?name=notes.txt", content=b"of the user", headers=plain).status_code
        api.post("/apps/sandbox/connect_sessions", json={}).raise_for_status()


@pytest.fixture
def hook(running_service: RunningService) -> Iterator[None]:
    """An endpoint that is told what happens; nobody is there."""
    folder = running_service.data_directory
    added = command(folder, "webhook", "create", "https://nobody.invalid/hook", "--json")
    yield
    command(folder, "webhook", "remove", json.loads(added)["id"])


@pytest.mark.parametrize("called", BOTH_KINDS, indirect=True)
@pytest.mark.usefixtures("hook")
def test_a_user_is_told_and_erased(running_service: RunningService, sandbox: SandboxApp) -> None:
    """Everything is exported but secrets; after erasing nothing is found in any table, and others keep theirs."""
    for user_id in (USER, NEIGHBOUR):
        use(running_service, sandbox, user_id)
    before, neighbour = found_of(running_service, USER, NEIGHBOUR)
    exported = run(running_service, sandbox, "users", "export", USER)
    lines: list[dict[str, Any]] = [json.loads(line) for line in exported.output.splitlines()]
    counted = Counter(line["type"] for line in lines)
    mistaken = run(running_service, sandbox, "users", "erase", USER, stdin="another\n")
    revoked = len(sandbox.received("/oauth/revoke"))
    assert [before] == found_of(running_service, USER)
    erased = run(running_service, sandbox, "users", "erase", USER, "--yes", "--json")
    again = run(running_service, sandbox, "users", "erase", USER, "--yes")

    assert [0, 1, 0] == [each.status for each in (exported, mistaken, erased)], exported.errors + erased.errors
    tables = "account_events accounts calls connect_sessions files idempotency refusals webhook_deliveries"
    assert tables == " ".join(sorted(before))
    assert {"type": "user", "user_id": USER, "application": running_service.app_key}.items() <= lines[0].items()
    told = {"account": 2, "call": 2, "refused_call": 1, "idempotency_key": 1, "connect_session": 3, "file": 1}
    assert told == {kind: count for kind, count in counted.items() if kind in told}
    assert counted["webhook_delivery"] == before["webhook_deliveries"] > 0
    assert ["notes.txt"] == [line["name"] for line in lines if line["type"] == "file"]
    assert "Of the user" in exported.output
    assert "sealed" not in exported.output
    assert sandbox.api_keys["bob"] not in exported.output
    assert "Nothing was erased" in mistaken.errors
    counts = json.loads(erased.output)
    assert counts["webhook_delivery"] >= before["webhook_deliveries"]  # it was told that accounts are gone
    assert counts["account_event"] == 2 * counted["account_event"] == 4
    assert {**told, "not_revoked": 0}.items() <= counts.items()
    assert [{}, neighbour] == found_of(running_service, USER, NEIGHBOUR)
    assert revoked + 1 == len(sandbox.received("/oauth/revoke"))  # a key can't be revoked
    assert "nothing was kept" in again.output
    query = "SELECT act, changes FROM audit_events WHERE act LIKE 'user.%' AND via = 'command_line' ORDER BY id"
    trail = dictionaries(running_service.data_directory, query)
    assert ["user.exported", *2 * ["user.erasure_begun", "user.erased"]] == [row["act"] for row in trail]
    assert told.items() <= json.loads(trail[2]["changes"]).items()


def test_accounts_of_all_users_are_searched_and_disconnected(
    running_service: RunningService, sandbox: SandboxApp
) -> None:
    """By user, app and state, beside the running service; disconnecting is in the audit trail."""
    folder, user = running_service.data_directory, "searched for"
    account = connect_by_key(running_service, user, sandbox.api_keys["alice"])
    connect_by_key(running_service, "somebody else", sandbox.api_keys["bob"])
    searched = ("users", "accounts", "--user-id", user, "--json")
    listed = json.loads(command(folder, *searched, "--app", "sandbox"))
    none = json.loads(command(folder, *searched, "--state", "reconnect_required"))
    told = command(folder, "users", "disconnect", str(account))
    (act,) = json.loads(command(folder, "audit", "--act", "account.disconnected", "--subject", str(account), "--json"))

    assert [(account, user, "active")] == [(each["id"], each["user_id"], each["state"]) for each in listed]
    assert [] == none
    assert f"The account {account} is disconnected." in told
    assert ("command_line", {"app": "sandbox"}) == (act["via"], act["changes"])
    with running_service.api(user) as api:
        assert [] == api.get("/apps?connected_only=true").json()["apps"]


def test_an_export_that_breaks_off_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of what is kept of somebody would pass for all of it, and be in the way of the next try."""
    out = tmp_path / "ann.jsonl"
    monkeypatch.setattr(UserData, "rows", Mock(side_effect=DatabaseAway("it is away")))
    create_application(tmp_path, "Acme")
    ended = CliRunner().invoke(users_cli, ["export", "ann", "--out", str(out), "--data-dir", str(tmp_path)])

    assert isinstance(ended.exception, DatabaseAway)
    assert not out.exists()


@pytest.mark.parametrize("called", BOTH_KINDS, indirect=True)
@pytest.mark.usefixtures("hook")
def test_a_query_that_ends_after_its_user_was_erased(running_service: RunningService, sandbox: SandboxApp) -> None:
    """It is answered, and nothing of it is kept: neither a row of the log nor one of what is told."""
    user_id = "erased meanwhile"
    connect_by_key(running_service, user_id, sandbox.api_keys["bob"])
    sandbox.fault("/api/v1/projects", "slow", seconds=6)
    with running_service.api(user_id) as api, ThreadPoolExecutor() as pool:
        calling = pool.submit(api.post, "/functions/sandbox-list-projects", json={})
        running_service.program.wait_until(lambda: sandbox.received("/api/v1/projects") or None)
        erased = run(running_service, sandbox, "users", "erase", user_id, "--yes")
        still_asked = not calling.done()
        answer = calling.result()

    assert (0, 200, True) == (erased.status, answer.status_code, still_asked), erased.errors
    assert [{}] == found_of(running_service, user_id)
