"""What figures and spans say of a request to the service: its method, its route and the status of its answer."""

import re
from typing import Any

from attrs import define

from service_server.rest.wire import Send

_METHODS = frozenset({"GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH"})
# What is answered in front of the framework, which knows the route of everything else.
_IN_FRONT = (
    (re.compile(r"//?apps/list/?"), "/apps/list"),
    (re.compile(r"//?apps/[^/]+/get/?"), "/apps/{app_name}/get"),
    (re.compile(r"//?functions/list/?"), "/functions/list"),
    (re.compile(r"//?functions/predict/?"), "/functions/predict"),
    (re.compile(r"//?functions/[^/]+/get/?"), "/functions/{function_name}/get"),
    (re.compile(r"//?functions/[^/]+/call/?"), "/functions/{function_name}/call"),
    (re.compile(r"/functions/[^/]+/?"), "/functions/{function_name}"),
    (re.compile(r"/functions/[^/]+/batch/?"), "/functions/{function_name}/batch"),
    (re.compile(r"/mcp/?"), "/mcp"),
)
_OTHER = "other"
NOT_ANSWERED = 499
"""The status of a request whose caller went away, as proxies log it."""


@define
class Answered:
    """How a request was answered, in words of which there are few: anybody may send any method to any path."""

    status: int = NOT_ANSWERED

    def method_of(self, scope: Any) -> str:
        """The method, if it is a known one."""
        method: str = scope["method"]
        return method if method in _METHODS else "_OTHER"

    def route_of(self, scope: Any) -> str:
        """The route, with names in place of what differs from request to request."""
        for pattern, route in _IN_FRONT:
            if pattern.fullmatch(scope["path"]):
                return route
        route = scope.get("path_template")
        return route if isinstance(route, str) and route and self.status != 404 else _OTHER


def noting(answered: Answered, send: Send) -> Send:
    """Send an answer, and note its status."""

    async def noted(message: Any) -> None:
        if message["type"] == "http.response.start":
            answered.status = message["status"]
        await send(message)

    return noted
