"""Operators: who may sign in to the console, and as what."""

from service_client.admin.lists import pages
from service_client.models.administration import Operator, Operators, Role
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


class AdminOperators(_Operators, SyncResource):
    """Operators."""


class AsyncAdminOperators(_Operators, AsyncResource):
    """Operators."""
