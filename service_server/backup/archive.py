"""The file itself: a ZIP archive whose manifest holds the size and digest of every other file in it."""

import contextlib
import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from attrs import evolve, frozen

from service_server.backup.manifest import (
    DATABASE,
    MANIFEST,
    MOST_BYTES,
    VAULT_KEY,
    BackupError,
    Manifest,
    Part,
    manifest_of,
)
from service_server.store import Watch

_PIECE = 1024 * 1024
_QUICK = 1  # the fastest of zlib's levels; higher ones take several times as long to save a tenth
# What `zipfile` raises for a damaged archive.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    KeyError,
)
_PARTS = {DATABASE, VAULT_KEY}


def write_archive(path: Path, manifest: Manifest, parts: Mapping[str, Path], watch: Watch) -> Manifest:
    """Pack files into a new archive, and return the manifest with their digests; raises OSError."""
    total, done = sum(file.stat().st_size for file in parts.values()), 0
    packed: dict[str, Part] = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_QUICK) as archive:
        for name, file in parts.items():
            digest, size = hashlib.sha256(), 0
            with file.open("rb") as source, archive.open(name, "w", force_zip64=True) as target:
                while piece := source.read(_PIECE):
                    digest.update(piece)
                    target.write(piece)
                    size += len(piece)
                    done += len(piece)
                    watch(done, total)
            packed[name] = Part(size, digest.hexdigest())
        manifest = evolve(manifest, parts=packed)
        archive.writestr(MANIFEST, manifest.text())
    return manifest


@frozen
class Archive:
    """An archive that is open for reading; whatever is wrong with it raises BackupError."""

    path: Path
    manifest: Manifest
    _zip: zipfile.ZipFile

    def check(self, watch: Watch) -> None:
        """Read everything and compare it with the manifest."""
        for name in self.manifest.parts:
            self._copy(name, None, watch)

    def unpack(self, name: str, path: Path, watch: Watch) -> None:
        """Write a part to a new file; once this returns, the file holds exactly what the manifest says."""
        with path.open("xb") as target:
            self._copy(name, target, watch)

    def text(self, name: str) -> str:
        """Return the text of a small part."""
        with _reading(self.path):
            content = self._zip.open(name).read(MOST_BYTES)
        if hashlib.sha256(content).hexdigest() != self.manifest.parts[name].sha256:
            raise BackupError(f"{self.path} is damaged: {name} is not what the manifest says.")
        return content.decode()

    def _copy(self, name: str, target: IO[bytes] | None, watch: Watch) -> None:
        part = self.manifest.parts[name]
        digest, size = hashlib.sha256(), 0
        with _reading(self.path), self._zip.open(name) as source:
            while piece := source.read(_PIECE):
                digest.update(piece)
                size += len(piece)
                if size > part.bytes:
                    break
                if target is not None:
                    target.write(piece)
                watch(size, part.bytes)
        if size != part.bytes or digest.hexdigest() != part.sha256:
            raise BackupError(f"{self.path} is damaged: {name} is not what the manifest says.")


@contextlib.contextmanager
def opened_archive(path: Path) -> Iterator[Archive]:
    """Open a backup and read its manifest."""
    with contextlib.ExitStack() as stack:
        with _reading(path):
            archive = stack.enter_context(zipfile.ZipFile(path))
            try:
                if archive.getinfo(MANIFEST).file_size > MOST_BYTES:
                    raise BackupError("its manifest is too large")
                manifest = manifest_of(archive.read(MANIFEST))
                if DATABASE not in manifest.parts or not manifest.parts.keys() <= _PARTS:
                    raise BackupError("its manifest names other parts than a backup has")
            except BackupError as error:
                raise BackupError(f"{path} can't be used: {error}.") from None
        yield Archive(path, manifest, archive)


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGED:
        raise BackupError(f"{path} is damaged, or no backup of this service.") from None
