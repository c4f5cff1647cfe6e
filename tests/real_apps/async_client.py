"""The service's own asynchronous client, for a user."""

import contextlib
from collections.abc import AsyncIterator

import httpx

from service_client import AsyncClient
from service_client.transports.httpx import AsyncHttpxTransport
from tests.service_server.processes import RunningService


@contextlib.asynccontextmanager
async def async_client(service: RunningService, user_id: str) -> AsyncIterator[AsyncClient]:
    """Open connections of its own for one user of the service."""
    async with httpx.AsyncClient(trust_env=False, timeout=60) as connections:
        yield AsyncClient(
            transport=AsyncHttpxTransport(connections),
            base_url=service.url,
            app_key=service.app_key,
            user_id=user_id,
            secret=service.app_secret,
        )
