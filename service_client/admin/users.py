"""One user of an application: all that is kept of them, told or erased."""

from service_client.models.administration import Erased
from service_client.plans import AsyncResource, Plan, Request, SyncResource, operation, read

_PATH = ("admin", "users")


class _Users:
    @operation
    def export(self, application: int, user_id: str, *, timeout: float | None = None) -> Plan[bytes]:
        """
        Fetch all that is kept of a user as JSON lines, each with its `type`; without credentials.

        The lines are held in memory.
        """
        query: dict[str, str | float | bool | None] = {"application": application, "user": user_id}
        response = yield Request("GET", (*_PATH, "export"), query=query, timeout=timeout)
        return response.content

    @operation
    def erase(self, application: int, user_id: str, *, timeout: float | None = None) -> Plan[Erased]:
        """
        Revoke a user's accounts at their apps, and delete all that is kept of the user. This can't be undone.

        Broken off, it is begun again by asking once more.
        """
        body = {"application": application, "user_id": user_id}
        response = yield Request("POST", (*_PATH, "erase"), body=body, timeout=timeout)
        return read(response, Erased)


class AdminUsers(_Users, SyncResource):
    """Users' data."""


class AsyncAdminUsers(_Users, AsyncResource):
    """Users' data."""
