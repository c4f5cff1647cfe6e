"""Apps of the catalogue."""

from service_client.models import App, AppList
from service_client.plans import AsyncResource, Page, PageOf, Plan, Request, SyncResource, operation, paged, read


class _Apps:
    @paged
    def all(self, *, connected_only: bool = False) -> tuple[str, PageOf[App]]:
        """List the apps, page after page; with `connected_only` those in which the user has an account."""

        def page_at(cursor: str) -> Plan[Page[App]]:
            page = yield from _page(connected_only, cursor)
            return Page(page.apps, page.cursor)

        return "", page_at

    @paged
    def pages(self, *, connected_only: bool = False, cursor: str = "") -> tuple[str, PageOf[AppList]]:
        """List the apps as the service's pages, from a cursor that an earlier page gave."""

        def page_at(cursor: str) -> Plan[Page[AppList]]:
            page = yield from _page(connected_only, cursor)
            return Page((page,), page.cursor)

        return cursor, page_at

    @operation
    def get(self, name: str) -> Plan[App]:
        """Fetch one app."""
        response = yield Request("GET", ("apps", name))
        return read(response, App)


def _page(connected_only: bool, cursor: str) -> Plan[AppList]:
    response = yield Request("GET", ("apps",), query={"connected_only": connected_only, "cursor": cursor or None})
    return read(response, AppList)


class Apps(_Apps, SyncResource):
    """Apps of the catalogue."""


class AsyncApps(_Apps, AsyncResource):
    """Apps of the catalogue."""
