"""The site of the documentation is built without a warning, and its references leave nothing out."""

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

import service_client
from service_server.cli.main import cli
from tests.deploy.known_settings import known_settings
from tests.real_apps.running import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def words_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Builds the site, and gives the words of its pages; a warning (a dead link, say) fails it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--doctree-dir", folder / "trees"]
    built = subprocess.run(
        [*command, ROOT / "docs", folder / "site"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert 0 == built.returncode, built.stderr
    return lambda page: unescape(re.sub(r"<[^>]+>", "", (folder / "site" / page).read_text()))


def test_every_setting_is_listed(words_of: Callable[[str], str]) -> None:
    """Options, limits and what is set by variables alone; and nothing of the machine it was built on."""
    words = words_of("reference/settings.html")

    assert set() == {name for name in known_settings() if name not in words}
    assert str(ROOT) not in words + words_of("reference/commands.html")


def test_every_operation_is_described(words_of: Callable[[str], str]) -> None:
    """Each path with its method, what it is for in words, and no operation without a name for people."""
    words = words_of("reference/rest.html")

    assert "POST /functions/{function_name}" in words
    assert "200 means it was executed, whatever the app answered" in words
    assert [] == re.findall(r"^[A-Z][a-z]+(?:[A-Z][a-z]+)+ByPost", words, re.MULTILINE)


def test_every_name_of_the_client_is_described(words_of: Callable[[str], str]) -> None:
    """What `service_client` exports, and the methods of its resources."""
    words = words_of("reference/client.html")
    names = {name for name in service_client.__all__ if name != "__version__"}

    assert set() == {name for name in names if not re.search(rf"\b{name}\b", words)}
    assert "call_many" in words


def test_every_command_is_described(words_of: Callable[[str], str]) -> None:
    """Each command of the help has its usage."""
    words = words_of("reference/commands.html")
    names = cli.list_commands(cli.make_context("service-server", [], resilient_parsing=True))

    assert 10 < len(names)
    assert [] == [name for name in names if f"service-server {name}" not in words]


def test_pages_in_the_repository_are_there() -> None:
    """What pages and READMEs link to exists, so that they can be read where they stand, too."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "deploy").glob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())]

    assert 50 < len(links)
    assert [] == [(page.name, link) for page, link in links if not Path(page.parent, link).exists()]


def test_headings_that_are_linked_to_are_there() -> None:
    """A link to a part of a page leads to that part, where the page is read in the repository."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "deploy").glob("*.md")]
    found = re.compile(r"\]\(([^):\s]*\.md)?#([^)]+)\)")
    links = [(page, *each) for page in pages for each in found.findall(page.read_text())]
    missing = [
        f"{page.name}: {name}#{heading}"
        for page, name, heading in links
        if heading not in anchors(Path(page.parent, name) if name else page)
    ]

    assert 20 < len(links)
    assert [] == missing


def anchors(page: Path) -> set[str]:
    """What the headings of a page are linked to by, as on GitHub."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
