"""Connect sessions: letting a user connect an account."""

from collections.abc import Sequence
from math import inf
from typing import Final

from service_client.errors import InvalidArgumentError, WaitTimeoutError
from service_client.models import ConnectSession, ConnectSessionState
from service_client.plans import (
    AskTime,
    AsyncResource,
    PatientPlan,
    Plan,
    Request,
    SyncResource,
    Wait,
    operation,
    read,
)

LONGEST_POLL: Final = 25
"""Seconds; the service answers a poll after this time at the latest."""

_SHORTEST_POLL = 1.0


class _ConnectSessions:
    @operation
    def create(
        self,
        app: str,
        *,
        redirect_url: str | None = None,
        connected_account_id: int | str | None = None,
        functions: Sequence[str] | None = None,
        return_url: str | None = None,
        locale: str | None = None,
        theme: str | None = None,
        accent: str | None = None,
        expires_in: int | None = None,
        timeout: float | None = None,
    ) -> Plan[ConnectSession]:
        """
        Open a connect session; send the user to its `url`.

        With `redirect_url` the user comes back there with `connect_session` and `code` in the query, for `redeem`. With
        `connected_account_id`, that account is reconnected instead of another one being added. Besides the usual
        permissions, the user is asked for those that `functions` (by their full names) need.

        For a link without a page of yours: `expires_in` is for how many seconds it can be opened (ten minutes by
        default, a week at most), and its last page leads to `return_url`. The pages speak `locale`, else the browser's
        language, and have the `theme` ("light" or "dark") and the `accent` colour ("#0a7d5c"), else the application's
        brand.
        """
        given = {
            "redirect_url": redirect_url,
            "connected_account_id": connected_account_id,
            "functions": None if functions is None else list(functions),
            "return_url": return_url,
            "locale": locale,
            "theme": theme,
            "accent": accent,
            "expires_in": expires_in,
        }
        body = {name: value for name, value in given.items() if value is not None}
        response = yield Request("POST", ("apps", app, "connect_sessions"), body=body, timeout=timeout)
        return read(response, ConnectSession)

    @operation
    def get(self, id: str, *, wait: float | None = None, timeout: float | None = None) -> Plan[ConnectSessionState]:
        """Fetch a session's state; with `wait` the service answers once it is over, or after that many seconds."""
        return (yield from _state(id, wait, timeout))

    @operation
    def wait(self, id: str, *, timeout: float | None = None) -> PatientPlan[ConnectSessionState]:
        """
        Wait until a session is over, and return how it ended, which need not be `connected`.

        A session ends by itself some minutes after it was opened, or after its `expires_in` if nobody opens it.
        `timeout` is in seconds and covers the whole wait; once it is over, `WaitTimeoutError` is raised and the session
        goes on. To end a wait sooner, cancel the session: the wait then returns it as `cancelled`. With `AsyncClient`
        you may also cancel the waiting task; the session then goes on.
        """
        if timeout is not None and not timeout > 0:
            raise InvalidArgumentError("timeout must be a number of seconds above 0.")
        asked_at: float = yield AskTime()
        deadline = inf if timeout is None else asked_at + timeout
        while True:
            state = yield from _state(id, min(LONGEST_POLL, deadline - asked_at), None)
            if state.status != "pending":
                return state
            # A service that answers at once must not be asked again without a pause.
            now: float = yield AskTime()
            if now < asked_at + _SHORTEST_POLL:
                yield Wait(asked_at + _SHORTEST_POLL - now)
            asked_at = yield AskTime()
            if asked_at >= deadline:
                raise WaitTimeoutError(f"The connect session is still pending after {timeout:g} seconds.")

    @operation
    def redeem(self, id: str, code: str, *, timeout: float | None = None) -> Plan[ConnectSessionState]:
        """Finish a session in redirect mode with the code that came back with the user."""
        response = yield Request("POST", ("connect_sessions", id, "redeem"), body={"code": code}, timeout=timeout)
        return read(response, ConnectSessionState)

    @operation
    def cancel(self, id: str, *, timeout: float | None = None) -> Plan[None]:
        """End a session."""
        yield Request("DELETE", ("connect_sessions", id), timeout=timeout)


def _state(id: str, wait: float | None, timeout: float | None) -> Plan[ConnectSessionState]:
    path = ("connect_sessions", id)
    response = yield Request("GET", path, query={"wait": wait}, patience=wait or 0, timeout=timeout)
    return read(response, ConnectSessionState)


class ConnectSessions(_ConnectSessions, SyncResource):
    """Connect sessions: letting a user connect an account."""


class AsyncConnectSessions(_ConnectSessions, AsyncResource):
    """Connect sessions: letting a user connect an account."""
