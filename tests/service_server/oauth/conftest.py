"""A service's connecting parts beside one sandbox app, which each test finds as it is at the start."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service_server.store.migrations import upgrade
from tests.examples.processes import SandboxApp, sandbox_app
from tests.service_server.connected_world import CALLBACK_URL, World, connected_world, sandbox_post


@pytest.fixture(scope="session")
def running_tickets() -> Iterator[SandboxApp]:
    """The sandbox process, for the whole run."""
    with sandbox_app(CALLBACK_URL) as app:
        yield app


@pytest.fixture
def tickets(running_tickets: SandboxApp) -> SandboxApp:
    """The sandbox app in the state of its start."""
    sandbox_post(running_tickets, "/_reset", {})
    return running_tickets


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the schema and nothing in it."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture
async def world(empty_database: Path, tmp_path: Path, tickets: SandboxApp) -> AsyncIterator[World]:
    """The parts of one service."""
    async with connected_world(empty_database, tmp_path, tickets) as world:
        yield world
