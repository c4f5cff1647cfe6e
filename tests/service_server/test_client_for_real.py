"""
`Client` and `AsyncClient` against the real service with a real app behind it: the same scenarios for both.

Lists, predictions and pages are those of the quickstarts, which tests/examples runs against the whole demo.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from service_client import (
    AsyncClient,
    CallRefusedError,
    Client,
    ConflictError,
    OnwardCallError,
    PermissionDeniedError,
)
from tests.examples.processes import SandboxApp
from tests.service_server.clients import Clients, everything, result
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "fields": {"severity": "high"}}
CREATE, PROJECTS = "sandbox-create-ticket", "sandbox-list-projects"


@pytest.fixture(params=[Client, AsyncClient], ids=lambda kind: kind.__name__)
def clients(request: pytest.FixtureRequest, running_service: RunningService, sandbox: SandboxApp) -> Clients:
    """Both kinds of client, one after the other, with the sandbox app as at the start."""
    assert sandbox
    return Clients(request.param, running_service.url, running_service.app_key, running_service.app_secret)


@pytest.fixture
async def client(clients: Clients, both_accounts: tuple[int, int]) -> AsyncIterator[Any]:
    """A client for user `both`, who has Alice's and Bob's account."""
    assert both_accounts
    async with clients.of("both") as client:
        yield client


async def test_calling(client: Any, clients: Clients, both_accounts: tuple[int, int], sandbox: SandboxApp) -> None:
    """What is refused raises with each field and reaches no app; what was executed is an answer, kept by its key."""
    alice, bob = ({"connected_account_id": each} for each in both_accounts)
    call = client.functions.call
    for arguments, account, expected in (
        ({}, {}, {("connected_account_id", "account_required")}),
        (
            {"title": 5, "labels": ["a", 1]},
            alice,
            {("title", "type"), ("project_id", "required"), ("labels[1]", "type")},
        ),
    ):
        with pytest.raises(CallRefusedError) as refused:
            await result(call(CREATE, arguments, **account))
        assert expected == {(detail.field, detail.code) for detail in refused.value.details}
    assert [] == sandbox.received("/api/v1/tickets")
    projects = (await result(call(PROJECTS, connected_account_id=str(both_accounts[1])))).output
    assert {"research", "hardware"} == {each["id"] for each in projects}

    failed = await result(call(CREATE, {"title": "No severity", "project_id": "website"}, **alice))
    assert ("422", False) == (failed.network_code, failed.succeeded)
    with pytest.raises(OnwardCallError) as raised:
        failed.raise_for_failure()
    assert failed is raised.value.result
    once = {**alice, "idempotency_key": f"once-{clients.kind.__name__}"}
    first, second = [await result(call(CREATE, TICKET, **once)) for _ in range(2)]
    with pytest.raises(ConflictError):
        await result(call(CREATE, {**TICKET, "title": "Other"}, **once))
    assert ("201", first) == (first.network_code, second)
    assert (False, True) == (first.replayed, second.replayed)
    assert first.request_id != second.request_id
    assert 2 == len(sandbox.received("/api/v1/tickets"))

    me = await result(client.functions.passthrough("sandbox", "GET", "/me", **bob))
    assert ("200", "u-bob") == (me.network_code, me.output["id"])
    with pytest.raises(CallRefusedError) as refused:
        await result(client.functions.passthrough("sandbox", "GET", "https://example.com/", **bob))
    assert [("url", "host_not_allowed")] == [(each.field, each.code) for each in refused.value.details]


async def test_a_session_token(clients: Clients, client: Any, both_accounts: tuple[int, int]) -> None:
    """A token stands for the user, does what its scope allows, mints none, and is asked for anew when it is refused."""
    good = (await result(client.session_tokens.create(expires_in=60))).token
    scoped = (await result(client.session_tokens.create(functions=[PROJECTS]))).token
    alice = {"connected_account_id": both_accounts[0]}
    tokens = iter(["worn-out", good])
    async with clients.by(token=lambda: next(tokens)) as page:
        (app,) = await everything(page.apps.list(connected_only=True))
        with pytest.raises(PermissionDeniedError):
            await result(page.session_tokens.create())
    async with clients.by(token=scoped) as page:
        assert (await result(page.functions.call(PROJECTS, **alice))).succeeded
        with pytest.raises(PermissionDeniedError):
            await result(page.functions.call("sandbox-list-users", **alice))

    assert set(both_accounts) == {account.id for account in app.connected_accounts}
