"""Operators: who may sign in to the console, and as what."""

from service_client.admin.lists import pages
from service_client.models.administration import (
    EndedSessions,
    Operator,
    Operators,
    OperatorSession,
    OperatorSessions,
    Role,
)
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "operators")


class _Operators:
    @listed
    def list(
        self, *, limit: int | None = None, cursor: str = "", timeout: float | None = None
    ) -> tuple[str, ItemsAt[Operator]]:
        """List the operators, by name."""
        return pages(("operators",), Operators, {"limit": limit}, cursor, timeout)

    @operation
    def add(
        self, name: str, password: str, role: Role, *, sees_contents: bool = False, timeout: float | None = None
    ) -> Plan[Operator]:
        """Let someone sign in; `sees_contents` lets a viewer see arguments and outputs."""
        body = {"name": name, "password": password, "role": role, "sees_contents": sees_contents}
        response = yield Request("POST", _PATH, body=body, timeout=timeout)
        return read(response, Operator)

    @operation
    def set_role(
        self, name: str, role: Role, *, sees_contents: bool = False, timeout: float | None = None
    ) -> Plan[None]:
        """Give an operator another role; the last owner stays one."""
        body = {"name": name, "role": role, "sees_contents": sees_contents}
        yield Request("POST", (*_PATH, "role"), body=body, timeout=timeout)

    @operation
    def set_password(self, name: str, password: str, *, timeout: float | None = None) -> Plan[None]:
        """Give an operator another password, which ends their sessions."""
        yield Request("POST", (*_PATH, "password"), body={"name": name, "password": password}, timeout=timeout)

    @operation
    def remove(self, name: str, *, timeout: float | None = None) -> Plan[None]:
        """Remove an operator; the last owner stays."""
        yield Request("DELETE", _PATH, query={"name": name}, timeout=timeout)

    @listed
    def sessions(
        self, name: str | None = None, *, limit: int | None = None, cursor: str = "", timeout: float | None = None
    ) -> tuple[str, ItemsAt[OperatorSession]]:
        """List where all operators, or the one of a name, are signed in: by operator, the newest sessions first."""
        return pages(("operators", "sessions"), OperatorSessions, {"name": name, "limit": limit}, cursor, timeout)

    @operation
    def end_session(self, name: str, session: str, *, timeout: float | None = None) -> Plan[bool]:
        """End the session of this id, which is an operator's; False if it has ended already."""
        response = yield Request(
            "POST", (*_PATH, "sessions", "end"), body={"name": name, "session": session}, timeout=timeout
        )
        return read(response, EndedSessions).ended > 0

    @operation
    def end_sessions(self, name: str, *, timeout: float | None = None) -> Plan[int]:
        """End all sessions of an operator; returns how many that were."""
        response = yield Request("POST", (*_PATH, "sessions", "end"), body={"name": name}, timeout=timeout)
        return read(response, EndedSessions).ended


class AdminOperators(_Operators, SyncResource):
    """Operators."""


class AsyncAdminOperators(_Operators, AsyncResource):
    """Operators."""
