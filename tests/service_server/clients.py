"""Both clients of the service, used by tests in the same words."""

import contextlib
import inspect
from collections.abc import AsyncIterator
from typing import Any

from attrs import frozen

from service_client import AsyncClient, Client


@frozen
class Clients:
    """Makes clients of one kind for the users of one host application."""

    kind: type[Client] | type[AsyncClient]
    url: str
    app_key: str
    app_secret: str

    def of(self, user_id: str) -> contextlib.AbstractAsyncContextManager[Any]:
        """A client for a user, as the application's backend makes it."""
        return self.by(app_key=self.app_key, secret=self.app_secret, user_id=user_id)

    @contextlib.asynccontextmanager
    async def by(self, **credentials: Any) -> AsyncIterator[Any]:
        """A client that shows these credentials."""
        client = self.kind(self.url, **credentials)
        if isinstance(client, AsyncClient):
            async with client:
                yield client
        else:
            with client:
                yield client


async def result(answer: Any) -> Any:
    """What a method gives, awaited where it has to be."""
    return await answer if inspect.isawaitable(answer) else answer


async def everything(pages: Any) -> list[Any]:
    """All that an iterator gives."""
    return [each async for each in pages] if hasattr(pages, "__aiter__") else list(pages)
