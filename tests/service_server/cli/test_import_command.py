"""Importing an OpenAPI document from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from yaml import safe_dump

from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.openapi_import.made_documents import TEXT, answer, document, holding, json_body

THINGS = answer({"type": "array", "items": holding(id={"type": "integer"})})
CREATE = {"operationId": "createThing", "tags": ["things"], "requestBody": json_body(holding("name", name=TEXT))}
WHOLE: dict[str, Any] = document(
    {
        "/things": {"get": {"operationId": "listThings", "tags": ["things"], "responses": THINGS}, "post": CREATE},
        "/others": {"get": {"operationId": "listOthers", "responses": THINGS}},
    },
    components={"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    security=[{"key": []}],
)
PARTLY: dict[str, Any] = {**WHOLE, "paths": {**WHOLE["paths"], "/files#all": {"get": {}}}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A document that can be imported whole; beside it lies a broken one."""
    (tmp_path / "broken.json").write_text(json.dumps(document({"/a": []})))
    path = tmp_path / "acme.json"
    path.write_text(json.dumps(WHOLE))
    return path


@pytest.mark.slow
def test_an_imported_connector_works(run: Run, file: Path, tmp_path: Path) -> None:
    """One command makes a folder that passes the check, is listed, predicts from prompts and isn't written over."""
    done = run("connector", "import-openapi", file, "--name", "acme", "--title", "Acme Desk")
    again = run("connector", "import-openapi", file, "--name", "acme", "--title", "Another")

    assert (0, "") == (done.code, done.errors)
    assert "Wrote connectors/acme: Acme Desk, from OpenAPI 3.0.3." in done.output
    assert "3 functions (1 mutation, 2 query)" in done.output
    assert "connectors/acme is there already; nothing was changed." in lines_of(again)[0]
    assert 0 == run("connector", "check", "connectors/acme").code
    assert "Acme Desk" in run("connector", "list", "--connectors", "connectors").output
    assert "acme-create-thing" in run("predict", "create a thing in Acme Desk", "--connectors", "connectors").output
    assert {"connector.yaml", "icon.svg", "IMPORT.md", "functions"} == {
        path.name for path in (tmp_path / "connectors" / "acme").iterdir()
    }


def test_the_report_as_data(run: Run, file: Path, tmp_path: Path) -> None:
    """`--json` prints one object that says what was made, or the faults, each with its place."""
    broken = run("connector", "import-openapi", "broken.json", "--name", "acme", "--json")
    done = run("connector", "import-openapi", file, "--name", "acme", "--include", "things", "--json")
    told = json.loads(done.output)

    assert (0, ["create-thing", "list-things"]) == (done.code, told["functions"])
    assert ("connectors/acme", "acme.json", 1) == (told["folder"], told["source"], told["not_included"])
    fault = {"where": "#/paths/~1a", "message": "must be an object, not a list"}
    assert (1, [fault]) == (broken.code, json.loads(broken.output)["faults"])


def test_what_is_left_out_shows_in_the_exit_code(run: Run, tmp_path: Path) -> None:
    """An import that left something out ends with 3 and names it, on the terminal, as data and in IMPORT.md."""
    (tmp_path / "acme.yaml").write_text(safe_dump(PARTLY))
    done = run("connector", "import-openapi", "acme.yaml", "--name", "acme")
    as_data = run("connector", "import-openapi", "acme.yaml", "--name", "acme", "--json", "--directory", "again")

    assert (3, 3) == (done.code, as_data.code)
    assert "Operations left out (1):\n  GET /files#all: its path has a '#' or a blank" in done.output
    assert "GET /files#all" == json.loads(as_data.output)["left_out"][0]["operation"]
    assert "## Operations left out (1)" in (tmp_path / "connectors" / "acme" / "IMPORT.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["broken.json", "--name", "acme"], "#/paths/~1a: must be an object"),
        (["acme.json", "--name", "Acme Desk"], "is not a name such as acme_desk"),
        (["acme.json", "--name", "acme", "--title", "\x1b[31m"], "--title is 1 to 200 printable characters"),
        (["acme.json", "--name", "acme", "--include", "thing"], "did you mean 'things'?"),
        (["gone.json", "--name", "acme"], "gone.json: No such file or directory"),
    ],
)
@pytest.mark.usefixtures("file")
def test_what_is_refused(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    """What can't be imported is said with what to do, ends with 1 and writes nothing."""
    assert told in "\n".join(lines_of(run("connector", "import-openapi", *arguments)))
    assert not (tmp_path / "connectors").exists()
