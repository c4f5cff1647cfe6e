"""`vault rotate` as an operator uses it: with the key in the file, and with the key in the environment."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from service_server.vault import KeyFile, keys_from_text, rotation
from tests.service_server.cli.conftest import Run
from tests.service_server.vault.sealed_rows import sealing_keys

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else runs on these databases."""
    monkeypatch.setattr(rotation, "TAKEOVER_SECONDS", 0)
    monkeypatch.setattr(rotation, "FORGETTING_SECONDS", 0)


def secret_keys(data: Path) -> set[str]:
    """The ids of the keys that the applications' secrets are sealed with."""
    return sealing_keys(data)["applications.sealed_secrets"]


def test_a_rotation_tells_what_it_did_and_what_comes_next(run: Run, data: Path) -> None:
    """Counts for people, the id of the key that seals now, when the old one may go; no key, on neither stream."""
    old = KeyFile(data / "vault.key").read()
    done = run("vault", "rotate")
    keys = KeyFile(data / "vault.key").read()

    assert 0 == done.code
    assert {keys.sealing} == secret_keys(data)
    assert 0o600 == stat.S_IMODE((data / "vault.key").stat().st_mode)
    for said in ("application secrets", f"sealed with key {keys.sealing}", old.sealing, "--forget-old"):
        assert said in done.output
    written = (data / "vault.key").read_text()
    for line in written.split():
        assert line.partition(":")[2] not in done.output + done.errors


def test_old_keys_are_forgotten_on_request(run: Run, data: Path) -> None:
    """For programs one object tells it. Afterwards the file holds one key, and asking again changes nothing."""
    old = KeyFile(data / "vault.key").read()
    rotated = json.loads(run("vault", "rotate", "--json").output)
    assert KeyFile(data / "vault.key").read().sealing == rotated["key_id"]
    assert ([old.sealing], True, []) == (rotated["old_key_ids"], rotated["new_key"], rotated["unopened"])
    assert 1 == rotated["resealed"]["application secrets"] == rotated["values"]["application secrets"]
    told = json.loads(run("vault", "rotate", "--forget-old", "--json").output)
    kept = KeyFile(data / "vault.key").read()

    assert [told["key_id"]] == list(kept.by_id)
    again = run("vault", "rotate", "--forget-old")
    assert (0, kept) == (again.code, KeyFile(data / "vault.key").read())
    assert "no old key" in again.output
    assert 0 == run("application", "create", "Other").code


def test_what_cannot_be_opened_ends_with_an_error(run: Run, data: Path) -> None:
    """The value is named, the command fails, the old key stays."""
    old = KeyFile(data / "vault.key").read()
    with closing(sqlite3.connect(data / "service.db")) as connection, connection:
        connection.execute("UPDATE applications SET sealed_secrets = json_array(?)", (f"{old.sealing}.{'A' * 60}",))
    done = run("vault", "rotate")

    assert 1 == done.code
    assert "application secrets: 1" in done.output
    assert {*old.by_id} < {*KeyFile(data / "vault.key").read().by_id}


def test_a_shared_database_asks_whether_the_file_is_shared(run: Run, data: Path) -> None:
    """Other machines do not see this one's file, so nothing is rotated under them by default."""
    done = run("vault", "rotate", "--database", "postgresql://user:planted@host/name")

    assert 1 == done.code
    assert "--shared-key-file" in done.errors
    assert "planted" not in done.errors


def test_an_interrupted_command_says_so(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves a rotation that the next command ends with the same key."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rotation.SealedValues, "replace", interrupt)
        done = run("vault", "rotate")
    begun = KeyFile(data / "vault.key").read()
    again = run("vault", "rotate", "--json")

    assert 130 == done.code
    assert "run the command again" in done.errors
    assert (begun.sealing, False) == (json.loads(again.output)["key_id"], json.loads(again.output)["new_key"])
    assert {begun.sealing} == secret_keys(data)


def test_a_key_of_the_environment_is_rotated_in_steps(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command prepares a key in a private file and never prints it; each step waits for the operator."""
    old = (data / "vault.key").read_text().strip()
    (data / "vault.key").unlink()
    monkeypatch.setenv("SERVICE_VAULT_KEY", old)
    outputs = [run("vault", "rotate"), run("vault", "rotate")]
    prepared = data / "vault.key.new"
    new = prepared.read_text().strip()

    assert 0o600 == stat.S_IMODE(prepared.stat().st_mode)
    assert outputs[0] == outputs[1]
    assert prepared.name in outputs[0].output
    monkeypatch.setenv("SERVICE_VAULT_KEY", f"{old},{new}")
    outputs.append(run("vault", "rotate"))
    assert f"put {keys_from_text(new).sealing} first" in " ".join(outputs[-1].output.split())
    assert {keys_from_text(old).sealing} == secret_keys(data)
    monkeypatch.setenv("SERVICE_VAULT_KEY", f"{new}\n{old}")
    outputs.append(run("vault", "rotate"))
    assert {keys_from_text(new).sealing} == secret_keys(data)
    assert f"Take {keys_from_text(old).sealing} out" in outputs[-1].output
    assert not prepared.exists()
    monkeypatch.setenv("SERVICE_VAULT_KEY", new)
    assert 0 == run("application", "create", "Other").code
    outputs.append(run("vault", "rotate"))
    assert new != prepared.read_text().strip()
    monkeypatch.setenv("SERVICE_VAULT_KEY", old)
    assert 1 == run("application", "create", "Third").code
    assert not (data / "vault.key").exists()
    for line in (old, new, os.environ["SERVICE_VAULT_KEY"]):
        assert all(line.partition(":")[2] not in each.output + each.errors for each in outputs)
    assert [0] * len(outputs) == [each.code for each in outputs]
