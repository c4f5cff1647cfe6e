"""`users export` and `users erase` beside a running service: all that is kept of one user, and nothing of others."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from service_server.store.tables import METADATA
from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.commands import Ended, run_command
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import BOTH_KINDS, database_of, dictionaries
from tests.service_server.processes import RunningService, command

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


def found_of(service: RunningService, user_id: str) -> Counter[str]:
    """How many rows of which table have the user's id anywhere in them, plain or as JSON writes it."""
    spellings = {user_id, json.dumps(user_id)[1:-1], json.dumps(user_id, ensure_ascii=False)[1:-1]}
    found: Counter[str] = Counter()
    for table in METADATA.sorted_tables:
        for row in dictionaries(database_of(service.data_directory), f"SELECT * FROM {table.name}"):
            texts = [str(value) for value in row.values()]
            found[table.name] += any(spelling in text for text in texts for spelling in spellings)
    return +found


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
    before, neighbour = found_of(running_service, USER), found_of(running_service, NEIGHBOUR)
    exported = run(running_service, sandbox, "users", "export", USER)
    assert 0 == exported.status, exported.errors
    lines: list[dict[str, Any]] = [json.loads(line) for line in exported.output.splitlines()]
    counted = Counter(line["type"] for line in lines)
    mistaken = run(running_service, sandbox, "users", "erase", USER, stdin="another\n")
    assert before == found_of(running_service, USER)
    revoked = len(received(sandbox, "/oauth/revoke"))
    erased = run(running_service, sandbox, "users", "erase", USER, "--yes", "--json")
    assert 0 == erased.status, erased.errors
    again = run(running_service, sandbox, "users", "erase", USER, "--yes")

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
    assert 1 == mistaken.status
    assert "Nothing was erased" in mistaken.errors
    counts = json.loads(erased.output)
    assert counts["webhook_delivery"] >= before["webhook_deliveries"]  # it was told that accounts are gone
    assert counts["account_event"] == 2 * counted["account_event"] == 4
    assert {**told, "not_revoked": 0}.items() <= counts.items()
    assert {} == found_of(running_service, USER)
    assert neighbour == found_of(running_service, NEIGHBOUR)
    assert revoked + 1 == len(received(sandbox, "/oauth/revoke"))  # a key can't be revoked
    assert "nothing was kept" in again.output
    with running_service.api(USER) as api:
        assert [] == api.get("/apps?connected_only=true").json()["apps"]
    trail = dictionaries(
        database_of(running_service.data_directory),
        "SELECT act, changes FROM audit_events WHERE act LIKE 'user.%' AND via = 'command_line' ORDER BY id",
    )
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
