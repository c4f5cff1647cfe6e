"""Looking again at directories of connectors while a service runs."""

import shutil
from pathlib import Path

import pytest

from service_server.catalog.directories import Change, ConnectorDirectories
from service_server.catalog.problems import CatalogError
from tests.service_server.catalog.connector_folder import connector_with


def write(directory: Path, name: str) -> Path:
    """Write a connector."""
    return connector_with(name=name).write(directory, name)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The operator's directory, with one connector."""
    write(tmp_path / "own", "acme")
    return tmp_path / "own"


@pytest.fixture
def directories(tmp_path: Path, own: Path) -> ConnectorDirectories:
    """The operator's directory beside one that isn't looked at; both are read, and all has come to rest."""
    write(tmp_path / "shipped", "base")
    found = ConnectorDirectories([tmp_path / "shipped"], [own], tmp_path / "cache")
    found.load()
    assert Change() == found.look()
    assert found.look().catalog is None  # what had just been written was read once more
    return found


def settled(directories: ConnectorDirectories) -> Change:
    """What is found once files have stayed as they are from one look to the next."""
    assert Change() == directories.look()
    return directories.look()


def edit(file: Path, old: str, new: str) -> None:
    """Change a text in a file."""
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_files_that_are_being_written_are_left_alone(directories: ConnectorDirectories, own: Path) -> None:
    """Only when two looks find the same, and not what was there, is anything read: half a copy is no problem."""
    assert [Change()] * 3 == [directories.look() for _ in range(3)]
    folder = write(own, "beta")
    moved = own.parent / "find.yaml"
    (folder / "functions" / "find.yaml").rename(moved)
    edit(folder / "connector.yaml", "name: beta", "name: be")
    assert Change() == directories.look()
    edit(folder / "connector.yaml", "name: be", "name: beta")
    assert Change() == directories.look()
    moved.rename(folder / "functions" / "find.yaml")
    change = settled(directories)

    assert ["beta"] == change.added
    assert change.catalog is not None
    assert ("acme-find", "base-find", "beta-find") == change.catalog.names("query")


def test_changes_are_told_by_app(directories: ConnectorDirectories, own: Path) -> None:
    """What was added, changed and removed is told; what the service came with is there as before."""
    write(own, "old")
    settled(directories)
    edit(own / "acme" / "functions" / "find.yaml", "title: Find", "title: Seek")
    write(own, "new")
    shutil.rmtree(own / "old")
    change = settled(directories)

    assert (["new"], ["acme"], ["old"], None) == (change.added, change.changed, change.removed, change.problems)
    assert change.catalog is not None
    assert ["acme", "base", "new"] == list(change.catalog.connectors)
    assert "Seek" == change.catalog.connectors["acme"].functions["acme-find"].title


def test_an_app_with_a_mistake_stays_as_it_was(directories: ConnectorDirectories, own: Path) -> None:
    """Its last good version is kept through other changes, and the mistake is told once; a new start refuses it."""
    file = own / "acme" / "functions" / "find.yaml"
    edit(file, "title: Find", "titel: Find")
    first = settled(directories)
    write(own, "beta")
    second = settled(directories)

    assert first.catalog is None
    assert first.problems is not None
    assert {file} == {problem.file for problem in first.problems}
    assert (["beta"], [], None) == (second.added, second.changed, second.problems)
    assert second.catalog is not None
    assert "Find" == second.catalog.connectors["acme"].functions["acme-find"].title
    with pytest.raises(CatalogError, match="titel"):
        ConnectorDirectories([], [own], own.parent / "cache").load()

    edit(file, "titel: Find", "title: Found")
    third = settled(directories)
    assert (["acme"], []) == (third.changed, third.problems)


@pytest.mark.parametrize("broken", ["connector.yaml", "icon.svg"])
def test_a_missing_file_keeps_the_app(directories: ConnectorDirectories, own: Path, broken: str) -> None:
    """A folder that has lost a file it needs is a mistake, and no removal."""
    (own / "acme" / broken).unlink()
    change = settled(directories)

    assert (None, []) == (change.catalog, change.removed)
    assert change.problems


def test_a_directory_that_is_away_keeps_its_apps(directories: ConnectorDirectories, own: Path) -> None:
    """A directory that can't be reached, such as an unmounted one, takes nothing with it."""
    own.rename(own.with_name("away"))
    change = settled(directories)

    assert change.catalog is None
    assert change.problems is not None
    assert ["is gone; its connectors stay as they were"] == [problem.message for problem in change.problems]
    own.with_name("away").rename(own)
    assert [] == settled(directories).problems


def test_the_first_of_two_apps_with_one_name_stays(directories: ConnectorDirectories, own: Path) -> None:
    """The app that was there first is served, and the other one is a mistake."""
    folder = write(own, "base")
    edit(folder / "connector.yaml", "title: Acme", "title: Another")
    change = settled(directories)

    assert change.problems is not None
    (message,) = [problem.message for problem in change.problems]
    assert message.startswith("there is another connector named 'base', in ")
    write(own, "beta")
    change = settled(directories)
    assert change.catalog is not None
    assert "Acme" == change.catalog.connectors["base"].title
