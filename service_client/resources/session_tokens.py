"""Session tokens: what a host's backend gives its pages instead of the hash."""

from collections.abc import Sequence

from service_client.models import SessionToken
from service_client.plans import AsyncResource, Plan, Request, SyncResource, operation, read


class _SessionTokens:
    @operation
    def create(
        self,
        *,
        expires_in: int | None = None,
        functions: Sequence[str] | None = None,
        apps: Sequence[str] | None = None,
        origin: str | None = None,
        timeout: float | None = None,
    ) -> Plan[SessionToken]:
        """
        Mint a token for the client's user.

        `expires_in` is in seconds (15 minutes if left out, 24 hours at most); `functions`, `apps` and `origin` narrow
        what the token is good for. A token that is not narrowed allows no passthrough.
        """
        given = {
            "expires_in": expires_in,
            "functions": None if functions is None else list(functions),
            "apps": None if apps is None else list(apps),
            "origin": origin,
        }
        body = {name: value for name, value in given.items() if value is not None}
        response = yield Request("POST", ("session_tokens",), body=body, timeout=timeout)
        return read(response, SessionToken)


class SessionTokens(_SessionTokens, SyncResource):
    """Session tokens: what a host's backend gives its pages instead of the hash."""


class AsyncSessionTokens(_SessionTokens, AsyncResource):
    """Session tokens: what a host's backend gives its pages instead of the hash."""
