"""Connector folders on disk: which there are, and whether one has changed since it was last read."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from service_server.catalog.problems import Problem

CONNECTOR_FILE = "connector.yaml"
HOOKS_FILE = "hooks.py"
ICON_FILE = "icon.svg"
FUNCTIONS = "functions"

# A file may change once more within the same tick of the file system's clock, so that its times don't show it. Git
# meets the same in its index: https://git-scm.com/docs/racy-git
_UNSETTLED_NANOSECONDS = 2_000_000_000


def file_of_function(stem: str) -> str:
    """Return the name of a function's file in its connector's folder."""
    return f"{FUNCTIONS}/{stem}.yaml"


@frozen
class Signature:
    """What the file system tells of a folder's files unread; two equal `settled` ones mean equal contents."""

    text: str
    settled: bool


def connector_folders(directory: Path, problems: list[Problem]) -> Iterator[Path]:
    """Yield the connector folders below a directory by name; add what looks like one but is none to the problems."""
    try:
        names = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
    except OSError:
        problems.append(Problem(directory, 0, "", "is not a directory of connectors"))
        return
    for name in names:
        folder = directory / name
        if os.path.isfile(f"{directory}/{name}/{CONNECTOR_FILE}"):  # noqa: PTH113 - a tenth of the time of Path's
            yield folder
        elif (folder / FUNCTIONS).is_dir() or any(folder.glob("*.y*ml")):
            problems.append(Problem(folder, 0, "", f"looks like a connector but has no {CONNECTOR_FILE}"))


def signature_of(folder: Path) -> Signature:
    """Return the signature of a folder's files: names, sizes, times and inodes."""
    found: list[tuple[str, int, int, int, int]] = []
    newest = 0
    for name, path in _files(folder):
        try:
            status = os.stat(path)  # noqa: PTH116 - as above
        except OSError:
            found.append((name, -1, 0, 0, 0))
            continue
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
        found.append((name, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
    text = hashlib.blake2b(repr(found).encode(), digest_size=16).hexdigest()
    return Signature(text, newest + _UNSETTLED_NANOSECONDS < time.time_ns())


def content_digest(folder: Path) -> str:
    """Return a digest of the names and contents of a folder's files."""
    digest = hashlib.sha256()
    for name, path in _files(folder):
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            content = f"unreadable {error.errno}".encode()
        digest.update(f"{name!r} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(folder: Path) -> list[tuple[str, str]]:
    """The names and paths of all files that may belong to a connector, the functions' included, sorted."""
    found = []
    for prefix, directory in (("", str(folder)), (f"{FUNCTIONS}/", f"{folder}/{FUNCTIONS}")):
        with suppress(OSError), os.scandir(directory) as entries:
            others = [(prefix + entry.name, entry.path) for entry in entries if not entry.name.startswith((".", "__"))]
            found += [(name, path) for name, path in others if name != FUNCTIONS]
    return sorted(found)
