"""What processes of the service leave out, and commands leave undone: it costs memory and time at each start."""

import subprocess
import sys
from unittest.mock import Mock

import pytest

from service_server.catalog import load
from tests.service_server.cli.conftest import Run
from tests.service_server.shipped import shipped_catalog

pytestmark = pytest.mark.slow

LEFT_OUT = (
    *("alembic", "asyncpg", "onnx", "pydantic", "pygments", "rich", "safetensors", "sqlalchemy.orm"),
    *("opentelemetry", "prometheus_client", "service_server.telemetry."),
)
"""Each costs some megabytes, and comes with a library that is needed for something else, or with what is off."""


def test_a_service_imports_nothing_that_only_others_need() -> None:
    """Its modules, and its framework, do without all of these, which others can still import afterwards."""
    program = f"""
import sys
import service_server.cli.main, service_server.cli.serve, service_server.cli.serving, service_server.app
from service_server.store.engines import AsyncEngine
found = {{each for each in sys.modules if f"{{each}}.".startswith({LEFT_OUT!r})}}
assert found == {{"service_server.telemetry", "service_server.telemetry.choice"}}, found
service_server.app._Framework([])
assert "pydantic" not in sys.modules
import rich.console
import sqlalchemy.ext.asyncio
assert sqlalchemy.ext.asyncio.AsyncEngine is AsyncEngine
sqlalchemy.ext.asyncio.AsyncSession
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert (0, "") == (ran.returncode, ran.stderr)


def test_a_command_that_reads_no_database_starts_without_one() -> None:
    """What `predict`, `connector` and the completion of names need is there sooner."""
    program = """
import sys
import service_server.cli.options, service_server.cli.prediction
assert "sqlalchemy" not in sys.modules
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert (0, "") == (ran.returncode, ran.stderr)


@pytest.mark.parametrize("command", ["functions", "connector list", "predict --without-model tickets"])
def test_a_command_reads_no_connector_that_a_service_has_read(
    run: Run, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read and check all of them takes seconds; what is kept of them is as good."""
    shipped_catalog()
    monkeypatch.setattr(load, "check_folder", Mock(side_effect=AssertionError))

    assert 0 == run(*command.split()).code
