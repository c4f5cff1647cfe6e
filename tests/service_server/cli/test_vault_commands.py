"""`vault rotate` as an operator uses it: with the key in the file, and with the key in the environment."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from service_server.vault import KeyFile, keys_from_text, rotation
from tests.service_server.cli.conftest import Done, Run, lines_of
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
    """In words or as one object, never with a key; once old keys are forgotten, asking again changes nothing."""
    file = KeyFile(data / "vault.key")
    first = file.read()
    shown = run("vault", "rotate")
    second, shown_keys = file.read(), file.path.read_text()
    rotated = json.loads(run("vault", "rotate", "--json").output)
    third = file.read()
    forgotten = run("vault", "rotate", "--forget-old", "--json")
    kept = file.read()
    again = run("vault", "rotate", "--forget-old")

    for said in ("application secrets", f"sealed with key {second.sealing}", first.sealing, "--forget-old"):
        assert said in shown.output
    for line in shown_keys.split():
        assert line.partition(":")[2] not in shown.output + shown.errors
    assert 0o600 == stat.S_IMODE(file.path.stat().st_mode)
    assert (third.sealing, True, []) == (rotated["key_id"], rotated["new_key"], rotated["unopened"])
    assert {first.sealing, second.sealing} == {*rotated["old_key_ids"]}
    assert 1 == rotated["resealed"]["application secrets"] == rotated["values"]["application secrets"]
    assert [json.loads(forgotten.output)["key_id"]] == list(kept.by_id)
    assert {kept.sealing} == secret_keys(data)
    assert (0, kept, True) == (again.code, file.read(), "no old key" in again.output)
    assert 0 == run("application", "create", "Other").code


def test_what_cannot_be_opened_ends_with_an_error(run: Run, data: Path) -> None:
    """The value is named, the command fails, the old key stays."""
    old = KeyFile(data / "vault.key").read()
    (data / "vault.key").unlink()
    assert 1 == len(lines_of(run("vault", "rotate")))
    KeyFile(data / "vault.key").create(old)
    with closing(sqlite3.connect(data / "service.db")) as connection, connection:
        connection.execute("UPDATE applications SET sealed_secrets = json_array(?)", (f"{old.sealing}.{'A' * 60}",))
    done = run("vault", "rotate")

    assert 1 == done.code
    assert "application secrets: 1" in done.output
    assert {*old.by_id} < {*KeyFile(data / "vault.key").read().by_id}


def test_a_shared_database_asks_whether_the_file_is_shared(run: Run) -> None:
    """Other machines do not see this one's file, so nothing is rotated under them by default."""
    (line,) = lines_of(run("vault", "rotate", "--database", "postgresql://user:planted@host/name"))

    assert "--shared-key-file" in line
    assert "planted" not in line


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
    prepared = data / "vault.key.new"

    def rotate(keys: str) -> Done:
        monkeypatch.setenv("SERVICE_VAULT_KEY", keys)
        return run("vault", "rotate")

    first, second = rotate(old), rotate(old)
    new = prepared.read_text().strip()
    assert 0o600 == stat.S_IMODE(prepared.stat().st_mode)
    assert first == second
    assert prepared.name in first.output
    behind = rotate(f"{old},{new}")
    assert f"put {keys_from_text(new).sealing} first" in " ".join(behind.output.split())
    assert {keys_from_text(old).sealing} == secret_keys(data)
    before = rotate(f"{new}\n{old}")
    assert {keys_from_text(new).sealing} == secret_keys(data)
    assert f"Take {keys_from_text(old).sealing} out" in before.output
    assert not prepared.exists()
    alone = rotate(new)
    assert new != prepared.read_text().strip()
    monkeypatch.setenv("SERVICE_VAULT_KEY", old)
    assert 1 == run("application", "create", "Other").code
    assert not (data / "vault.key").exists()
    for done in (first, second, behind, before, alone):
        assert 0 == done.code
        assert not [key for key in (old, new) if key.partition(":")[2] in done.output + done.errors]
