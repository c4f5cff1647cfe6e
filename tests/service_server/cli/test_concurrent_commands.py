"""Commands that several operators, or one script, run at the same moment."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.commands import Ended, run_command
from tests.service_server.databases import BOTH_KINDS, EmptyDatabases, database_of, dictionaries, note_database

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
    variables = {name: {"title": "Part", "set_by": "operator"} for name in NAMES}
    sign_in = {"authorize_url": "https://acme.example/a", "token_url": "https://acme.example/t"}
    way = {
        "id": "o",
        "type": "oauth2_code",
        "title": "O",
        **sign_in,
        "inject": {"header": {"X": "${token.access_token}"}},
    }
    connector_with(vars=variables, auth=[way]).write(data_directory / "connectors")
    settings = [["--var", f"{name}=set"] for name in NAMES] + [["--client-id", "ours"]]
    url = database_of(data_directory)
    env = {"SERVICE_DATABASE": url, "SERVICE_CONNECTORS": str(data_directory / "connectors")}

    def configure(setting: list[str]) -> Ended:
        command = ["app", "configure", "acme", *setting, "--data-dir", str(data_directory)]
        return run_command(command, stdin="", env=env)

    with ThreadPoolExecutor(len(settings)) as operators:
        ended = list(operators.map(configure, settings))
    (kept,) = dictionaries(url, "SELECT client_id, variables FROM app_configurations")

    assert [(0, "")] * len(settings) == [(each.status, each.errors) for each in ended]
    assert "ours" == kept["client_id"]
    assert dict.fromkeys(NAMES, "set") == json.loads(kept["variables"])
