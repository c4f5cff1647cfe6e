"""`/admin/audit`: what was done, by whom."""

from datetime import datetime

from litestar import get

from service_client.models import administration as models
from service_server.administration.call_filters import read_moment
from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.rest.admin.paging import PAGE_SIZE, GivenFilter, GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.parameters import GivenCursor
from service_server.store import AuditEvent, AuditFilter
from service_server.store.clock import timestamp


@get("/admin/audit", summary="Read the audit trail", **needs(Permission.SEE_AUDIT))
async def list_audit_events(
    service: GivenService,
    actor: GivenActor,
    by: GivenFilter = None,
    act: GivenFilter = None,
    subject: GivenFilter = None,
    since: GivenFilter = None,
    until: GivenFilter = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.AuditTrail:
    """
    List what was done, newest first: `by` whom, which `act`, and to which `subject`, by its id.

    `since` and `until` are moments such as 2026-11-23T08:30 (UTC), or a time ago such as 24h.
    """
    matching = AuditFilter(
        actor=by, act=act, subject=subject, since=_written("since", since), until=_written("until", until)
    )
    paging = Paging(service.vault, "audit", (by, act, subject, since, until))
    most = (limit or PAGE_SIZE) + 1
    found = await service.audit.events(limit=most, before=paging.after(cursor), matching=matching)
    shown, following = paging.newest(found, lambda each: each.id, limit)
    return models.AuditTrail(data=tuple(map(_told, shown)), cursor=following)


AUDIT_ROUTES = [list_audit_events]


def _written(name: str, given: str | None) -> str | None:
    """A moment as the trail has it."""
    try:
        seconds = read_moment(given or "")
    except ValueError:
        problem = "Give a time in UTC such as 2026-11-23T08:30, or a time ago such as 90m, 24h or 7d."
        raise AdministrationError(problem, {name: problem}) from None
    return None if seconds is None else timestamp(seconds)


def _told(event: AuditEvent) -> models.AuditEvent:
    return models.AuditEvent(
        id=event.id,
        at=datetime.fromisoformat(event.at),
        via=event.via,
        actor=event.actor,
        key_id=event.key_id,
        address=event.address,
        request_id=event.request_id,
        act=event.act,
        subject=event.subject,
        changes=event.changes,
    )
