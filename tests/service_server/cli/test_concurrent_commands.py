"""Commands that several operators, or one script, run at the same moment."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.real_apps.running import ROOT
from tests.service_server.databases import BOTH_KINDS, EmptyDatabases, database_of, dictionaries, note_database
from tests.service_server.processes import SERVICE_SERVER

NAMES = [f"part_{number}" for number in range(7)]


@pytest.fixture(params=BOTH_KINDS)
def data_directory(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A data directory whose database is of each kind."""
    if request.param == "postgresql":
        empty: EmptyDatabases = request.getfixturevalue("empty_on_postgresql")
        note_database(tmp_path, request.getfixturevalue("postgresql").url(empty.server.create(empty.template)))
    return tmp_path


@pytest.mark.slow
def test_apps_are_configured_by_several_at_once(data_directory: Path) -> None:
    """What each sets is there afterwards: nobody takes back what another has set meanwhile."""
    app = data_directory / "connectors" / "parts"
    shutil.copytree(ROOT / "examples" / "connector" / "hello_world", app)
    described = (app / "connector.yaml").read_text().replace("name: hello_world", "name: parts", 1)
    variables = "".join(f"  {name}: {{title: Part, description: A part., set_by: operator}}\n" for name in NAMES)
    (app / "connector.yaml").write_text(described.replace("vars:\n", f"vars:\n{variables}"))
    settings = [["--var", f"{name}=set"] for name in NAMES] + [["--client-id", "ours"]]
    url = database_of(data_directory)
    commands = [
        subprocess.Popen(
            [SERVICE_SERVER, "app", "configure", "parts", *setting, "--data-dir", str(data_directory)],
            cwd=ROOT,
            env={**os.environ, "SERVICE_DATABASE": url, "SERVICE_CONNECTORS": str(app.parent)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for setting in settings
    ]
    errors = [command.communicate(timeout=120)[1] for command in commands]
    (kept,) = dictionaries(url, "SELECT client_id, variables FROM app_configurations")

    assert [""] * len(settings) == errors
    assert "ours" == kept["client_id"]
    assert dict.fromkeys(NAMES, "set") == json.loads(kept["variables"])
