"""The cache of the catalogue: a shortcut that no change gets past, and that costs nothing but time when it is gone."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service_server.catalog import catalog as catalog_module
from service_server.catalog import load
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import SHIPPED, load_catalog, load_connector
from service_server.catalog.problems import CatalogError
from service_server.catalog.values import Connector
from tests.service_server.catalog.connector_folder import ConnectorFolder, connector_with, parameter
from tests.service_server.catalog.test_hooks import with_hooks

pytestmark = pytest.mark.slow

LONG_AGO = 1_600_000_000


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with two connectors."""
    directory = tmp_path / "connectors"
    for name in ("acme", "zenith"):
        folder = connector_with(name=name)
        folder.functions["find"]["parameters"]["properties"]["text"] = parameter()
        folder.functions["find"]["request"]["query"] = {"q": "${args.text?}"}
        folder.write(directory, name)
    return directory


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Where the cache is."""
    return tmp_path / "cache"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are read and checked, by name, in their order."""
    names: list[str] = []

    def noted(folder: Path) -> Any:
        names.append(folder.name)
        return unnoted(folder)

    unnoted = load.check_folder
    monkeypatch.setattr(load, "check_folder", noted)
    return names


def told(catalog: Catalog) -> dict[str, Any]:
    """Everything that people can see of a catalogue."""
    return {name: told_of(connector) for name, connector in catalog.connectors.items()}


def told_of(connector: Connector) -> tuple[Any, ...]:
    """Everything that people can see of an app."""
    functions = [
        (function.public("icon", connector.title, include_meta=True), function.examples, function.sensitive)
        for function in connector.functions.values()
    ]
    return connector.title, connector.icon, connector.variables, connector.docs_url, connector.retry, functions


def files_of(directory: Path) -> list[Path]:
    """The files below a directory."""
    return sorted(path for path in directory.rglob("*") if path.is_file())


def let_settle(monkeypatch: pytest.MonkeyPatch, seconds: float = 10) -> None:
    """Go on as if some time had passed since the files were written."""
    now = time.time_ns()
    monkeypatch.setattr("service_server.catalog.folders.time.time_ns", lambda: now + int(seconds * 1e9))


def test_what_has_not_changed_is_neither_read_nor_checked_again(
    directory: Path, cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second start takes everything from the cache, and it is the same."""
    let_settle(monkeypatch)
    first = load_catalog([directory], cache)
    assert ["acme", "zenith"] == read
    monkeypatch.setattr(load, "content_digest", None)  # by the file system's word alone

    second = load_catalog([directory], cache)

    assert ["acme", "zenith"] == read
    assert told(first) == told(second)


def test_the_shipped_connectors_come_out_of_the_cache_as_they_went_in(cache: Path) -> None:
    """Apps, forms, examples and icons are the same with a cache, usually the one that tests share, and without."""
    shared = Path(os.environ.get("SERVICE_CACHE_DIR", cache))
    load_catalog([SHIPPED], shared)
    catalog = load_catalog([SHIPPED], shared)
    folders = sorted(folder for folder in SHIPPED.iterdir() if folder.is_dir())

    assert [folder.name for folder in folders] == list(catalog.connectors)
    for folder in folders:
        connector, _ = load_connector(folder)
        assert connector is not None
        assert told_of(connector) == told_of(catalog.connectors[folder.name])


def test_files_that_were_only_touched_are_not_checked_again(
    directory: Path, cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal contents under other times, as in a new container, are recognised, and their times are noted."""
    load_catalog([directory], cache)
    for file in files_of(directory):
        os.utime(file, (LONG_AGO, LONG_AGO))
    let_settle(monkeypatch)

    load_catalog([directory], cache)
    monkeypatch.setattr(load, "content_digest", None)
    load_catalog([directory], cache)

    assert ["acme", "zenith"] == read


def test_a_change_right_after_reading_is_noticed(directory: Path, cache: Path) -> None:
    """Two versions of one size that were written at the same time by the file system's clock are told apart."""
    file = directory / "acme" / "connector.yaml"
    load_catalog([directory], cache)
    status = file.stat()
    file.write_text(file.read_text().replace("An app.", "An ape."))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert "An ape." == load_catalog([directory], cache).connectors["acme"].description


@pytest.mark.parametrize("change", ["edited", "added", "removed", "renamed", "icon", "linked"])
def test_each_kind_of_change_is_noticed(
    directory: Path, cache: Path, read: list[str], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the folder that has changed is read again, however it was changed and with whatever time of change."""
    before = told(load_catalog([directory], cache))
    read.clear()
    find = directory / "acme" / "functions" / "find.yaml"
    status = find.stat()
    if change == "edited":
        find.write_text(find.read_text().replace("Find things.", "Find thangs."))
        os.utime(find, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "added":
        shutil.copy2(find, find.with_name("look.yaml"))
    elif change == "removed":
        find.unlink()
    elif change == "renamed":
        find.rename(find.with_name("look.yaml"))
    elif change == "icon":
        icon = directory / "acme" / "icon.svg"
        icon.write_text(icon.read_text().replace("0 0 1 1", "0 0 2 2"))
    else:
        elsewhere = directory.parent / "find.yaml"
        elsewhere.write_text(find.read_text().replace("Find things.", "Find thangs."))
        find.unlink()
        find.symlink_to(elsewhere)
    let_settle(monkeypatch)

    after = told(load_catalog([directory], cache))

    assert ["acme"] == read
    assert before["zenith"] == after["zenith"]
    assert before["acme"] != after["acme"]
    assert told(load_catalog([directory])) == after


def test_hooks_are_kept_and_a_change_of_them_is_noticed(tmp_path: Path, cache: Path) -> None:
    """A connector's hooks come out of the cache, and their file is watched like the others."""
    directory = tmp_path / "hooked"
    hooks = with_hooks().write(directory) / "hooks.py"
    body = {"names": ["id"], "rows": [[1]]}

    def picked() -> list[Any]:
        catalogs = [load_catalog([directory], cache) for _ in range(2)]
        return [each.connectors["acme"].functions["acme-find"].pick(body) for each in catalogs]

    assert [[{"id": 1}], [{"id": 1}]] == picked()
    hooks.write_text(hooks.read_text().replace('for row in body["rows"]', 'for row in body["rows"] * 2'))
    assert [[{"id": 1}, {"id": 1}], [{"id": 1}, {"id": 1}]] == picked()


def test_folders_that_come_and_go_are_noticed(directory: Path, cache: Path, read: list[str]) -> None:
    """A new folder is read, one that is gone is forgotten, and the others are left alone."""
    load_catalog([directory], cache)
    read.clear()
    shutil.rmtree(directory / "zenith")
    connector_with(name="beta").write(directory, "beta")

    assert ["acme", "beta"] == list(load_catalog([directory], cache).connectors)
    assert ["beta"] == read


def test_a_folder_with_problems_is_told_each_time(directory: Path, cache: Path) -> None:
    """What is wrong is never cached, neither as right nor as known."""
    load_catalog([directory], cache)
    file = directory / "acme" / "functions" / "find.yaml"
    file.write_text(file.read_text().replace("title: Find", "titel: Find"))
    for _ in range(2):
        with pytest.raises(CatalogError, match=r"find\.yaml:\d+: titel: unknown key 'titel'; did you mean 'title'"):
            load_catalog([directory], cache)


def test_other_rules_make_another_cache(
    directory: Path, cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update of the service or of a library that checks files, everything is checked again."""
    load_catalog([directory], cache)
    read.clear()
    monkeypatch.setattr(load, "rules_digest", lambda: "other")

    load_catalog([directory], cache)
    load_catalog([directory], cache)

    assert ["acme", "zenith"] == read


def test_the_rules_are_all_files_of_the_catalogue_and_its_schemas(tmp_path: Path) -> None:
    """A change of any file of the package, schemas included, changes the version of the cache."""
    package = Path(load.__file__).parent
    copied = tmp_path / "catalog"
    shutil.copytree(package, copied)
    shutil.copytree(package.parent / "onward", tmp_path / "onward")
    seen = {load.digest_of_rules(copied)}
    files = [file for file in files_of(tmp_path) if file.suffix in (".py", ".json")]
    for file in files:
        file.write_text(file.read_text() + " ")
        seen.add(load.digest_of_rules(copied))

    assert {"connector.schema.json", "function.schema.json", "load.py"} <= {file.name for file in files}
    assert len(files) + 1 == len(seen)


@pytest.mark.parametrize("damage", ["missing", "empty", "directory", "unreadable"])
def test_a_cache_that_can_not_be_used_costs_only_time(
    directory: Path, cache: Path, damage: str, read: list[str]
) -> None:
    """Without a usable cache everything is read, and the next start has a cache again where one can be written."""
    whole = told(load_catalog([directory], cache))
    (pack,) = cache.iterdir()
    if damage == "missing":
        shutil.rmtree(cache)
    elif damage == "empty":
        pack.write_bytes(b"")
    elif damage == "directory":
        pack.unlink()
        pack.mkdir()
    else:
        shutil.rmtree(cache)
        cache.write_text("a file where the directory should be")
    read.clear()

    assert whole == told(load_catalog([directory], cache))
    if damage in ("missing", "empty"):
        load_catalog([directory], cache)
        assert ["acme", "zenith"] == read


def test_a_full_disk_costs_only_time(directory: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that can't be written to its end leaves nothing behind, and the catalogue is whole."""
    expected = told(load_catalog([directory]))
    connect = sqlite3.connect

    def of_two_pages(name: str, **options: Any) -> sqlite3.Connection:
        database = connect(name, **options)
        if name != ":memory:":
            database.execute("PRAGMA max_page_count = 2")
        return database

    monkeypatch.setattr("service_server.catalog.pack.sqlite3.connect", of_two_pages)

    assert expected == told(load_catalog([directory], cache))
    assert [] == list(cache.iterdir())


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, bytes, dict[str, Any]]]:
    """A directory of connectors, its pack, and what it tells."""
    directory = tmp_path_factory.mktemp("packed")
    ConnectorFolder().write(directory)
    with tempfile.TemporaryDirectory() as cache:
        catalog = load_catalog([directory], Path(cache))
        (pack,) = Path(cache).iterdir()
        yield directory, pack.read_bytes(), told(catalog)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_to_the_cache_is_survived(packed: tuple[Path, bytes, dict[str, Any]], data: st.DataObject) -> None:
    """Whatever bytes of a pack are altered, left out or added, the catalogue is the same."""
    directory, content, expected = packed
    start = data.draw(st.integers(0, len(content) - 1), label="start")
    end = data.draw(st.integers(start, min(len(content), start + 40)), label="end")
    put = data.draw(st.binary(max_size=40), label="put in its place")
    with tempfile.TemporaryDirectory() as cache:
        load_catalog([directory], Path(cache))
        (pack,) = Path(cache).iterdir()
        pack.write_bytes(content[:start] + put + content[end:])

        assert expected == told(load_catalog([directory], Path(cache)))


def test_a_process_goes_on_with_the_catalogue_it_opened(directory: Path, cache: Path) -> None:
    """What another process writes to the cache or deletes from it doesn't change what this one compiles later."""
    catalog = load_catalog([directory], cache)
    file = directory / "acme" / "functions" / "find.yaml"
    file.write_text(file.read_text().replace("Find things.", "Find other things."))
    another = load_catalog([directory], cache)
    shutil.rmtree(cache)

    assert ["Find other things.", "Find things."] == [
        each.connectors["acme"].functions["acme-find"].description for each in (another, catalog)
    ]


def test_the_cache_is_its_owners_alone(directory: Path, cache: Path, read: list[str]) -> None:
    """A pack says where credentials go, so one that somebody else can have written is not believed."""
    load_catalog([directory], cache)
    (pack,) = cache.iterdir()
    assert (0o700, 0o600) == (cache.stat().st_mode & 0o777, pack.stat().st_mode & 0o777)
    pack.chmod(0o666)
    read.clear()

    load_catalog([directory], cache)
    assert ["acme", "zenith"] == read
    assert 0o600 == next(cache.iterdir()).stat().st_mode & 0o777


def test_what_nobody_uses_any_more_is_cleared_up(directory: Path, cache: Path) -> None:
    """What killed processes left unfinished goes after an hour, packs of other directories after a month."""
    load_catalog([directory], cache)
    (own,) = cache.iterdir()
    now = time.time()
    ages = {
        f"{own.name}.abc": 2 * 3600,
        f"{own.name}.def": 60,
        "connectors-old.pack": 40 * 24 * 3600,
        "connectors-new.pack": 20 * 24 * 3600,
        "something-else": 90 * 24 * 3600,
    }
    for name, age in ages.items():
        (cache / name).write_text("")
        os.utime(cache / name, (now - age, now - age))
    os.utime(own, (now - 90 * 24 * 3600,) * 2)
    load_catalog([directory], cache)
    assert own.stat().st_mtime > now - 3600
    connector_with(name="beta").write(directory, "beta")
    load_catalog([directory], cache)

    expected = {own.name, f"{own.name}.def", "connectors-new.pack", "something-else"}
    assert expected == {file.name for file in cache.iterdir()}


def test_a_catalogue_that_is_replaced_while_it_is_read(directory: Path, tmp_path: Path) -> None:
    """Whoever goes through it finds all that it held, though the other one has nothing of that."""
    catalog = load_catalog([directory])
    begun = iter(catalog.connectors.items())
    first = next(begun)
    (tmp_path / "empty").mkdir()
    catalog.replace(load_catalog([tmp_path / "empty"]))

    assert ["acme", "zenith"] == [first[0], *(name for name, _ in begun)]
    assert ([], ()) == (list(catalog.connectors), tuple(catalog.names()))


def test_the_rest_of_a_catalogue_is_not_compiled(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing names, and using one app, compiles none of the others."""
    compiled: list[str] = []
    original = catalog_module._compiled

    def noted(entries: Any, defined: Any, name: str) -> Any:
        compiled.append(name)
        return original(entries, defined, name)

    monkeypatch.setattr(catalog_module, "_compiled", noted)
    catalog = load_catalog([directory])

    assert 4 == len(catalog.names())
    assert ("acme-find", "acme-passthrough-request") == catalog.names(apps=["acme", "nowhere"])
    assert ("acme-find", "zenith-find") == catalog.names("query")
    assert "zenith" in catalog.connectors
    assert [] == compiled
    assert catalog.function("zenith-find") is catalog.function("zenith-find")
    assert catalog.function("zenith-nothing") is None
    assert catalog.function("nowhere-find") is None
    assert catalog.function("zenith") is None
    assert ["zenith"] == compiled
