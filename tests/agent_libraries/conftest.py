"""
The libraries that agents are built with, against our tools; `./dev test` runs this folder in an environment of its own.

No test asks a model: each library gets scripted answers of its vendor's API, and what it would send is looked at.
"""

import json
import os
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from service_client.models import CONVERTER, Function, FunctionList
from service_client.testing import FakeService

ROOT = Path(__file__).parents[2]
collect_ignore_glob = [] if find_spec("anthropic") else ["test_*"]


@pytest.fixture(scope="session")
def shipped() -> list[Function]:
    """All functions of the shipped connectors, as the service lists them."""
    python = ROOT / ".venv" / "bin" / "python"
    env = {**os.environ, "SERVICE_CACHE_DIR": str(ROOT / ".pytest_cache" / "d" / "connectors")}  # of other tests
    command: list[str | Path] = [python, "-m", "tests.agent_libraries.catalogue"]
    listing = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    functions = CONVERTER.structure({"functions": json.loads(listing.stdout)}, FunctionList).functions
    assert len(functions) > 700
    return list(functions)


@pytest.fixture
def service() -> FakeService:
    """A service whose user has a desk of tickets."""
    service = FakeService()
    service.add_app("desk", title="Desk", accounts=["Ann's desk"])

    @service.function("desk-list-tickets", description="List tickets.")
    def list_tickets(arguments: dict[str, Any]) -> Any:
        return [{"id": 7, "title": "Ice on the road"}]

    @service.function(
        "desk-create-ticket",
        type="mutation",
        description="Create a ticket.",
        properties={"title": {"type": "string", "description": "What it is about."}},
        required=["title"],
    )
    def create_ticket(arguments: dict[str, Any]) -> Any:
        return {"id": 8, **arguments}

    return service
