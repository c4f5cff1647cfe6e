"""A service and the sandbox app as real processes, with connected users."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.processes import RunningService, configure_app, create_application, service


@pytest.fixture(scope="session")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """The two processes, for the whole run."""
    folder: Path = tmp_path_factory.mktemp("calls")
    port = free_port()
    application = create_application(folder, "Test host")
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox:
        configure_app(
            folder,
            "sandbox",
            client_id=sandbox.client_id,
            client_secret=sandbox.client_secret,
            variables={"base_url": sandbox.url},
        )
        allowed = sandbox.url.removeprefix("http://")
        with service(folder, "--allow-host", allowed, port=port, application=application) as running_service:
            yield running_service, sandbox


@pytest.fixture
def sandbox(called: tuple[RunningService, SandboxApp]) -> SandboxApp:
    """The sandbox app, its tickets, faults and log as at the start (grants are kept)."""
    app = called[1]
    httpx.post(f"{app.url}/_reset", json={"parts": ["data", "faults", "log"]}, trust_env=False).raise_for_status()
    return app


@pytest.fixture(scope="session")
def running_service(called: tuple[RunningService, SandboxApp]) -> RunningService:
    """The service."""
    return called[0]


@pytest.fixture(scope="session")
def alice_account(called: tuple[RunningService, SandboxApp]) -> int:
    """The account of user `alice`, connected by sign-in."""
    return connect_by_sign_in(*called, "alice", "alice")


@pytest.fixture(scope="session")
def both_accounts(called: tuple[RunningService, SandboxApp]) -> tuple[int, int]:
    """The two accounts of user `both`: Alice's by sign-in, Bob's by API key."""
    running, app = called
    return connect_by_sign_in(running, app, "both", "alice"), connect_by_key(running, "both", app.api_keys["bob"])


@pytest.fixture
def alice(running_service: RunningService, sandbox: SandboxApp, alice_account: int) -> Iterator[httpx.Client]:
    """The API as user `alice`, who has one account."""
    assert alice_account
    with running_service.api("alice") as client:
        yield client


@pytest.fixture
def both(
    running_service: RunningService, sandbox: SandboxApp, both_accounts: tuple[int, int]
) -> Iterator[httpx.Client]:
    """The API as user `both`, who has two accounts."""
    assert both_accounts
    with running_service.api("both") as client:
        yield client
