"""Turning a backup into a service again, and finding out whether that would work."""

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from service_server.backup.archive import Archive, opened_archive
from service_server.backup.manifest import DATABASE, VAULT_KEY, BackupError, Manifest
from service_server.backup.vault_keys import keys_here, keys_that_open
from service_server.file_sync import sync
from service_server.settings import Settings
from service_server.store import CutOff, Database, Watch, copies_of, end_what_was_under_way
from service_server.store.migrations import known_revisions, upgrade
from service_server.vault import KeyFile, Keys, VaultKeyError, keys_from_text


@frozen
class Restored:
    """What was restored, what was under way when the backup was made, and whether it brought the vault's keys."""

    manifest: Manifest
    cut_off: CutOff
    wrote_keys: bool


def check(file: Path, watch: Watch) -> Manifest:
    """Read a whole backup and compare it with its manifest, and with what this release can restore."""
    with opened_archive(file) as archive:
        _refuse_newer(archive)
        archive.check(watch)
        return archive.manifest


def restore(settings: Settings, file: Path, watch: Watch) -> Restored:
    """
    Restore a backup into an empty place, and bring its schema up to date; runs event loops of its own.

    Everything that can be checked first is checked first. If it fails later, the place is empty again. Raises
    BackupError, VaultKeyError, DatabaseUnusable or DatabaseAway.
    """
    with opened_archive(file) as archive:
        manifest = archive.manifest
        copies = copies_of(settings.database_url)
        if manifest.database != copies.kind:
            raise BackupError(
                f"{file} is a backup of a {manifest.database} database, and {copies.name} is one of {copies.kind}. A "
                "backup is restored into the kind of database that it was taken of."
            )
        _refuse_newer(archive)
        copies.refuse_unless_empty()
        brought = _brought_keys(settings, archive)
        folder = copies.folder(settings.data_directory)
        try:
            with tempfile.TemporaryDirectory(dir=folder, prefix=".restore.") as name:
                copy = Path(name, DATABASE)
                archive.unpack(DATABASE, copy, watch)
                with _key_file(settings, brought), copies.put(copy, watch) as url:
                    upgrade(url, wait_seconds=settings.migration_wait_seconds)
                    cut_off = asyncio.run(_ended(url))
        except OSError as error:
            raise BackupError(f"{file} could not be restored into {folder}: {error.strerror or error}.") from None
    return Restored(manifest, cut_off, brought is not None)


def _refuse_newer(archive: Archive) -> None:
    known = known_revisions()
    if archive.manifest.revision not in known:
        raise BackupError(
            f"{archive.path} was made by release {archive.manifest.release:.40}, and its schema "
            f"{archive.manifest.revision:.40} is newer than this release knows, which is {known[-1]}. Restore it with "
            "that release, or a newer one."
        )


def _brought_keys(settings: Settings, archive: Archive) -> Keys | None:
    """The keys of the backup that are to be written; None if the keys here open it, or if nothing is sealed."""
    here, what = keys_here(settings), f"the backup {archive.path}"
    if here is None and archive.manifest.holds_keys:
        text = archive.text(VAULT_KEY)
        here = keys_from_text(text) if text else None
        return keys_that_open(here, archive.manifest.vault_keys, what)
    try:
        keys_that_open(here, archive.manifest.vault_keys, what)
    except VaultKeyError as error:
        if not archive.manifest.holds_keys or settings.vault_key is not None:
            raise
        raise VaultKeyError(
            f"{error} Or move {settings.vault_key_file} away: the backup holds the keys that it needs."
        ) from None
    return None


@contextlib.contextmanager
def _key_file(settings: Settings, keys: Keys | None) -> Iterator[None]:
    """
    Have the keys in their file before a database needs them; remove them again if that fails.

    Keys that somebody else has put there in the meantime are neither used nor removed.
    """
    file = KeyFile(settings.vault_key_file)
    if keys is not None and not file.create(keys):
        raise BackupError(
            f"Something else has just written {file.path}: another restore, or a service that started. Stop that, and "
            "restore again once you know whose keys these are."
        )
    try:
        yield
    except BaseException:
        if keys is not None:
            file.path.unlink(missing_ok=True)
            sync(file.path.parent)
        raise


async def _ended(url: str) -> CutOff:
    database = Database(url)
    await database.open()
    try:
        return await end_what_was_under_way(database)
    finally:
        await database.close()
