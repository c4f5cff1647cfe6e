"""Every command that the documentation shows exists, with the options it is shown with."""

import re
import shlex

import pytest

from tests.docs.code_blocks import code_blocks
from tests.real_apps.running import ROOT
from tests.service_server.commands import run_command

# What isn't ours; installing packages and the npm archive have tests of their own.
FOREIGN = {"pip", "curl", "npm"}
LANGUAGES = {"css", "html", "js", "python", "sh"}

pytestmark = pytest.mark.slow


def commands() -> list[str]:
    """All lines of shell code, without comments."""
    lines = [line for block in code_blocks("sh") for line in block.text.splitlines()]
    return list(dict.fromkeys(line for line in (re.sub(r"\s+#.*", "", line).strip() for line in lines) if line))


def test_all_code_is_of_a_kind_that_is_run() -> None:
    """Code in another language would be run by nothing."""
    assert {block.language for block in code_blocks()} <= LANGUAGES


@pytest.mark.parametrize("command", commands())
def test_a_command_exists(command: str) -> None:
    """The program, its commands and all options are known; settings are variables that the service reads."""
    words = shlex.split(command)
    if words[0] == "export":
        name = words[1].partition("=")[0]
        read = "".join(file.read_text() for file in (ROOT / "service_server" / "cli").rglob("*.py"))
        beginnings = {"", *re.findall(r'"(SERVICE_\w*_)"', read)}
        assert any(f'"{name.removeprefix(each)}"' in read for each in beginnings if name.startswith(each))
    elif words[0] == "./dev":
        known = re.findall(r'^    "(\w+)": \w+,$', (ROOT / "dev").read_text(), re.MULTILINE)
        assert words[1] in known
    elif words[0] not in FOREIGN:
        assert "service-server" == words[0]
        done = run_command([*words[1:], "--help"], stdin="", env={})
        assert 0 == done.status, done.errors
