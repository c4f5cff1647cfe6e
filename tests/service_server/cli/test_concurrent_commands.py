"""Commands that several operators, or one script, run at the same moment."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.commands import Ended, run_command
from tests.service_server.databases import dictionaries

NAMES = [f"part_{number}" for number in range(7)]


@pytest.mark.slow
def test_apps_are_configured_by_several_at_once(database_url: str, tmp_path: Path) -> None:
    """What each sets is there afterwards: nobody takes back what another has set meanwhile."""
    addresses = {"authorize_url": "https://acme.example/a", "token_url": "https://acme.example/t"}
    inject = {"header": {"X": "${token.access_token}"}}
    way = {"id": "o", "type": "oauth2_code", "title": "O", **addresses, "inject": inject}
    variables = {name: {"title": "Part", "set_by": "operator"} for name in NAMES}
    connector_with(vars=variables, auth=[way]).write(tmp_path / "connectors")
    settings = [["--var", f"{name}=set"] for name in NAMES] + [["--client-id", "ours"]]
    env = {"SERVICE_DATABASE": database_url, "SERVICE_CONNECTORS": str(tmp_path / "connectors")}

    def configure(setting: list[str]) -> Ended:
        return run_command(["app", "configure", "acme", *setting, "--data-dir", str(tmp_path)], stdin="", env=env)

    with ThreadPoolExecutor(len(settings)) as operators:
        ended = list(operators.map(configure, settings))
    (kept,) = dictionaries(database_url, "SELECT client_id, variables FROM app_configurations")

    assert [(0, "")] * len(settings) == [(each.status, each.errors) for each in ended]
    assert "ours" == kept["client_id"]
    assert dict.fromkeys(NAMES, "set") == json.loads(kept["variables"])
