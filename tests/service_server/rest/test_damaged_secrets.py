"""A sealed value that can't be opened any more concerns whom it belongs to, and nobody else."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from tests.service_server.connected_world import World
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService, command, create_application, service

pytestmark = pytest.mark.slow

ORIGIN = "https://damaged.example"


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, dict[str, str]]]:
    """A service, and an application of it whose secret was damaged before the start."""
    folder = tmp_path_factory.mktemp("damaged")
    whole = create_application(folder, "Whole")
    broken = create_application(folder, "Broken", ORIGIN)
    damage(folder, "Broken")
    with service(folder, application=whole) as running:
        yield running, broken


def damage(folder: Path, name: str) -> None:
    """Change a character of an application's newest secret in the database."""
    ((text,),) = rows(folder, f"SELECT sealed_secrets FROM applications WHERE name = '{name}'")
    newest, *others = json.loads(text)
    changed = json.dumps([newest[:-3] + ("A" if newest[-3] != "A" else "B") + newest[-2:], *others])
    execute(folder, f"UPDATE applications SET sealed_secrets = '{changed}' WHERE name = '{name}'")


def test_a_damaged_secret_locks_its_application_only(damaged: tuple[RunningService, dict[str, str]]) -> None:
    """Others call as ever; the log says once which it is and what to do, and doing it brings the application back."""
    running, broken = damaged
    with running.api("ann") as whole, evolve(running, **broken).api("ann") as theirs:
        assert [200, 401, 200] == [each.get("/apps").status_code for each in (whole, theirs, whole)]
        preflight = {"Origin": ORIGIN, "Access-Control-Request-Method": "GET"}
        assert ORIGIN == whole.options("/apps", headers=preflight).headers["access-control-allow-origin"]
    lines = [json.loads(line) for line in running.program.output().splitlines() if "can't be opened" in line]

    assert ["Broken"] == [line["name"] for line in lines]
    assert "rotate-secret" in lines[0]["message"]
    told = json.loads(command(running.data_directory, "application", "rotate-secret", "Broken", "--json"))
    with evolve(running, **told).api("ann") as again:
        assert 200 == again.get("/apps").status_code


async def test_a_damaged_client_secret_concerns_its_app_only(world: World) -> None:
    """An app whose client secret can't be opened counts as not set up; the settings of all can still be read."""
    sandbox, github = world.catalog.connectors["sandbox"], world.catalog.connectors["github"]
    async with world.database.write() as connection:
        await connection.exec_driver_sql("UPDATE app_configurations SET sealed_client_secret = 'damaged'")
    settings = await world.credentials.settings.of(sandbox, 1)

    assert settings.client is None
    assert settings.lacks(sandbox, "oauth")
    assert (await world.credentials.settings.of(github, 1)).client is None
