"""Host applications: their names, secrets, origins and brands."""

import base64
from collections.abc import Sequence

from service_client.admin.lists import given, pages
from service_client.models.administration import Application, Applications, ApplicationWithSecret, Brand
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "applications")


class _Applications:
    @listed
    def list(
        self, *, limit: int | None = None, cursor: str = "", timeout: float | None = None
    ) -> tuple[str, ItemsAt[Application]]:
        """List the applications, oldest first."""
        return pages(("applications",), Applications, {"limit": limit}, cursor, timeout)

    @operation
    def get(self, id: int, *, timeout: float | None = None) -> Plan[Application]:
        """Fetch one application."""
        response = yield Request("GET", (*_PATH, str(id)), timeout=timeout)
        return read(response, Application)

    @operation
    def create(
        self, name: str, *, origins: Sequence[str] = (), timeout: float | None = None
    ) -> Plan[ApplicationWithSecret]:
        """Add an application; keep its secret, which is told this once."""
        body = {"name": name, "origins": [*origins]}
        response = yield Request("POST", _PATH, body=body, timeout=timeout)
        return read(response, ApplicationWithSecret)

    @operation
    def rename(self, id: int, name: str, *, timeout: float | None = None) -> Plan[Application]:
        """Give an application another name, by which operators know it."""
        response = yield Request("POST", (*_PATH, str(id)), body={"name": name}, timeout=timeout)
        return read(response, Application)

    @operation
    def add_secret(self, id: int, *, timeout: float | None = None) -> Plan[ApplicationWithSecret]:
        """Add a second live secret, which is told this once."""
        response = yield Request("POST", (*_PATH, str(id), "secrets"), timeout=timeout)
        return read(response, ApplicationWithSecret)

    @operation
    def retire_secret(self, id: int, fingerprint: str, *, timeout: float | None = None) -> Plan[None]:
        """End the older of two secrets, by its fingerprint: the last of the application's `secrets`."""
        yield Request("DELETE", (*_PATH, str(id), "secrets", fingerprint), timeout=timeout)

    @operation
    def allow_origin(self, id: int, origin: str, *, timeout: float | None = None) -> Plan[Application]:
        """Let pages of an origin call for an application."""
        response = yield Request("POST", (*_PATH, str(id), "origins"), body={"origin": origin}, timeout=timeout)
        return read(response, Application)

    @operation
    def disallow_origin(self, id: int, origin: str, *, timeout: float | None = None) -> Plan[None]:
        """Let pages of an origin call no longer."""
        yield Request("DELETE", (*_PATH, str(id), "origins"), query={"origin": origin}, timeout=timeout)

    @operation
    def brand(self, id: int, *, timeout: float | None = None) -> Plan[Brand]:
        """Tell how users see an application while they connect accounts."""
        response = yield Request("GET", (*_PATH, str(id), "brand"), timeout=timeout)
        return read(response, Brand)

    @operation
    def set_brand(
        self,
        id: int,
        *,
        name: str | None = None,
        accent: str | None = None,
        logo: bytes | None = None,
        timeout: float | None = None,
    ) -> Plan[Brand]:
        """Set the name, the accent (#rrggbb) or the logo (an image); an empty one is removed, None stays as it is."""
        image = None if logo is None else base64.b64encode(logo).decode()
        body = given(name=name, accent=accent, logo=image)
        response = yield Request("POST", (*_PATH, str(id), "brand"), body=body, timeout=timeout)
        return read(response, Brand)


class AdminApplications(_Applications, SyncResource):
    """Host applications."""


class AsyncAdminApplications(_Applications, AsyncResource):
    """Host applications."""
