"""Finds the handler of a path and verb."""

import re
from collections.abc import Callable, Iterable

from attrs import field, frozen

from examples.sandbox_app.messages import Refusal, Request, Response


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(pattern)))


@frozen
class Route:
    """A verb, a path such as `/tickets/{ticket_id}`, and the handler that gets the request and the path's values."""

    method: str
    pattern: str
    handler: Callable[..., Response]
    matcher: re.Pattern[str] = field(init=False)

    @matcher.default
    def _make_matcher(self) -> re.Pattern[str]:
        return _compile(self.pattern)


class Routes:
    """All routes of the app."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = tuple(routes)

    def answer(self, request: Request) -> Response:
        """Let the matching handler answer; raises `Refusal` 404, or 405 where only the verb is wrong."""
        allowed: list[str] = []
        for route in self._routes:
            match = route.matcher.fullmatch(request.path)
            if match is None:
                continue
            if route.method == request.method:
                return route.handler(request, **match.groupdict())
            allowed.append(route.method)
        if allowed:
            allow = ", ".join(allowed)
            message = f"This path takes {allow}."
            raise Refusal(405, "method_not_allowed", message, headers=(("allow", allow),))
        raise Refusal(404, "not_found", "There is nothing here.")
