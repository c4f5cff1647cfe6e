"""`/admin/operators/sessions`: where operators are signed in to the console."""

from typing import Annotated, Any, TypeAlias

from litestar import Request, get, post
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_200_OK

from service_client.models import administration as models
from service_server.administration.permissions import Permission
from service_server.rest.admin.applications import NAME
from service_server.rest.admin.paging import GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import GivenCursor
from service_server.store import OperatorSession
from service_server.store.clock import moment

_ENDED = {"name": NAME, "session": Field("string", {"pattern": "^[0-9a-f]{64}$"})}

GivenOperator: TypeAlias = Annotated[str | None, QueryParameter(max_length=200)]


@get("/admin/operators/sessions", summary="List sessions of operators", **needs(Permission.MANAGE_OPERATORS))
async def list_operator_sessions(
    service: GivenService,
    actor: GivenActor,
    name: GivenOperator = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.OperatorSessions:
    """List where all operators, or the one of a name, are signed in: by operator, the newest sessions first."""
    paging = Paging(service.vault, "operator sessions", (name,))
    shown, following = paging.page(await service.sessions.living(actor, name), _place, cursor, limit)
    return models.OperatorSessions(data=tuple(map(_told, shown)), cursor=following)


@post(
    "/admin/operators/sessions/end",
    status_code=HTTP_200_OK,
    summary="End sessions of an operator",
    operation_class=taking_fields(_ENDED),
    **needs(Permission.MANAGE_OPERATORS),
)
async def end_operator_sessions(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor
) -> models.EndedSessions:
    """End the `session` of the operator of a name, or all of theirs without one, in every process at once."""
    fields = await read_fields(request, _ENDED)
    if "session" in fields:
        ended = int(await service.sessions.end(actor, fields["name"], fields["session"]))
    else:
        ended = await service.sessions.end_all(actor, fields["name"])
    return models.EndedSessions(ended=ended)


OPERATOR_SESSION_ROUTES = [list_operator_sessions, end_operator_sessions]


def _place(session: OperatorSession) -> list[Any]:
    """Where a session stands in the list; its use, which changes, would move it while pages are read."""
    return [session.operator, -session.created_at, session.id]


def _told(session: OperatorSession) -> models.OperatorSession:
    return models.OperatorSession(
        id=session.id,
        operator=session.operator,
        browser=session.browser,
        address=session.address,
        signed_in_at=moment(session.created_at),
        seen_at=moment(session.seen_at),
    )
