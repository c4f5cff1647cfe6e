"""Every command that the documentation shows exists, with the options it is shown with."""

import re
import shlex

import pytest
from click.testing import CliRunner

from service_server.cli.main import cli
from tests.docs.code_blocks import PAGES, code_blocks
from tests.real_apps.running import ROOT

# What isn't ours; installing packages and the npm archive have tests of their own.
FOREIGN = {"pip", "curl", "npm"}
LANGUAGES = {"css", "html", "js", "python", "sh"}


def commands() -> list[str]:
    """All lines of shell code, without comments."""
    blocks = code_blocks("sh", pages=(*PAGES, "docs/backends.md", "docs/webhooks.md"))
    lines = [re.sub(r"\s+#.*", "", line).strip() for block in blocks for line in block.text.splitlines()]
    return list(dict.fromkeys(line for line in lines if line))


def test_all_code_is_of_a_kind_that_is_run() -> None:
    """Code in another language would be run by nothing."""
    assert {block.language for block in code_blocks()} <= LANGUAGES


@pytest.mark.parametrize("command", commands())
def test_a_command_exists(command: str) -> None:
    """The program, its commands and all options are known; settings are variables that the service reads."""
    program, *words = shlex.split(command)
    if program == "export":
        name = words[0].partition("=")[0]
        read = "".join(file.read_text() for file in (ROOT / "service_server" / "cli").rglob("*.py"))
        beginnings = {"", *re.findall(r'"(SERVICE_\w*_)"', read)}
        assert any(f'"{name.removeprefix(each)}"' in read for each in beginnings if name.startswith(each))
    elif program == "./dev":
        assert words[0] in re.findall(r'^    "(\w+)": \w+,$', (ROOT / "dev").read_text(), re.MULTILINE)
    elif program not in FOREIGN:
        shown = CliRunner().invoke(cli, [*words, "--help"])
        assert ("service-server", 0) == (program, shown.exit_code), shown.output
