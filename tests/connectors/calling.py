"""Calls functions of connectors against running apps: build, page, inject, send and pick, without the service."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from attrs import field, frozen

from service_server.catalog.values import AccountIdentity, Connector
from service_server.onward.sender import Sender
from service_server.onward.values import OnwardRequest, OnwardResponse


@frozen
class Answer:
    """What came back of one call, and the position of the next page."""

    status: int
    body: Any
    output: Any
    position: Any = None


@frozen
class Account:
    """Somebody's account of an app: how it signs in, and with what (`vars`, `creds`, `token`)."""

    connector: Connector
    sender: Sender
    auth_id: str
    context: Mapping[str, Any] = field(repr=False)

    async def call(self, function_name: str, /, position: Any = None, **arguments: Any) -> Answer:
        """Call a function by its name without the app's; arguments must be valid."""
        function = self.connector.functions[f"{self.connector.name}-{function_name}"]
        assert [] == [error.message for error in function.validator.iter_errors(arguments)]
        request = function.request.build(self._base_url, {**self.context, "args": arguments})
        if function.pagination is not None:
            request = function.pagination.apply(request, position)
        response = await self._send(request)
        body = parsed(response)
        output = function.pick(body) if 200 <= response.status < 300 else body
        if function.pagination is None:
            return Answer(response.status, body, output)
        following = function.pagination.following(position, request, response, body, output)
        return Answer(response.status, body, output, following.position)

    async def pages(self, function_name: str, /, **arguments: Any) -> AsyncIterator[Answer]:
        """Call a paginated function page by page."""
        answer = await self.call(function_name, **arguments)
        yield answer
        while answer.position is not None:
            answer = await self.call(function_name, answer.position, **arguments)
            yield answer

    async def identity(self) -> AccountIdentity:
        """Run the connection test and tell whose account it is."""
        assert self.connector.test is not None
        response = await self._send(self.connector.test.build(self._base_url, self.context))
        assert 200 == response.status
        return self.connector.identity({**self.context, "test": parsed(response)})

    @property
    def _base_url(self) -> str:
        return self.connector.base_url(self.context)

    async def _send(self, request: OnwardRequest) -> OnwardResponse:
        method = self.connector.auth_method(self.auth_id)
        assert method is not None
        signed = method.inject.apply(request, self.context)
        return await self.sender.fetch(
            signed, self.connector.host_rules(self.context), secret_headers=method.inject.secret_headers
        )


def parsed(response: OnwardResponse) -> Any:
    """Read the body as JSON; an empty one is None."""
    return json.loads(response.body) if response.body else None
