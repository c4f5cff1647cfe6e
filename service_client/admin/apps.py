"""What is set for third-party apps, for all applications or for one."""

from collections.abc import Mapping

from service_client.admin.lists import given, pages
from service_client.models.administration import AllAppSettings, AppSettings, TriedSignIn, TriedSignIns
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "apps")


class _Apps:
    @listed
    def list(
        self,
        *,
        application: int | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[AppSettings]]:
        """List what is set for all apps, by name; with an application what counts for it."""
        return pages(("apps",), AllAppSettings, {"application": application, "limit": limit}, cursor, timeout)

    @operation
    def get(self, app: str, *, application: int | None = None, timeout: float | None = None) -> Plan[AppSettings]:
        """Tell what is set for an app, and what is still missing."""
        response = yield Request("GET", (*_PATH, app), query={"application": application}, timeout=timeout)
        return read(response, AppSettings)

    @operation
    def configure(
        self,
        app: str,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        variables: Mapping[str, str] | None = None,
        application: int | None = None,
        timeout: float | None = None,
    ) -> Plan[AppSettings]:
        """
        Set the OAuth2 client and the operator's variables of an app; an empty text is removed, None stays as it is.

        With an application they are set for it alone, in place of all that is set for the others.
        """
        named = None if variables is None else dict(variables)
        body = given(client_id=client_id, client_secret=client_secret, variables=named)
        query = {"application": application}
        response = yield Request("POST", (*_PATH, app), query=query, body=body, timeout=timeout)
        return read(response, AppSettings)

    @operation
    def try_sign_in(
        self, app: str, *, application: int | None = None, timeout: float | None = None
    ) -> Plan[tuple[TriedSignIn, ...]]:
        """Try the sign-in settings with the app itself, as far as that can be done without a user."""
        query = {"application": application}
        response = yield Request("POST", (*_PATH, app, "try"), query=query, body={}, timeout=timeout)
        return read(response, TriedSignIns).data

    @operation
    def share(self, app: str, application: int, *, timeout: float | None = None) -> Plan[None]:
        """Take an application's own settings of an app away."""
        yield Request("DELETE", (*_PATH, app), query={"application": application}, timeout=timeout)


class AdminApps(_Apps, SyncResource):
    """Settings of third-party apps."""


class AsyncAdminApps(_Apps, AsyncResource):
    """Settings of third-party apps."""
