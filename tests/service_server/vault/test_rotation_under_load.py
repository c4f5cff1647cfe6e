"""The vault's key rotated under two running services and their callers, killed in the middle, and ended."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from service_server.oauth.secrets_of_account import Secrets, seal_secrets
from service_server.vault import KeyFile, Vault
from tests.examples.processes import SandboxApp
from tests.real_apps.running import ROOT
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.going_on import Deed, Told, going_on
from tests.service_server.processes import SERVICE_SERVER, RunningService, http, service, service_beside_sandbox
from tests.service_server.vault.sealed_rows import sealing_keys_of_values
from tests.service_server.waiting import wait_until

pytestmark = pytest.mark.slow

IDLE_ACCOUNTS = 1500  # enough that a rotation can be killed between two of its batches


@frozen
class Installation:
    """Two services on one data directory beside a sandbox app."""

    folder: Path
    services: tuple[RunningService, RunningService]
    sandbox: SandboxApp
    file: KeyFile

    def sealed_with(self, key_id: str) -> int:
        """How many accounts are sealed with a key."""
        with contextlib.closing(sqlite3.connect(self.folder / "service.db", timeout=30)) as connection:
            query = "SELECT count(*) FROM accounts WHERE sealed_credentials LIKE ?"
            return int(connection.execute(query, (f"{key_id}.%",)).fetchone()[0])

    def rotation(self) -> "subprocess.Popen[str]":
        """Start a rotation as a process of its own."""
        command = [SERVICE_SERVER, "vault", "rotate", "--json", "--data-dir", str(self.folder)]
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )


@frozen
class Users:
    """What users do, each at one of the services."""

    installation: Installation

    def deeds(self) -> Iterator[tuple[str, Deed]]:
        """All of it, at either service."""
        for do in (self.read, self.change, self.by_token, self.connect):
            for place, at in enumerate(self.installation.services):
                yield do.__name__, lambda number, do=do, at=at, place=place: do(at, f"{place} {number}")

    def read(self, at: RunningService, _name: str) -> None:
        """A call with tokens that are renewed now and then."""
        with at.api("ann") as ann:
            answer = ann.post("/functions/sandbox-list-projects")
        assert "200" == answer.json()["network_code"], answer.text

    def change(self, at: RunningService, name: str) -> None:
        """A mutation under an idempotency key, and its repetition, which is answered from what is kept."""
        ticket = {"title": name, "project_id": "website", "fields": {"severity": "high"}}
        with at.api("bea", **{"Idempotency-Key": name}) as bea:
            first, again = (bea.post("/functions/sandbox-create-ticket", json=ticket) for _ in range(2))
        assert first.json() == again.json(), again.text
        assert "201" == first.json()["network_code"], first.text

    def by_token(self, at: RunningService, _name: str) -> None:
        """A session token made by one service and shown to the other; pages by cursor."""
        (other,) = (each for each in self.installation.services if each.url != at.url)
        with at.api("ann") as ann:
            token = ann.post("/session_tokens", json={}).json()["token"]
        with http(other.url, {"Authorization": f"Bearer {token}"}) as page:
            cursor = page.post("/functions/sandbox-list-tickets", json={}).json()["next_page"]
            assert cursor
            answer = page.post("/functions/sandbox-list-tickets", json={"next_page": cursor})
        assert "200" == answer.json()["network_code"], answer.text

    def connect(self, at: RunningService, _name: str) -> None:
        """Connecting by sign-in at one service, whose key changes between leaving and coming back."""
        if at.url == self.installation.services[0].url:  # the callback's address is that of the first one
            connect_by_sign_in(at, self.installation.sandbox, f"new at {at.url}", "alice")
        else:
            connect_by_key(at, f"new at {at.url}", self.installation.sandbox.api_keys["bob"])


def _wait_for_some(installation: Installation, told: Told) -> None:
    """Wait until everybody has had new tokens and several answers."""
    installation.sandbox.expire_tokens()
    before = told.done.copy()
    wait_until(lambda: all(told.done[kind] >= before[kind] + 3 for kind in before))


def _add_idle_accounts(folder: Path, vault: Vault) -> None:
    users = [f"idle {number}" for number in range(IDLE_ACCOUNTS)]
    secrets = Secrets(creds={"api_key": "x" * 40})
    values = [(user, seal_secrets(vault, secrets, 1, user, "sandbox")) for user in users]
    statement = (
        "INSERT INTO accounts (application_id, user_id, app_name, auth_id, display_name, state, sealed_credentials,"
        " variables, version, created_at, modified_at) VALUES (1, ?, 'sandbox', 'key', 'Idle', 'active', ?, '{}', 1,"
        " '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z')"
    )
    with contextlib.closing(sqlite3.connect(folder / "service.db", timeout=30)) as connection, connection:
        connection.executemany(statement, values)


def test_no_call_fails_while_the_key_is_rotated(tmp_path: Path) -> None:
    """Killed in the middle and run again, under calls, refreshes and sign-ins: one new key, and nobody notices."""
    with service_beside_sandbox(tmp_path) as (one, sandbox):
        allowed = ["--allow-host", sandbox.url.removeprefix("http://")]
        application = {"app_key": one.app_key, "app_secret": one.app_secret}
        with service(tmp_path, *allowed, application=application) as other:
            connect_by_sign_in(one, sandbox, "ann", "alice")
            connect_by_key(one, "bea", sandbox.api_keys["alice"])
            file = KeyFile(tmp_path / "vault.key")
            _add_idle_accounts(tmp_path, Vault.of_file(file))
            _rotate(Installation(tmp_path, (one, other), sandbox, file))


def _rotate(installation: Installation) -> None:
    old_id = installation.file.read().sealing
    with going_on(*Users(installation).deeds()) as told:
        killed = installation.rotation()
        wait_until(lambda: installation.file.read().sealing != old_id)
        new_id = installation.file.read().sealing
        wait_until(lambda: installation.sealed_with(new_id) >= IDLE_ACCOUNTS // 10)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        left = installation.sealed_with(old_id)
        _wait_for_some(installation, told)
        again = installation.rotation()
        installation.sandbox.expire_tokens()
        printed, _ = again.communicate(timeout=300)
        _wait_for_some(installation, told)

    assert [] == told.failures[:5]
    assert {"read", "change", "by_token", "connect"} == set(told.done)
    assert left > 0
    assert (new_id, False, []) == tuple(json.loads(printed)[name] for name in ("key_id", "new_key", "unopened"))
    assert {new_id} == sealing_keys_of_values(installation.folder)
