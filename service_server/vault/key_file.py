"""The file that holds the vault's keys: read, watched for changes, and only ever replaced as a whole."""

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from service_server.file_sync import sync
from service_server.vault.keys import Keys, VaultKeyError, keys_from_text

Stamp = tuple[int, int, int]


class KeyFile:
    """A file with one key a line; the first one seals."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exists(self) -> bool:
        """Whether there is such a file."""
        return self.path.exists()

    def read(self) -> Keys:
        """The keys; VaultKeyError names the file and what is wrong with it, never its content."""
        try:
            text = self.path.read_text()
        except OSError as error:
            raise VaultKeyError(f"{self.path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise VaultKeyError(f"{self.path}: the vault key is not text") from None
        return named_keys(str(self.path), text)

    def stamp(self) -> Stamp | None:
        """A value that differs after every replacement of the file; None if there is no file."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ino, status.st_size

    def written_at(self) -> float:
        """When the file was last replaced, in seconds since the epoch."""
        return self.path.stat().st_mtime

    def create(self, keys: Keys) -> bool:
        """Write a new file (mode 0600); False if there is one, since another process that starts now was first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_ours = False
        with self._prepared(self.path, keys) as prepared, contextlib.suppress(FileExistsError):
            os.link(prepared, self.path)
            is_ours = True
        sync(self.path.parent)
        return is_ours

    def replace(self, keys: Keys) -> None:
        """
        Put other keys into the file: a crash at any moment leaves the old file or the new one, on the disk and whole.

        Owner and mode stay, since the service may run as a different user from the one who rotates.
        """
        path = self.path.resolve()  # a link to the file stays a link
        before = path.stat()
        with self._prepared(path, keys) as prepared:
            if (before.st_uid, before.st_gid) != (prepared.stat().st_uid, prepared.stat().st_gid):
                os.chown(prepared, before.st_uid, before.st_gid)
            prepared.chmod(stat.S_IMODE(before.st_mode))
            prepared.replace(path)
        sync(path.parent)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other rotation of this file out; VaultKeyError if one is under way."""
        path = self.path.with_name(f"{self.path.name}.lock")
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with this process, however that ends
            except BlockingIOError:
                raise VaultKeyError(
                    "Another rotation of this vault's key is under way. Wait until it has ended."
                ) from None
            yield
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def _prepared(self, path: Path, keys: Keys) -> Iterator[Path]:
        """A file with the keys beside `path`, on the disk; removed afterwards unless it was renamed."""
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")  # mode 0600
        prepared = Path(name)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(keys.text())
                file.flush()
                os.fsync(file.fileno())
            yield prepared
        finally:
            prepared.unlink(missing_ok=True)


def named_keys(source: str, text: str) -> Keys:
    """Read keys; errors name where they came from."""
    try:
        return keys_from_text(text)
    except VaultKeyError as error:
        raise VaultKeyError(f"{source}: {error}") from None
