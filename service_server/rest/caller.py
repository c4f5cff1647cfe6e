"""Who is asking: an application on behalf of one of its users, perhaps with a token of limited scope."""

from collections.abc import Collection

from attrs import frozen

from service_client.models import Code
from service_server.errors import failure
from service_server.store import Account, Accounts, Application


@frozen(kw_only=True)
class Scope:
    """
    What a session token may be used for; None means no limit, but passthrough is only ever allowed by name.

    `allows_origin` is set for a token of the console: it may be used from the one origin that it is for, listed or not.
    """

    functions: Collection[str] | None = None
    apps: Collection[str] | None = None
    allows_origin: bool = False

    def allows(self, function_name: str, function_type: str) -> bool:
        """Whether a function may be called: each limit that is set has to let it through."""
        named = function_type != "passthrough" if self.functions is None else function_name in self.functions
        return named and self.allows_app(function_name.partition("-")[0])

    def allows_app(self, app_name: str) -> bool:
        """Whether accounts of an app may be seen, connected and disconnected."""
        if self.apps is not None:
            return app_name in self.apps
        return self.functions is None or any(name.partition("-")[0] == app_name for name in self.functions)


@frozen(kw_only=True)
class Caller:
    """
    The authenticated side of a request; `scope` is None for the three headers, which may do everything.

    `secret_name` names the application's secret that vouches for it: for a token the one that it was minted with.
    """

    application: Application
    user_id: str
    secret_name: str
    scope: Scope | None = None

    def may_call(self, function_name: str, function_type: str) -> bool:
        """Whether the credentials cover a function."""
        return self.scope is None or self.scope.allows(function_name, function_type)

    def require_function(self, function_name: str, function_type: str) -> None:
        """Refuse a function outside the token's scope."""
        if not self.may_call(function_name, function_type):
            raise failure(403, Code.FORBIDDEN, "This session token does not allow calling this function.")

    def may_connect(self, app_name: str) -> bool:
        """Whether the credentials cover an app and its accounts."""
        return self.scope is None or self.scope.allows_app(app_name)

    def require_app(self, app_name: str) -> None:
        """Refuse an app outside the token's scope."""
        if not self.may_connect(app_name):
            raise failure(403, Code.FORBIDDEN, "This session token does not allow this app.")

    async def accounts(self, kept: Accounts, app_name: str | None = None) -> list[Account]:
        """The user's accounts that the credentials cover, newest first; only those of one app if given."""
        found = await kept.of_user(self.application.id, self.user_id, app_name)
        return [each for each in found if self.may_connect(each.app_name)]
