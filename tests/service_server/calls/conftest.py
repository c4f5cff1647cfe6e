"""The API as users who have connected accounts."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.scripted_calls import ScriptedCalls, calls_of, written
from tests.service_server.connecting import connect_by_sign_in
from tests.service_server.processes import RunningService


@pytest.fixture
async def calls(empty_database: Path, tmp_path: Path) -> AsyncIterator[ScriptedCalls]:
    """The steps of a call, on a database of their own."""
    async with calls_of(written(tmp_path / "connectors"), empty_database, tmp_path) as calls:
        yield calls


@pytest.fixture(scope="session")
def alice_account(called: tuple[RunningService, SandboxApp]) -> int:
    """The account of user `alice`, connected by sign-in."""
    return connect_by_sign_in(*called, "alice", "alice")


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
