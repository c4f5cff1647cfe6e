"""What the client's tests share: a scripted server, and one way to drive the blocking and the awaiting client."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from service_client import AsyncClient, AsyncPages, Client, Page
from service_client.plans import listed, operation, paged
from service_client.testing import AsyncMemoryTransport, HttpRequest, MemoryTransport, Response
from tests.service_client.scripted_server import ScriptedServer

KNOWN: dict[str, Any] = {"app_key": "key", "user_id": "ann", "secret": "secret"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Run a scripted server on a free port."""
    server = ScriptedServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


class BlockingDriver:
    """Runs a test's steps with `Client`."""

    client_type = Client

    def run(self, base_url: str, step: Callable[[Any], Any], **options: Any) -> Any:
        """Return what one method returns, or the list of what a list or an iterator gives."""
        with Client(base_url, **(options or KNOWN)) as client:
            return self.finish(step(client))

    def finish(self, result: Any) -> Any:
        """Return a method's result, or the list of what a list or an iterator gives."""
        return list(result) if isinstance(result, (Iterator, Page)) else result

    def close(self, client: Client) -> None:
        """Close a client."""
        client.close()

    def memory(self, handler: Callable[[HttpRequest], Response]) -> Any:
        """Return a transport that the handler answers."""
        return MemoryTransport(handler)


class AwaitingDriver:
    """Runs a test's steps with `AsyncClient`, each in an event loop of its own."""

    client_type = AsyncClient

    def run(self, base_url: str, step: Callable[[Any], Any], **options: Any) -> Any:
        """Return what one method returns, or the list of what a list or an iterator gives."""

        async def steps() -> Any:
            async with AsyncClient(base_url, **(options or KNOWN)) as client:
                return await self._awaited(step(client))

        return asyncio.run(steps())

    def finish(self, result: Any) -> Any:
        """Return a method's result, or the list of what a list or an iterator gives."""
        return asyncio.run(self._awaited(result))

    def close(self, client: AsyncClient) -> None:
        """Close a client."""
        asyncio.run(client.aclose())

    async def _awaited(self, result: Any) -> Any:
        if isinstance(result, (AsyncIterator, AsyncPages)):
            return [item async for item in result]
        return await result

    def memory(self, handler: Callable[[HttpRequest], Response]) -> Any:
        """Return a transport that the handler answers."""
        return AsyncMemoryTransport(handler)


def methods_of(client: Client | AsyncClient) -> dict[str, Any]:
    """Every method of the API as `noun.verb`."""
    return {
        f"{noun}.{name}": getattr(resource, name)
        for noun, resource in vars(client).items()
        if not noun.startswith("_")
        for name in dir(type(resource))
        if isinstance(inspect.getattr_static(resource, name), (listed, operation, paged))
    }


Driver = BlockingDriver | AwaitingDriver


@pytest.fixture(params=[BlockingDriver, AwaitingDriver], ids=["blocking", "awaiting"], scope="session")
def driver(request: pytest.FixtureRequest) -> Driver:
    """Drive the test once with each client."""
    made: Driver = request.param()
    return made
