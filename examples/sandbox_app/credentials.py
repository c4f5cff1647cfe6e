"""Who is asking: finds the access token or API key of an API request and the user behind it."""

from typing import Literal

from attrs import frozen

from examples.sandbox_app.grants import Grants
from examples.sandbox_app.messages import Refusal, Request
from examples.sandbox_app.users import ApiKeys, User

SCOPES = {
    "tickets:read": "Read your projects, tickets, labels, members and events",
    "tickets:write": "Create, change and delete tickets",
}


@frozen
class Caller:
    """A user, by which kind of credential, and what it allows."""

    kind: Literal["oauth", "api_key"]
    user: User
    scopes: frozenset[str]


def presented_secret(request: Request) -> tuple[str, bool] | None:
    """The secret that the request carries and whether it came as a bearer token; None without any."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return value.strip(), True
    key = request.headers.get("x-api-key", "").strip()
    return (key, False) if key else None


class Credentials:
    """Tells the caller of an API request."""

    def __init__(self, grants: Grants, keys: ApiKeys) -> None:
        self._grants = grants
        self._keys = keys

    def find(self, request: Request) -> Caller | None:
        """The caller, or None when the request carries no credential or a dead one."""
        presented = presented_secret(request)
        if presented is None:
            return None
        secret, bearer = presented
        key = self._keys.find(secret)
        if key is not None:
            return Caller("api_key", key.user, frozenset(SCOPES))
        grant = self._grants.find_access(secret) if bearer else None
        return Caller("oauth", grant.user, grant.scopes) if grant is not None else None

    def require(self, request: Request, scope: str | None) -> Caller:
        """The caller, who must hold `scope`; raises `Refusal` 401 or 403."""
        caller = self.find(request)
        if caller is None:
            raise unauthorized()
        if scope is not None and scope not in caller.scopes:
            challenge = f'Bearer realm="tickets", error="insufficient_scope", scope="{scope}"'
            raise Refusal(
                403, "insufficient_scope", f"This needs the scope {scope}.", headers=(("www-authenticate", challenge),)
            )
        return caller


def unauthorized() -> Refusal:
    """The refusal of a request without a living credential."""
    challenge = 'Bearer realm="tickets", error="invalid_token"'
    return Refusal(
        401,
        "unauthorized",
        "Send a living access token or API key.",
        headers=(("www-authenticate", challenge),),
    )
