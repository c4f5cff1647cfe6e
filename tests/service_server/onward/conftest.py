"""Fixtures that start scripted servers and open senders to them."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from ssl import SSLContext
from typing import Any

import pytest

from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.onward.scripted import Gate, Script, ScriptedServer, Serve, answer_always


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Start scripted servers; they stop with the test."""
    servers: list[ScriptedServer] = []

    async def start(script: Script = answer_always, ssl: SSLContext | None = None) -> ScriptedServer:
        server = await ScriptedServer(script).start(ssl)
        servers.append(server)
        return server

    yield start
    for server in servers:
        await server.stop()


@pytest.fixture
async def gate() -> AsyncIterator[Gate]:
    """Open senders; they close with the test."""
    async with contextlib.AsyncExitStack() as stack:
        yield Gate(stack)


@pytest.fixture
def fetch(gate: Gate) -> Callable[..., Awaitable[OnwardResponse]]:
    """Send one request to a scripted server, whose host and port are the app's only allowed ones."""

    async def fetch(server: ScriptedServer, method: str = "GET", path: str = "/", **rest: Any) -> OnwardResponse:
        headers, body = rest.pop("headers", ()), rest.pop("body", b"")
        sender = await gate.open(**rest)
        request = OnwardRequest(method, server.url(path), headers, body)
        return await sender.fetch(request, HostRules((f"127.0.0.1:{server.port}",)))

    return fetch
