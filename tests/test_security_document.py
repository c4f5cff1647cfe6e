"""The threat model names a test for each threat, and each test that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DOCUMENT = (TESTS.parent / "SECURITY.md").read_text()
ROWS = re.findall(r"^\| (.+?) \| (.+) \| (.+) \|$", DOCUMENT.split("## Threats")[1].split("\n## ")[0], re.MULTILINE)
THREATS = [row for row in ROWS if row[0] != "Threat"]
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def functions_in(path: str) -> frozenset[str]:
    """The names of the tests in a file below `tests/`."""
    tree = ast.parse((TESTS / path).read_text())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


@pytest.mark.parametrize("threat", THREATS, ids=lambda threat: threat[0][:60])
def test_every_threat_names_tests_that_exist(threat: tuple[str, str, str]) -> None:
    """A row without a test, or with one that was renamed or removed, is a claim that nothing shows."""
    named = NAMED.findall(threat[2])

    assert named
    assert [] == [f"{path}::{name}" for path, name in named if name not in functions_in(path)]
    assert "" == NAMED.sub("", threat[2]).strip()


def test_the_threats_are_found() -> None:
    """The document is read as it is meant: all its threats, and all the tests that it names."""
    assert len(THREATS) > 30
    assert len(NAMED.findall(DOCUMENT)) == sum(len(NAMED.findall(threat[2])) for threat in THREATS)
