"""Connect sessions: letting a user connect an account."""

from collections.abc import Sequence

from service_client.models import ConnectSession, ConnectSessionState
from service_client.plans import AsyncResource, Plan, Request, SyncResource, operation, read


class _ConnectSessions:
    @operation
    def create(
        self,
        app: str,
        *,
        redirect_url: str | None = None,
        connected_account_id: int | str | None = None,
        functions: Sequence[str] | None = None,
    ) -> Plan[ConnectSession]:
        """
        Open a connect session; send the user to its `url`.

        With `redirect_url` the user comes back there with `connect_session` and `code` in the query, for `redeem`.
        With `connected_account_id` that account is connected anew instead of another one added. The user is asked for
        what `functions` (by their full names) need, beside the usual permissions.
        """
        given = {
            "redirect_url": redirect_url,
            "connected_account_id": connected_account_id,
            "functions": None if functions is None else list(functions),
        }
        body = {name: value for name, value in given.items() if value is not None}
        response = yield Request("POST", ("apps", app, "connect_sessions"), body=body)
        return read(response, ConnectSession)

    @operation
    def get(self, id: str, *, wait: int | None = None) -> Plan[ConnectSessionState]:
        """Fetch how a session stands; with `wait` the service answers once it is over, or after so many seconds."""
        response = yield Request("GET", ("connect_sessions", id), query={"wait": wait}, patience=wait or 0)
        return read(response, ConnectSessionState)

    @operation
    def redeem(self, id: str, code: str) -> Plan[ConnectSessionState]:
        """Finish a session in redirect mode with the code that came back with the user."""
        response = yield Request("POST", ("connect_sessions", id, "redeem"), body={"code": code})
        return read(response, ConnectSessionState)

    @operation
    def cancel(self, id: str) -> Plan[None]:
        """End a session."""
        yield Request("DELETE", ("connect_sessions", id))


class ConnectSessions(_ConnectSessions, SyncResource):
    """Connect sessions: letting a user connect an account."""


class AsyncConnectSessions(_ConnectSessions, AsyncResource):
    """Connect sessions: letting a user connect an account."""
