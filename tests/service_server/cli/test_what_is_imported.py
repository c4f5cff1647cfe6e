"""What commands and the service leave out of their processes, which costs memory and time at each start."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

LEFT_OUT = ("alembic", "asyncpg", "onnx", "pydantic", "pygments", "rich", "safetensors", "sqlalchemy.orm")
"""Each costs some megabytes, and comes with a library that is needed for something else."""


def test_a_service_imports_nothing_that_only_others_need() -> None:
    """Its modules do without all of these, which whoever wants them can still import afterwards."""
    program = f"""
import sys
import service_server.cli.main, service_server.cli.serve, service_server.cli.serving, service_server.app
from service_server.store.engines import AsyncEngine
assert not (found := [each for each in {LEFT_OUT!r} if each in sys.modules]), found
import rich.console
import sqlalchemy.ext.asyncio
assert sqlalchemy.ext.asyncio.AsyncEngine is AsyncEngine
sqlalchemy.ext.asyncio.AsyncSession
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert (0, "") == (ran.returncode, ran.stderr)
