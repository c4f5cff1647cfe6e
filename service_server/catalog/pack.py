"""
The parsed and checked form of a directory's connectors in one file, so that the next start needn't read the others.

A pack is records, then an index of them, then a trailer. A record is JSON, an icon, or the text of a connector's hooks,
which is checked whenever it is compiled. It is written beside its place and moved there, and never changed afterwards:
a process that has one open goes on with what it opened.
It is only ever a shortcut; one that is missing, torn, altered or of another version is left aside.
"""

import contextlib
import hashlib
import io
import json
import os
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import structlog
from attrs import evolve, frozen

from service_client.models import FunctionType

Place: TypeAlias = tuple[int, int]
"""Where a record is in its pack: offset and length in bytes."""

_MAGIC = b"connector pack 1\n"
_DIGEST_BYTES = 32
_TRAILER_BYTES = _DIGEST_BYTES + 8
_CHUNK = 1024 * 1024
_UNFINISHED_SECONDS = 3600
_UNUSED_SECONDS = 30 * 24 * 3600

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Entry:
    """
    One connector in a pack.

    `digest` is that of its folder's contents and `signature` what the file system said of them, None where it could
    not be relied on. `functions` has, by short name, the type and the place of each function's file.
    """

    digest: str
    signature: str | None
    connector: Place
    icon: Place
    hooks: Place | None
    functions: Mapping[str, tuple[FunctionType, int, int]]


@frozen(kw_only=True)
class Parsed:
    """What the files of a connector's folder say, in plain values, after they were checked."""

    connector: dict[str, Any]
    icon: bytes
    hooks: bytes | None
    functions: Mapping[str, dict[str, Any]]


class Pack:
    """Connectors of one directory, by name; records are read when they are asked for."""

    def __init__(self, file: BinaryIO, entries: Mapping[str, Entry]) -> None:
        self.entries = entries
        self._file = file
        self._turn = threading.Lock()
        weakref.finalize(self, file.close)  # whoever still has a connector of it may read on

    def read(self, place: Place) -> bytes:
        """Return a record."""
        offset, length = place
        with self._turn:
            self._file.seek(offset)
            content = self._file.read(length)
        if len(content) != length:
            raise OSError("a pack of connectors has been cut off while it was open")
        return content

    def value(self, place: Place) -> dict[str, Any]:
        """Return a record that holds a JSON object."""
        value: dict[str, Any] = json.loads(self.read(place))
        return value


EMPTY = Pack(io.BytesIO(), {})


def open_pack(path: Path | None, rules: str) -> Pack:
    """Return the pack in a file, an empty one where it can't be used; `rules` is the version it must be of."""
    if path is None:
        return EMPTY
    try:
        file = path.open("rb", buffering=0)
    except FileNotFoundError:
        return EMPTY
    except OSError as error:
        _LOG.warning("catalogue_cache.unreadable", file=str(path), reason=error.strerror)
        return EMPTY
    try:
        if not _is_own(file):
            raise ValueError("others may write it")
        pack = Pack(file, _read_index(file, rules))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        file.close()
        if not isinstance(error, _OtherRules):
            _LOG.warning("catalogue_cache.damaged", file=str(path))
        return EMPTY
    with contextlib.suppress(OSError):
        os.utime(path)  # it is in use
    return pack


def _is_own(file: BinaryIO) -> bool:
    """Whether nobody else can have written the file: it says where requests with credentials go."""
    status = os.fstat(file.fileno())
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


class _OtherRules(ValueError):
    """The pack is of another version."""


def _read_index(file: BinaryIO, rules: str) -> dict[str, Entry]:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TRAILER_BYTES))
    trailer = file.read(_TRAILER_BYTES)
    index_bytes = int.from_bytes(trailer[_DIGEST_BYTES:], "big")
    file.seek(0)
    digest = hashlib.sha256()
    left = size - _TRAILER_BYTES
    if left < len(_MAGIC) + index_bytes:
        raise ValueError("too short")
    while left:
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            raise ValueError("cut off")
        digest.update(chunk)
        left -= len(chunk)
    digest.update(trailer[_DIGEST_BYTES:])
    if digest.digest() != trailer[:_DIGEST_BYTES]:
        raise ValueError("altered")
    file.seek(0)
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("something else")
    file.seek(size - _TRAILER_BYTES - index_bytes)
    index = json.loads(file.read(index_bytes))
    if index["rules"] != rules:
        raise _OtherRules
    return {
        name: Entry(
            digest=digest, signature=signature, connector=connector, icon=icon, hooks=hooks, functions=functions
        )
        for name, (digest, signature, connector, icon, hooks, functions) in index["entries"].items()
    }


class PackWriter:
    """Writes a pack, to a file or to memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._offset = 0
        self._entries: dict[str, Entry] = {}
        self._write(_MAGIC)

    def add(self, name: str, parsed: Parsed, digest: str, signature: str | None) -> None:
        """Add a connector that has just been read."""
        self._entries[name] = Entry(
            digest=digest,
            signature=signature,
            connector=self._write_value(parsed.connector),
            icon=self._write(parsed.icon),
            hooks=None if parsed.hooks is None else self._write(parsed.hooks),
            functions={
                stem: (value["type"], *self._write_value(value)) for stem, value in sorted(parsed.functions.items())
            },
        )

    def copy(self, name: str, entry: Entry, pack: Pack) -> None:
        """Add a connector that another pack has."""
        self._entries[name] = evolve(
            entry,
            connector=self._write(pack.read(entry.connector)),
            icon=self._write(pack.read(entry.icon)),
            hooks=None if entry.hooks is None else self._write(pack.read(entry.hooks)),
            functions={
                stem: (kind, *self._write(pack.read((offset, length))))
                for stem, (kind, offset, length) in entry.functions.items()
            },
        )

    def finish(self, rules: str) -> Pack:
        """Write the index and return the pack, which reads from the same file."""
        entries = {
            name: (each.digest, each.signature, each.connector, each.icon, each.hooks, each.functions)
            for name, each in sorted(self._entries.items())
        }
        _, index_bytes = self._write(_json({"rules": rules, "entries": entries}))
        length = index_bytes.to_bytes(8, "big")
        self._digest.update(length)
        self._file.write(self._digest.digest() + length)
        self._file.flush()
        return Pack(self._file, dict(sorted(self._entries.items())))

    def _write(self, content: bytes) -> Place:
        place = (self._offset, len(content))
        self._file.write(content)
        self._digest.update(content)
        self._offset += len(content)
        return place

    def _write_value(self, value: Any) -> Place:
        return self._write(_json(value))


def write_pack(path: Path | None, rules: str, fill: Callable[[PackWriter], None]) -> Pack:
    """
    Write what `fill` adds to a pack, which takes the place of the one at `path`, and return it.

    Without a path, or where it can't be written, it is kept in memory; `fill` may be called once more for that.
    """
    if path is not None:
        try:
            return _write_file(path, rules, fill)
        except OSError as error:
            _LOG.warning("catalogue_cache.not_written", file=str(path), reason=error.strerror)
    writer = PackWriter(io.BytesIO())
    fill(writer)
    return writer.finish(rules)


def _write_file(path: Path, rules: str, fill: Callable[[PackWriter], None]) -> Pack:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_left_over(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    file = os.fdopen(descriptor, "w+b")
    try:
        writer = PackWriter(file)
        fill(writer)
        pack = writer.finish(rules)
        os.replace(temporary, path)  # noqa: PTH105 - what is open stays open
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        with contextlib.suppress(OSError):
            file.close()  # which writes what is left
        raise
    return pack


def _remove_left_over(path: Path) -> None:
    """Delete what processes that were killed had begun to write, and packs of directories that nobody reads."""
    for file in path.parent.glob("connectors-*.pack*"):
        longest = _UNUSED_SECONDS if file.suffix == path.suffix else _UNFINISHED_SECONDS
        with contextlib.suppress(OSError):
            if file != path and file.stat().st_mtime < time.time() - longest:
                file.unlink()


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
