"""docs/deploy.md: its commands of ours exist, with their options, and so do the files that it names."""

import re
import shlex

import pytest

from tests.service_server.commands import run_command

from .known_settings import DEPLOY, ROOT, known_settings, named_settings

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "deploy.md").read_text()
CODE = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
OURS = [line.rpartition("service-server ")[2] for line in CODE.splitlines() if "service-server " in line]


@pytest.mark.parametrize("command", OURS)
def test_a_command_exists(command: str) -> None:
    """Commands and options are known by the names that the page shows."""
    ended = run_command([*shlex.split(command), "--help"], stdin="", env={})

    assert 0 == ended.status, ended.errors


def test_files_exist() -> None:
    """Whatever is named of deploy/, in a command or as a link, and what a release has in it."""
    named = set(re.findall(r"\bdeploy/[\w./-]*\w", PAGE))

    assert {"deploy/install.sh"} <= {f"deploy/{each.name}" for each in DEPLOY.iterdir()}
    assert [] == [each for each in named if not (ROOT / each).exists()]
    assert set() == named_settings(PAGE) - known_settings()


def test_each_way_of_deploying_is_told() -> None:
    """No folder for operators is left out, neither on the page nor in the list beside them."""
    listed = (DEPLOY / "README.md").read_text()
    folders = {each.name for each in DEPLOY.iterdir() if each.is_dir()}

    assert set() == {each for each in folders if f"`{each}/" not in listed}
    for name in ("systemd", "container", "compose", "kubernetes"):
        assert f"deploy/{name}" in PAGE
