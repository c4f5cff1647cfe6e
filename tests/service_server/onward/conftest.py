"""Fixtures that start scripted servers and send to them."""

import contextlib
from collections.abc import AsyncIterator
from ssl import SSLContext

import pytest

from tests.service_server.onward.scripted import Fetch, Script, ScriptedServer, Serve, answer_always


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
async def fetch() -> AsyncIterator[Fetch]:
    """Send requests to scripted servers; the senders close with the test."""
    async with contextlib.AsyncExitStack() as stack:
        yield Fetch(stack)
