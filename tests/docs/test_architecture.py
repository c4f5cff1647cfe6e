"""ARCHITECTURE.md's map is true to the tree: what it names is there, and no package is missing from it."""

import re

import pytest

from tests.real_apps.running import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text()
(MAP,) = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
NAMED = set(re.findall(r"\b(\w+)/(?!\w)", MAP))
PACKAGES = ("service_client", "service_server", "servicejs", "web_assets")
BUILT = {"dist", "__pycache__"}


def folders(path: str) -> set[str]:
    """The folders right below one, but for what is built."""
    return {each.name for each in (ROOT / path).iterdir() if each.is_dir() and each.name not in BUILT}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_is_missing(package: str) -> None:
    """Whoever looks for what a folder is for finds it on the map."""
    assert set() == folders(package) - NAMED


def test_all_that_is_named_is_there() -> None:
    """A folder or file that was moved or renamed is moved on the map as well."""
    there = {each.name for each in ROOT.iterdir() if each.is_dir()}
    there |= {each for package in PACKAGES for each in folders(package)} | folders("service_server/catalog")
    files = re.findall(r"\b\w+\.py\b", MAP)

    assert set() == NAMED - there - BUILT
    assert [] == [name for name in files if not any((ROOT / package).rglob(name) for package in PACKAGES)]


def test_it_is_one_screen() -> None:
    """Newcomers read it whole; what takes more room has a page of its own."""
    assert 60 >= len(PAGE.splitlines())
