"""Apps of the catalogue."""

from service_client.models import App, AppList
from service_client.plans import AsyncResource, Items, ItemsAt, Plan, Request, SyncResource, listed, operation, read


class _Apps:
    @listed
    def list(
        self, *, connected_only: bool = False, cursor: str = "", timeout: float | None = None
    ) -> tuple[str, ItemsAt[App]]:
        """
        List the apps; with `connected_only`, only those in which the user has an account.

        The result is the first page, or the one at a `cursor` kept from an earlier page; iterating over it goes on
        through all later pages.
        """

        def items_at(cursor: str) -> Plan[Items[App]]:
            query = {"connected_only": connected_only, "cursor": cursor or None}
            response = yield Request("GET", ("apps",), query=query, timeout=timeout)
            page = read(response, AppList)
            return Items(page.apps, page.cursor, response.request_id)

        return cursor, items_at

    @operation
    def get(self, name: str, *, timeout: float | None = None) -> Plan[App]:
        """Fetch one app."""
        response = yield Request("GET", ("apps", name), timeout=timeout)
        return read(response, App)


class Apps(_Apps, SyncResource):
    """Apps of the catalogue."""


class AsyncApps(_Apps, AsyncResource):
    """Apps of the catalogue."""
