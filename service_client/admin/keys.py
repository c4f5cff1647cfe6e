"""The keys of the admin API itself."""

from service_client.admin.lists import given, pages
from service_client.models.administration import Key, Keys, KeyWithText, Role
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "keys")


class _Keys:
    @listed
    def list(
        self, *, limit: int | None = None, cursor: str = "", timeout: float | None = None
    ) -> tuple[str, ItemsAt[Key]]:
        """List the keys, without what opens anything."""
        return pages(("keys",), Keys, {"limit": limit}, cursor, timeout)

    @operation
    def create(
        self,
        name: str,
        role: Role,
        *,
        sees_contents: bool = False,
        days: int | None = None,
        timeout: float | None = None,
    ) -> Plan[KeyWithText]:
        """Make a key that lasts so many days, or until it is removed; keep its text, which is told this once."""
        body = given(name=name, role=role, sees_contents=sees_contents, days=days)
        response = yield Request("POST", _PATH, body=body, timeout=timeout)
        return read(response, KeyWithText)

    @operation
    def remove(self, id: str, *, timeout: float | None = None) -> Plan[None]:
        """End a key at once and for good."""
        yield Request("DELETE", (*_PATH, id), timeout=timeout)


class AdminKeys(_Keys, SyncResource):
    """Keys of the admin API."""


class AsyncAdminKeys(_Keys, AsyncResource):
    """Keys of the admin API."""
