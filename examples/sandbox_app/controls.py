"""The tester's controls: order faults, read the request log, expire, revoke, reset."""

import re
from collections.abc import Callable
from typing import Any

from attrs import asdict

from examples.sandbox_app.faults import Faults
from examples.sandbox_app.grants import Grants
from examples.sandbox_app.messages import Refusal, Request, Response, json_response, no_content
from examples.sandbox_app.paging import single
from examples.sandbox_app.request_log import RequestLog
from examples.sandbox_app.routes import Route
from examples.sandbox_app.users import User, find_user

PREFIX = "/_"


class Controls:
    """Answers the paths that begin with `/_`; they are for the tester's own programs, never for browsers."""

    def __init__(
        self,
        faults: Faults,
        log: RequestLog,
        grants: Grants,
        redirect_uris: list[str],
        reset: dict[str, Callable[[], None]],
    ) -> None:
        self._faults = faults
        self._log = log
        self._grants = grants
        self._redirect_uris = redirect_uris
        self._reset = reset

    def routes(self) -> tuple[Route, ...]:
        """Every control."""
        return (
            Route("POST", "/_faults", self.order_fault),
            Route("GET", "/_faults", self.list_faults),
            Route("DELETE", "/_faults", self.drop_faults),
            Route("GET", "/_log", self.show_log),
            Route("POST", "/_reset", self.reset),
            Route("POST", "/_expire", self.expire),
            Route("POST", "/_revoke", self.revoke),
            Route("PUT", "/_client", self.register),
        )

    @staticmethod
    def check_origin(request: Request) -> None:
        """Refuse a page in somebody's browser that tries to reach the controls."""
        if "origin" in request.headers or request.headers.get("sec-fetch-site", "none") != "none":
            raise Refusal(403, "forbidden", "The controls are not for browsers.")

    def order_fault(self, request: Request) -> Response:
        """Order a fault."""
        return json_response({"id": self._faults.order(request.json_object()).id}, 201)

    def list_faults(self, request: Request) -> Response:
        """Show the faults still to happen."""
        return json_response({"faults": [asdict(fault) for fault in self._faults.waiting()]})

    def drop_faults(self, request: Request) -> Response:
        """Let everything go well again."""
        self._faults.reset()
        return no_content()

    def show_log(self, request: Request) -> Response:
        """Show the latest requests."""
        return json_response({"requests": [asdict(entry) for entry in self._log.entries(single(request, "path"))]})

    def reset(self, request: Request) -> Response:
        """Bring back the state of the start, all of it or the named parts."""
        body = _optional_object(request, {"parts"})
        parts = body.get("parts", list(self._reset))
        if not isinstance(parts, list) or not all(isinstance(part, str) and part in self._reset for part in parts):
            raise Refusal(400, "bad_request", "parts must be a list of: " + ", ".join(self._reset) + ".")
        for part in parts:
            self._reset[part]()
        return no_content()

    def expire(self, request: Request) -> Response:
        """Let access tokens end now."""
        self._grants.expire_user(_named_user(request))
        return no_content()

    def revoke(self, request: Request) -> Response:
        """End whole grants, as a user who withdraws consent does."""
        self._grants.revoke_user(_named_user(request))
        return no_content()

    def register(self, request: Request) -> Response:
        """Change the client's redirect URIs."""
        uris = request.json_object().get("redirect_uris")
        if not isinstance(uris, list) or not all(is_redirect_uri(uri) for uri in uris):
            raise Refusal(400, "bad_request", "redirect_uris must be a list of absolute http(s) URLs.")
        self._redirect_uris[:] = uris
        return no_content()


def is_redirect_uri(value: object) -> bool:
    """Whether it is an absolute web address without a fragment or anything that breaks a header."""
    return isinstance(value, str) and re.fullmatch(r"https?://[!-\"$-~]+", value) is not None and ";" not in value


def _optional_object(request: Request, known: set[str]) -> dict[str, Any]:
    body = request.json_object() if request.body else {}
    if body.keys() - known:
        raise Refusal(400, "bad_request", "Unknown: " + ", ".join(sorted(body.keys() - known)) + ".")
    return body


def _named_user(request: Request) -> User | None:
    name = _optional_object(request, {"user"}).get("user")
    if name is None:
        return None
    user = find_user(name) if isinstance(name, str) else None
    if user is None:
        raise Refusal(400, "bad_request", "There is no such user.")
    return user
