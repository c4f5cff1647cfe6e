"""Taking a backup of a running service."""

import os
import tempfile
from importlib.metadata import version
from pathlib import Path

from service_server.backup.archive import write_archive
from service_server.backup.manifest import DATABASE, FORMAT, VAULT_KEY, BackupError, Manifest
from service_server.backup.vault_keys import keys_here, keys_that_open
from service_server.file_sync import sync
from service_server.settings import Settings
from service_server.store import Watch, copies_of
from service_server.store.clock import timestamp

DISTRIBUTION = "integration-functions-service"


def take(settings: Settings, file: Path, *, with_keys: bool, replace: bool, watch: Watch) -> Manifest:
    """
    Write a backup to a file that only its owner can read, and return what it holds.

    The file gets its name once it is whole and on the disk; before that, everything is in a folder beside it, which is
    removed whatever happens. An existing file is kept unless `replace` is set. Raises BackupError, DatabaseUnusable or
    DatabaseAway, and VaultKeyError if the keys that it is to hold don't open the database.
    """
    if str(file) == "-":
        raise BackupError("A backup can't go to standard output: it gets its name once it is whole. Name a file.")
    file = file.absolute()
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent} for the backup.")
    if file.is_dir():
        raise BackupError(f"{file} is a folder. Name a file.")
    _refuse_to_replace(file, replace)
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{file.name}.") as name:
            manifest = _written(settings, Path(name), with_keys, watch)
            _named(Path(name, "backup"), file, replace)
    except OSError as error:
        raise BackupError(f"The backup {file} could not be written: {error.strerror or error}.") from None
    return manifest


def _written(settings: Settings, folder: Path, with_keys: bool, watch: Watch) -> Manifest:
    copies, made_at = copies_of(settings.database_url), timestamp()
    parts = {DATABASE: folder / DATABASE}
    snapshot = copies.take(parts[DATABASE], watch)
    if with_keys:
        keys = keys_that_open(keys_here(settings), snapshot.vault_keys, "this database")
        parts[VAULT_KEY] = folder / VAULT_KEY
        parts[VAULT_KEY].write_text(keys.text() if keys is not None else "")
    manifest = Manifest(
        format=FORMAT,
        release=version(DISTRIBUTION),
        database=copies.kind,
        revision=snapshot.revision,
        made_at=made_at,
        rows=snapshot.rows,
        vault_keys=snapshot.vault_keys,
        parts={},
    )
    backup = folder / "backup"
    os.close(os.open(backup, os.O_CREAT | os.O_EXCL, 0o600))
    manifest = write_archive(backup, manifest, parts, watch)
    sync(backup)
    return manifest


def _named(written: Path, file: Path, replace: bool) -> None:
    if replace:
        written.replace(file)
    else:
        try:
            os.link(written, file)
        except FileExistsError:  # made since we looked, and perhaps gone again
            raise _is_there(file) from None
    sync(file.parent)


def _refuse_to_replace(file: Path, replace: bool) -> None:
    if os.path.lexists(file) and not replace:
        raise _is_there(file)


def _is_there(file: Path) -> BackupError:
    return BackupError(f"{file} is there already. Name another file, or replace it with --force.")
