"""The service on a database whose schema a newer version has changed, and that says that this one works on it."""

from pathlib import Path

import pytest
from attrs import evolve

from tests.service_server.databases import execute, rows
from tests.service_server.processes import create_application, service


@pytest.mark.slow
def test_a_version_that_still_works_on_it_runs(tmp_path: Path) -> None:
    """It serves, warns in its log, and leaves the schema as it is; commands work, too."""
    before = create_application(tmp_path, "Before")
    execute(tmp_path, "ALTER TABLE calls ADD COLUMN later TEXT DEFAULT 'later'")
    execute(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    execute(tmp_path, "UPDATE schema_compatibility SET oldest_revision = '0006'")
    after = create_application(tmp_path, "After")
    with service(tmp_path, application=before) as running, running.api("ann") as ann:
        ann.get("/apps").raise_for_status()
        ann.get("/apps", headers=evolve(running, **after).headers("ann")).raise_for_status()
        (told,) = [line for line in running.program.json_lines() if line.get("event") == "schema.newer"]

    assert ("warning", "9999", "0006") == (told["level"], told["schema"], told["oldest_working"])
    assert [("9999",)] == rows(tmp_path, "SELECT version_num FROM alembic_version")
