"""Pages of ours link to what is below the path that the service is reached at."""

import re
from pathlib import Path

import pytest

from service_server.html_pages.addresses import path_of
from tests.real_apps.running import ROOT

TEMPLATES = [*(ROOT / "web_assets/templates/connect").iterdir(), *(ROOT / "web_assets/templates/console").iterdir()]
_FROM_THE_ROOT = re.compile(r'\s[a-z-]+="/[^"]*"')


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: f"{template.parent.name}/{template.name}")
def test_no_address_is_from_the_hosts_root(template: Path) -> None:
    """`{{ root() }}` stands before each path of ours: a proxy may have the service below one of its own."""
    assert [] == _FROM_THE_ROOT.findall(template.read_text())


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.com", ""),
        ("https://example.com/", ""),
        ("https://example.com/functions", "/functions"),
        ("http://localhost:8000/a/b/", "/a/b"),
    ],
)
def test_the_path_of_an_address(url: str, path: str) -> None:
    """Without a slash at its end, so that a path of ours can follow."""
    assert path == path_of(url)
