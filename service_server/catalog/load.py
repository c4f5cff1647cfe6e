"""Loads connectors from their folders, or from what is kept of them since they were last read and checked."""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache as cached
from importlib.metadata import version
from pathlib import Path

import yaml
from attrs import evolve

from service_server.catalog.catalog import Catalog
from service_server.catalog.connector_folder import check_folder
from service_server.catalog.folders import CONNECTOR_FILE, connector_folders, content_digest, signature_of
from service_server.catalog.pack import EMPTY, Entry, Files, Pack, open_pack, write_pack
from service_server.catalog.problems import CatalogError, Problem
from service_server.catalog.values import Connector

SHIPPED = Path(__file__).parent.parent / "connectors"

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def load_catalog(directories: Sequence[Path], cache: Path | None = None) -> Catalog:
    """Return the catalogue of all connectors below the given directories, as `load_packs` does."""
    return Catalog(tuple(load_packs(directories, cache).values()))


def load_packs(directories: Iterable[Path], cache: Path | None) -> dict[Path, Pack]:
    """Return the connectors of each directory; raise `CatalogError` with all the problems of all files, sorted."""
    problems: list[Problem] = []
    packs = {directory: load_pack(directory, cache, problems) for directory in directories}
    problems += doubles(packs.items())
    if problems:
        raise CatalogError(sorted(problems))
    return packs


def load_connector(folder: Path) -> tuple[Connector | None, list[Problem]]:
    """Read one connector's folder; the connector is None where there are problems."""
    problems: list[Problem] = []
    read = _read(folder, problems)
    if read is None:
        return None, problems
    name = folder.absolute().name
    return Catalog([write_pack(None, "", lambda: [(name, *read)])]).connector(name), problems


def connector_named(directories: Sequence[Path], name: str) -> Connector | None:
    """Read the connector of a name alone, None where there is none; CatalogError for what is wrong with it."""
    if not _NAME.match(name):
        return None
    folders = [directory / name for directory in directories if (directory / name / CONNECTOR_FILE).is_file()]
    if not folders:
        return None
    connector, problems = load_connector(folders[0])
    problems = [*problems, *(double(folder, folders[0]) for folder in folders[1:])]
    if problems:
        raise CatalogError(sorted(problems))
    return connector


def doubles(packs: Iterable[tuple[Path, Pack]]) -> Iterator[Problem]:
    """Yield a problem for each app that an earlier directory has, too."""
    found: dict[str, Path] = {}
    for directory, pack in packs:
        for name in pack.entries:
            if (first := found.setdefault(name, directory / name)) != directory / name:
                yield double(directory / name, first)


def double(folder: Path, other: Path) -> Problem:
    """
    Return the problem of a folder that has the name of another connector's.

    None of the two takes the other's place: accounts that one has connected would be sent to where the other says.
    """
    where = "among those that come with the service" if other.parent == SHIPPED else f"in {other}"
    message = f"there is another connector named '{folder.name}', {where}; rename this folder, and the 'name' in it"
    return Problem(folder / CONNECTOR_FILE, 1, "name", message)


def shipped_double(folder: Path) -> Problem | None:
    """Return the problem of a folder that has the name of a connector that comes with the service."""
    folder = folder.resolve()
    shipped = SHIPPED / folder.name
    is_one = folder.parent == SHIPPED.resolve() or not (shipped / CONNECTOR_FILE).is_file()
    return None if is_one else double(folder, shipped)


def load_pack(directory: Path, cache: Path | None, problems: list[Problem], last: Pack | None = None) -> Pack:
    """
    Return the connectors of one directory; reads and checks only what has changed.

    Those with problems are left out, or kept as they are in the `last` pack of the directory, if there is one.
    """
    if last is not None and not directory.is_dir():
        problems.append(Problem(directory, 0, "", "is gone; its connectors stay as they were"))
        return last
    digest = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()
    path = None if cache is None else cache / f"connectors-{digest[:16]}.pack"
    known = open_pack(path, rules_digest()) if last is None else last
    listing: list[Problem] = []
    kept: dict[str, Entry] = {}
    fresh: list[Path] = []
    for folder in connector_folders(directory, listing):
        entry = _as_it_is(folder, known.entries.get(folder.name))
        if entry is None:
            fresh.append(folder)
        else:
            kept[folder.name] = entry
    faulty = {problem.file.name for problem in listing}
    kept |= {name: entry for name, entry in (last or EMPTY).entries.items() if name in faulty}
    problems += listing
    if not fresh and kept == known.entries:
        return known
    found: list[Problem] = []

    def connectors() -> Iterator[tuple[str, Entry, Files]]:
        found.clear()
        for name, entry in kept.items():
            yield name, entry, known.files(name)
        for folder in fresh:
            name = folder.name
            if (added := _read(folder, found)) is not None:
                yield name, *added
            elif last is not None and name in last.entries:
                yield name, last.entries[name], last.files(name)

    pack = write_pack(path, rules_digest(), connectors)
    problems += found
    return pack


@cached
def rules_digest() -> str:
    """Return a digest of everything that decides what a connector's files mean and whether they are right."""
    return digest_of_rules(Path(__file__).parent)


def digest_of_rules(package: Path) -> str:
    """Return the digest of the rules in this package, the ones it builds upon and the libraries that apply them."""
    digest = hashlib.sha256(f"{yaml.__version__} {version('jsonschema-rs')} {sys.version}".encode())
    files = (*package.rglob("*.py"), *package.rglob("*.json"), *(package.parent / "onward").glob("*.py"))
    for file in sorted(files):
        digest.update(f"{file.name} ".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _as_it_is(folder: Path, entry: Entry | None) -> Entry | None:
    """Return the entry of a folder that hasn't changed since, with its present signature."""
    if entry is None:
        return None
    signature = signature_of(folder)
    if signature.settled and signature.text == entry.signature:
        return entry
    if content_digest(folder) != entry.digest or signature_of(folder).text != signature.text:
        return None
    return evolve(entry, signature=signature.text if signature.settled else None)


def _read(folder: Path, problems: list[Problem]) -> tuple[Entry, Files] | None:
    """Read and check a folder, and return what a pack has of it; None where it has problems."""
    signature, digest = signature_of(folder), content_digest(folder)
    checked, found = check_folder(folder)
    problems += found
    if checked is None:
        return None
    # What is changed while it is read is read again next time.
    same = signature.text == signature_of(folder).text and digest == content_digest(folder)
    entry = Entry(
        digest=digest if same else "",
        signature=signature.text if same and signature.settled else None,
        functions={stem: function.type for stem, function in checked.functions.items()},
    )
    return entry, checked.files
