"""Calls functions of connectors against running apps: build, page, inject, send and pick, without the service."""

import json
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from service_server.catalog.values import Connector
from service_server.onward.sender import Sender


@frozen
class Answer:
    """What came back of one call."""

    status: int
    body: Any
    output: Any


@frozen
class Account:
    """Somebody's account of an app: how it signs in, and with what (`vars`, `creds`, `token`)."""

    connector: Connector
    sender: Sender
    auth_id: str
    context: Mapping[str, Any] = field(repr=False)

    async def call(self, function_name: str, /, **arguments: Any) -> Answer:
        """Call a function (its first page) by its name without the app's; arguments must be valid."""
        function = self.connector.functions[f"{self.connector.name}-{function_name}"]
        assert [] == [error.message for error in function.validator.iter_errors(arguments)]
        base_url, method = self.connector.base_url(self.context), self.connector.auth_method(self.auth_id)
        assert method is not None
        request = function.request.build(base_url, {**self.context, "args": arguments})
        if function.pagination is not None:
            request = function.pagination.apply(request, None)
        response = await self.sender.fetch(
            method.inject.apply(request, self.context),
            self.connector.host_rules(self.context),
            secret_headers=method.inject.secret_headers,
        )
        body = json.loads(response.body) if response.body else None
        return Answer(response.status, body, function.pick(body) if 200 <= response.status < 300 else body)
