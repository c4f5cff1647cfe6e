"""What stands before `/mcp`: credentials, origins, limits, and the end of the service."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import anyio
import httpx
import pytest
from attrs import evolve
from mcp.shared.exceptions import MCPError
from mcp.types import JSONRPCError

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import ERAS, User, agent, call, give_up, resource, text_of
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, command, configure_sandbox, create_application, service

pytestmark = pytest.mark.slow

ISSUER = "https://sign-in.example.com"
USER = "at the door"
HEADERS = {"Accept": "application/json, text/event-stream"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {"url": {}}},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}

_MODULES = """
import asyncio, sys
from pathlib import Path
from service_server.app import service_application
from service_server.settings import Settings
folder = Path(sys.argv[1])
settings = Settings(data_directory=folder, public_url="http://localhost", database_url=f"sqlite+aiosqlite:///{folder}/x.db")
async def start():
    async with service_application(settings):
        print(*sys.modules)
asyncio.run(start())
"""


@pytest.fixture(scope="module")
def own(
    tmp_path_factory: pytest.TempPathFactory, called: tuple[RunningService, SandboxApp]
) -> Iterator[RunningService]:
    """A service of its own with narrow limits, which names an authorization server."""
    folder: Path = tmp_path_factory.mktemp("door")
    sandbox = called[1]
    limits = {"SERVICE_RATE_LIMIT_PER_MINUTE": "30", "SERVICE_MAX_BODY_BYTES": "4096", "SERVICE_CALLS_AT_ONCE": "1"}
    application = create_application(folder, "Test host", "https://host.example.com")
    configure_sandbox(folder, sandbox)
    options = ["--authorization-server", ISSUER, "--allow-host", f"sandbox={sandbox.url.removeprefix('http://')}"]
    with service(folder, *options, application=application, env=limits) as running:
        yield running


def test_nothing_of_the_protocol_is_imported_before_it_is_used(empty_database: Path, tmp_path: Path) -> None:
    """The library takes as long to import as the service to start, and a sixth of its memory."""
    shutil.copyfile(empty_database, tmp_path / "x.db")
    ended = subprocess.run([sys.executable, "-c", _MODULES, tmp_path], capture_output=True, text=True, check=True)

    imported = set(ended.stdout.split())
    assert "service_server" in imported
    # The framework looks for Starlette and OpenTelemetry, and imports the former's exceptions and nothing else of them.
    theirs = {"mcp", "mcp_types", "pydantic", "starlette.requests", "sse_starlette", "httpx2", "opentelemetry.trace"}
    assert set() == theirs & imported


def test_who_is_unknown_learns_where_to_get_a_token(own: RunningService, running_service: RunningService) -> None:
    """Where the operator has named an authorization server; else there is no such page."""
    answer = httpx.post(f"{own.url}/mcp", json=INITIALIZE, headers=HEADERS, trust_env=False)
    page = f"{own.url}/.well-known/oauth-protected-resource/mcp"
    metadata = httpx.get(page, trust_env=False).json()
    without = httpx.post(f"{running_service.url}/mcp", json=INITIALIZE, headers=HEADERS, trust_env=False)
    nothing = httpx.get(f"{running_service.url}/.well-known/oauth-protected-resource/mcp", trust_env=False)

    assert 401 == answer.status_code
    assert f'Bearer resource_metadata="{page}"' == answer.headers["www-authenticate"]
    assert [f"{own.url}/mcp", [ISSUER]] == [metadata["resource"], metadata["authorization_servers"]]
    assert [401, "Bearer"] == [without.status_code, without.headers["www-authenticate"]]
    assert 404 == nothing.status_code


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_says_why_it_was_refused_at_the_door(running_service: RunningService, mode: str) -> None:
    """In the service's words, which is all that whoever has set it up wrongly gets to see."""
    wrong = [("?type=query", None, "no query parameter “type” here"), ("", {"Authorization": "Bearer x"}, "token")]
    for query, headers, said in wrong:
        with pytest.raises(BaseExceptionGroup) as refused:
            async with agent(running_service, USER, query, headers=headers, mode=mode) as client:
                await client.list_tools()

        assert refused.group_contains(MCPError, match=said)


def test_what_is_refused_at_the_door(own: RunningService) -> None:
    """Foreign pages, large bodies, queries that can't be read, other methods, and too many requests."""
    with own.api(USER, **HEADERS) as api:
        own_page = api.post("/mcp", json=INITIALIZE, headers={"Origin": "https://host.example.com"})
        foreign_page = api.post("/mcp", json=INITIALIZE, headers={"Origin": "https://evil.example.com"})
        large = api.post("/mcp", json={**INITIALIZE, "more": "x" * 5000})
        several = api.post("/mcp", json=[INITIALIZE])
        mistyped = ("types=reads", "tools=all", "apps=nothing", "type=query")
        queries = [api.post(f"/mcp?{query}", json=INITIALIZE) for query in mistyped]
        got = api.get("/mcp")
        statuses = [api.post("/mcp/", json=INITIALIZE).status_code for _ in range(40)]

    for answer in (foreign_page, large, several, *queries):
        refused = JSONRPCError.model_validate(answer.json())
        assert (answer.headers["request-id"], True) == (refused.error.data["request_id"], bool(refused.error.message))
    assert 200 == own_page.status_code
    assert [403, 413, 400] == [foreign_page.status_code, large.status_code, several.status_code]
    assert [400, 400, 404, 400] == [answer.status_code for answer in queries]
    assert [405, "OPTIONS, POST"] == [got.status_code, got.headers["allow"]]
    assert {200, 429} == set(statuses)


async def test_tokens_and_addresses_confine(running_service: RunningService, sandbox: SandboxApp, account: int) -> None:
    """What a token or an address is not for is neither found nor listed nor called, nor another user's account."""
    with running_service.api(USER) as api:
        scope = {"functions": ["sandbox-list-tickets"]}
        token = api.post("/session_tokens", json=scope).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    async with agent(running_service, "", "?tools=functions", headers=bearer) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
    async with agent(running_service, "", headers=bearer) as client:
        found = await client.call_tool("find_functions", {"prompt": "create a ticket titled 'Fire'"})
        listed = await call(client, "sandbox-list-tickets", {})
        created = await call(client, "sandbox-create-ticket", {"title": "x", "project_id": "documentation"})
        passed = await call(client, "sandbox-passthrough-request", {"method": "GET", "url": "/tickets"})
    async with agent(running_service, USER, "?types=query&apps=sandbox") as client:
        hints = [tool.annotations for tool in (await client.list_tools()).tools]
        change = await call(client, "sandbox-create-ticket", {"title": "x", "project_id": "documentation"})
        other = await call(client, "slack-list-channels", {})
    async with agent(running_service, "another user") as client:
        foreign = await call(client, "sandbox-list-tickets", {}, connected_account_id=account)
        nothing = await resource(client, "integration-functions://accounts")
        with pytest.raises(MCPError, match="There is no resource"):
            await resource(client, f"integration-functions://accounts/{account}")

    assert ["sandbox-list-tickets"] == tools
    assert {"sandbox-list-tickets"} >= {each["name"] for each in found.structured_content["functions"]}
    assert not listed.is_error
    assert "does not allow calling this function" in text_of(created)
    assert "does not allow calling this function" in text_of(passed)
    assert all(hint.read_only_hint for hint in hints)
    assert "this connection offers only: query" in text_of(change)
    assert "this connection offers only: sandbox" in text_of(other)
    assert foreign.is_error
    assert [] == nothing
    assert {"GET"} == {each["method"] for each in sandbox.received("/api/v1/tickets")}


async def test_what_becomes_of_a_cancelled_call(own: RunningService, sandbox: SandboxApp) -> None:
    """It had told that it takes long; it keeps its place among those under way, goes on to its end, and can be read."""
    connect_by_key(own, "impatient", sandbox.api_keys["alice"])
    ticket = {"title": "Slowly", "project_id": "documentation"}
    arguments = {"name": "sandbox-create-ticket", "arguments": ticket, "idempotency_key": "cancelled by an agent"}
    async with agent(own, "impatient") as client:
        sandbox.fault("/api/v1/tickets", "slow", seconds=8)
        told = await give_up(client, arguments)
        latest = (await resource(client, "integration-functions://calls"))[0]
        refused = await call(client, "sandbox-list-projects", {})
        with anyio.fail_after(60):
            while (repeated := await client.call_tool("call_function", arguments)).is_error:
                assert "1 calls under way" in text_of(repeated)
                await anyio.sleep(3)

    assert "Waiting for Tickets sandbox." == told
    assert ["sandbox-create-ticket", "started"] == [latest["function"], latest["outcome"]]
    assert "1 calls under way" in text_of(refused)
    assert repeated.structured_content["replayed"]
    assert 1 == len(sandbox.received("/api/v1/tickets"))


def test_the_end_of_a_secret_and_of_the_service(tmp_path: Path) -> None:
    """A retired secret opens nothing any more; who waits for a user is answered before the service ends."""
    application = create_application(tmp_path, "Test host")
    with service(tmp_path, application=application) as running, ThreadPoolExecutor(1) as others:
        made = json.loads(command(tmp_path, "application", "rotate-secret", "Test host", "--json"))
        command(tmp_path, "application", "rotate-secret", "Test host", "--retire-old")
        with running.api(USER, **HEADERS) as api:  # which the service learns within two seconds
            running.program.wait_until(lambda: api.post("/mcp", json=INITIALIZE).status_code == 401 or None)
        renewed = evolve(running, app_secret=made["app_secret"])
        is_waiting = Event()

        def wait_for_the_user() -> str:
            async def progress(done: float, total: float | None, message: str | None) -> None:
                is_waiting.set()

            async def ask() -> str:
                async with agent(renewed, USER, user=User()) as client:
                    wanted = {"name": "sandbox-list-tickets"}
                    return text_of(await client.call_tool("call_function", wanted, progress_callback=progress))

            return anyio.run(ask)

        waiting = others.submit(wait_for_the_user)
        assert is_waiting.wait(timeout=60)
        running.program.process.send_signal(signal.SIGTERM)
        status = running.program.process.wait(timeout=20)
        said = waiting.result(timeout=10)

    assert 0 == status
    assert "has not finished yet" in said
