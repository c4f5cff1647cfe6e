"""The vault's key rotated under two running services and their callers, killed in the middle, and ended."""

import base64
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import Factory, define, frozen

from service_server.oauth.secrets_of_account import Secrets, seal_secrets
from service_server.vault import KeyFile, Keys, Vault
from tests.examples.processes import SandboxApp
from tests.real_apps.running import ROOT
from tests.service_server.calls.sandbox_controls import expire_tokens
from tests.service_server.commands import run_command
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.processes import SERVICE_SERVER, RunningService, http, service, service_beside_sandbox
from tests.service_server.vault.sealed_rows import sealing_keys

pytestmark = pytest.mark.slow

IDLE_ACCOUNTS = 3000  # enough that a rotation can be killed between two of its batches


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

    def kept_with(self) -> set[str]:
        """The ids of the keys that what the database keeps is sealed with."""
        kept = sealing_keys(self.folder)
        return set().union(*(keys for place, keys in kept.items() if place != "vault_keys.sealed_proof"))

    def rotation(self, *options: str) -> "subprocess.Popen[str]":
        """Start a rotation as a process of its own."""
        command = [SERVICE_SERVER, "vault", "rotate", "--json", "--data-dir", str(self.folder), *options]
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )


@define
class Callers:
    """Users who go on calling, each at one of the services, until told to stop; what was not answered well is kept."""

    installation: Installation
    stop: threading.Event = Factory(threading.Event)
    done: Counter[str] = Factory(Counter)
    failures: list[str] = Factory(list)
    threads: list[threading.Thread] = Factory(list)

    def begin(self) -> None:
        """Start calling."""
        for number, kind in enumerate((self.read, self.change, self.by_token, self.connect) * 2):
            at = self.installation.services[number % 2]
            self.threads.append(threading.Thread(target=self._go_on, args=(kind, at)))
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        """Stop calling."""
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def _go_on(self, kind: Any, at: RunningService) -> None:
        with at.api("ann") as ann, at.api("bea") as bea:
            number = 0
            while not self.stop.is_set():
                number += 1
                try:
                    answer = kind(at, ann, bea, f"{id(ann)}-{number}")
                except (AssertionError, httpx.HTTPError, KeyError) as error:
                    self.failures.append(f"{kind.__name__}: {error!r}")
                else:
                    self.done[kind.__name__] += 1
                    if answer is not None and answer.json().get("network_code") not in ("200", "201"):
                        self.failures.append(f"{kind.__name__}: {answer.text}")

    def read(self, _at: RunningService, ann: httpx.Client, _bea: httpx.Client, _name: str) -> httpx.Response:
        """A call with tokens that are renewed now and then."""
        return ann.post("/functions/sandbox-list-projects")

    def change(self, _at: RunningService, _ann: httpx.Client, bea: httpx.Client, name: str) -> httpx.Response:
        """A mutation under an idempotency key, and its repetition, which is answered from what is kept."""
        ticket = {"title": name, "project_id": "website", "fields": {"severity": "high"}}
        first, again = (
            bea.post("/functions/sandbox-create-ticket", json=ticket, headers={"Idempotency-Key": name})
            for _ in range(2)
        )
        assert first.json() == again.json(), again.text
        return first

    def by_token(self, at: RunningService, ann: httpx.Client, _bea: httpx.Client, _name: str) -> httpx.Response:
        """A session token made by one service and shown to the other; pages by cursor."""
        token = ann.post("/session_tokens", json={}).json()["token"]
        other = next(each for each in self.installation.services if each.url != at.url)
        with http(other.url, {"Authorization": f"Bearer {token}"}) as page:
            answer = page.post("/functions/sandbox-list-tickets", json={})
            cursor = answer.json()["next_page"]
            assert cursor
            return page.post("/functions/sandbox-list-tickets", json={"next_page": cursor})

    def connect(self, at: RunningService, _ann: httpx.Client, _bea: httpx.Client, _name: str) -> None:
        """Connecting by sign-in at one service, whose key changes between leaving and coming back."""
        if at.url == self.installation.services[0].url:  # the callback's address is that of the first one
            connect_by_sign_in(at, self.installation.sandbox, f"new {threading.get_ident()}", "alice")
        else:
            connect_by_key(at, f"new {threading.get_ident()}", self.installation.sandbox.api_keys["bob"])


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The processes, two users with accounts, and many accounts that nobody uses."""
    folder = tmp_path_factory.mktemp("rotation")
    with service_beside_sandbox(folder) as (one, sandbox):
        allowed = ["--allow-host", sandbox.url.removeprefix("http://")]
        application = {"app_key": one.app_key, "app_secret": one.app_secret}
        with service(folder, *allowed, application=application) as other:
            file = KeyFile(folder / "vault.key")
            connect_by_sign_in(one, sandbox, "ann", "alice")
            connect_by_key(one, "bea", sandbox.api_keys["alice"])
            _add_idle_accounts(folder, Vault.of_file(file))
            yield Installation(folder, (one, other), sandbox, file)


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


def test_no_call_fails_while_the_key_is_rotated(installation: Installation) -> None:
    """Killed in the middle and run again, under calls, refreshes and sign-ins: one new key, and nobody notices."""
    old_id = installation.file.read().sealing
    callers = Callers(installation)
    callers.begin()
    try:
        killed = installation.rotation()
        while installation.file.read().sealing == old_id:
            time.sleep(0.01)
        new_id = installation.file.read().sealing
        while installation.sealed_with(new_id) < IDLE_ACCOUNTS // 10:
            time.sleep(0.01)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        left = installation.sealed_with(old_id)
        before = callers.done.copy()
        expire_tokens(installation.sandbox)
        while any(callers.done[kind] < before[kind] + 3 for kind in before):
            time.sleep(0.05)
        again = installation.rotation()
        expire_tokens(installation.sandbox)
        told, _ = again.communicate(timeout=300)
        before = callers.done.copy()
        expire_tokens(installation.sandbox)
        while any(callers.done[kind] < before[kind] + 3 for kind in before):
            time.sleep(0.05)
    finally:
        callers.end()

    assert [] == callers.failures[:5]
    assert {"read", "change", "by_token", "connect"} == set(callers.done)
    assert left > 0
    assert (new_id, False, []) == tuple(json.loads(told)[name] for name in ("key_id", "new_key", "unopened"))
    assert {new_id} == installation.kept_with()


def test_the_old_key_is_of_no_use_once_it_is_forgotten(installation: Installation) -> None:
    """Neither running service opens what it sealed, no start takes it, and calls go on."""
    keys = installation.file.read()
    (old_id,) = set(keys.by_id) - {keys.sealing}
    with installation.services[0].api("ann") as ann:
        minted = ann.post("/session_tokens", json={"expires_in": 3600}).json()["token"]
    claims = Vault(keys).open(minted, "session token")
    forged = Vault(Keys(old_id, keys.by_id)).seal(claims, "session token")

    def status(of: RunningService) -> int:
        with http(of.url, {"Authorization": f"Bearer {forged}"}) as bearer:
            return bearer.get("/apps").status_code

    assert [200, 200] == [status(each) for each in installation.services]
    past = time.time() - 3600
    os.utime(installation.file.path, (past, past))
    told, _ = installation.rotation("--forget-old").communicate(timeout=300)

    assert [keys.sealing] == list(installation.file.read().by_id)
    assert keys.sealing == json.loads(told)["key_id"]
    for each in installation.services:
        deadline = time.monotonic() + 30
        while status(each) == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert 401 == status(each)
        with each.api("ann") as ann:
            assert "200" == ann.post("/functions/sandbox-list-projects").json()["network_code"]
    environment = {"SERVICE_VAULT_KEY": f"{old_id}:{_encoded(keys.by_id[old_id])}"}
    arguments = ["serve", "--port", "0", "--data-dir", str(installation.folder)]
    refused = run_command(arguments, stdin="", env=environment)
    assert 1 == refused.status
    assert keys.sealing in refused.errors
    assert _encoded(keys.by_id[old_id]) not in refused.errors


def _encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()
