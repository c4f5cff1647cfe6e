"""The pages on connectors are true: the ten minutes are followed to the letter, the reference is the schemas' own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import frozen

from service_server.catalog.format.json_schema import FileKind, schema_of
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import ROOT

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "connectors.md"
ADDRESS = "127.0.0.1:8400"  # of the app, as the page has it
_BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Step:
    """One step of the page: a file to write, or commands to run."""

    file: str
    language: str
    text: str


def steps() -> list[Step]:
    """What the page has its reader do, in order."""
    page = PAGE.read_text()
    minutes = page[page.index("\n## Write a connector") : page.index("\n## What the files can say")]
    found = [Step(*groups) for groups in _BLOCK.findall(minutes)]
    return [step for step in found if step.file or step.language == "sh"]


def follow(step: Step, folder: Path, app: SandboxApp) -> str:
    """Do one step, with the app where it really is; return what its commands print."""
    text = step.text.replace(ADDRESS, app.url.removeprefix("http://"))
    if step.file:
        (folder / step.file).write_text(text)
        return ""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command, env = ["bash", "-euo", "pipefail", "-c", text], {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_ten_minutes(tmp_path: Path) -> None:
    """Whoever does what the page says has a connector that passes the check, lists and creates."""
    done = steps()
    assert {"key.json", "connectors/helpdesk/connector.yaml"} < {step.file for step in done}
    with sandbox_app("http://127.0.0.1:1/callback") as tickets:
        printed = [follow(step, tmp_path, tickets) for step in done]
        log = httpx.get(f"{tickets.url}/_log", trust_env=False).json()["requests"]

    assert 3 == sum(text.count("No problems found.") for text in printed)
    assert any('"Website"' in text and "200 in" in text for text in printed)
    assert any('"Login page is broken"' in text and "201 in" in text for text in printed)
    assert "helpdesk-create-ticket" in printed[-1]
    assert "tickets_demo_" not in "".join(printed)
    tests, tried = ("GET", "/api/v1/me"), [("GET", "/api/v1/projects"), ("POST", "/api/v1/tickets")]
    assert [tests, tried[0], tests, tried[1]] == [
        (request["method"], request["path"]) for request in log if request["path"].startswith("/api/")
    ]


def test_the_reference_and_the_schemas_are_those_of_the_classes() -> None:
    """Both are made from the format's classes; `python -m docs.site.connector_format` makes them again."""
    from docs.site.connector_format import PAGE as REFERENCE  # with Sphinx, which takes seconds
    from docs.site.connector_format import files

    written = list(files())
    assert [REFERENCE.name, "connector.schema.json", "function.schema.json"] == [file.name for file, _ in written]
    for file, content in written:
        assert content == file.read_text()


def undescribed(kind: FileKind, schema: Any, path: str = "") -> Iterator[str]:
    """Name the keys of a schema for which an editor would have nothing to say."""
    if isinstance(schema, list):
        for index, each in enumerate(schema):
            yield from undescribed(kind, each, f"{path}[{index}]")
    if not isinstance(schema, Mapping):
        return
    keys = schema.get("properties")
    for name, each in (
        keys.items() if isinstance(keys, Mapping) and not path.endswith((".if", ".properties", ".$defs")) else ()
    ):
        if not each.get("description") and not described_elsewhere(kind, each):
            yield f"{path}.{name}"
    for name, each in schema.items():
        yield from undescribed(kind, each, f"{path}.{name}")


def described_elsewhere(kind: FileKind, schema: Mapping[str, Any]) -> bool:
    """Whether what a key refers to is described."""
    file, _, path = schema.get("$ref", "").partition("#/")
    other: FileKind = "function" if file.startswith("function") else "connector" if file else kind
    found: Any = schema_of(other)
    for key in path.split("/") if path else ():
        found = found[key]
    return bool(path and found.get("description"))


@pytest.mark.parametrize("kind", ["connector", "function"])
def test_every_key_is_described(kind: FileKind) -> None:
    """Editors have words for every key there is."""
    assert [] == list(undescribed(kind, schema_of(kind), kind))
