"""The audit trail."""

from service_client.admin.lists import pages
from service_client.models.administration import AuditEvent, AuditTrail
from service_client.plans import AsyncResource, ItemsAt, SyncResource, listed


class _Audit:
    @listed
    def list(
        self,
        *,
        by: str | None = None,
        act: str | None = None,
        subject: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[AuditEvent]]:
        """
        List what was done, newest first: `by` whom, which `act`, and to which `subject`, by its id.

        `since` and `until` are moments such as 2026-11-23T08:30 (UTC), or a time ago such as 24h.
        """
        query = {"by": by, "act": act, "subject": subject, "since": since, "until": until, "limit": limit}
        return pages(("audit",), AuditTrail, query, cursor, timeout)


class AdminAudit(_Audit, SyncResource):
    """The audit trail."""


class AsyncAdminAudit(_Audit, AsyncResource):
    """The audit trail."""
