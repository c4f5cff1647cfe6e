"""The REST side of connecting: open a session, watch it, cancel it, redeem it."""

from typing import Annotated, Any

from litestar import Request, delete, get, post
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from service_client.models import ConnectSession, ConnectSessionState
from service_server.connect.sessions.sessions import (
    LONGEST_LINK_SECONDS,
    LONGEST_WATCH_SECONDS,
    HostPage,
)
from service_server.html_pages.language import known_locale
from service_server.rest.apps import known_app
from service_server.rest.caller import Caller
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import FUNCTION_NAME, LARGEST_ID, AppName, SessionId
from service_server.service import Service

_NEW_SESSION = {
    "redirect_url": Field("string", {"pattern": r"^https?://[!-~]+$", "maxLength": 2048}),
    "connected_account_id": Field("number", {"minimum": 1, "maximum": LARGEST_ID}),
    "functions": Field("array", {"items": FUNCTION_NAME, "maxItems": 500}),
    "return_url": Field("string", {"pattern": r"^https?://[!-~]+$", "maxLength": 2048}),
    "locale": Field("string", {"pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$"}),
    "theme": Field("string", {"pattern": "^(light|dark)$"}),
    "accent": Field("string", {"pattern": "^#[0-9A-Fa-f]{6}$"}),
    "expires_in": Field("number", {"minimum": 60, "maximum": LONGEST_LINK_SECONDS}),
}
_REDEMPTION = {"code": Field("string", {"pattern": "^[A-Za-z0-9_-]*$", "maxLength": 200}, required=True)}


@post(
    "/apps/{app_name:str}/connect_sessions",
    status_code=HTTP_201_CREATED,
    summary="Open a connect session",
    tags=["Connected accounts"],
    operation_class=taking_fields(_NEW_SESSION),
)
async def create_connect_session(
    request: Request[Any, Any, Any], service: GivenService, caller: GivenCaller, app_name: AppName
) -> ConnectSession:
    """
    Open a session in which the user connects an account, or reconnects the one named, on the page at `url`.

    What `functions` (by their full names) need is asked for beside what the app is usually asked for. The page speaks
    `locale` (else the browser's language), has the `theme` and the `accent` colour (else the brand's), and in the end
    leads to `return_url`. `expires_in` is how many seconds the link may be opened, 600 unless told; from then on there
    are ten minutes.
    """
    known_app(service, app_name)
    caller.require_app(app_name)
    fields = await read_fields(request, _NEW_SESSION)
    return await service.connect.create(
        caller.application,
        caller.user_id,
        app_name,
        redirect_url=fields.get("redirect_url"),
        connected_account_id=fields.get("connected_account_id"),
        functions=fields.get("functions", ()),
        page=host_page(fields),
        expires_in=fields.get("expires_in"),
    )


def host_page(fields: dict[str, Any]) -> HostPage:
    """Read what a session takes over from the page that it is begun on; a language without words here is none."""
    accent = fields.get("accent")
    return HostPage(
        locale=known_locale(fields.get("locale", "")),
        theme=fields.get("theme"),
        accent=None if accent is None else accent.lower(),
        return_url=fields.get("return_url"),
    )


@get("/connect_sessions/{session_id:str}", summary="Watch a connect session", tags=["Connected accounts"])
async def get_connect_session(
    service: GivenService,
    caller: GivenCaller,
    session_id: SessionId,
    wait: Annotated[float | None, QueryParameter(ge=0, le=LONGEST_WATCH_SECONDS, schema_extra={"minimum": 0})] = None,
) -> ConnectSessionState:
    """Tell how a session stands; with `wait` (seconds, 25 at most) answer once it has ended or the time is over."""
    await _require_app_of(service, caller, session_id)
    return await service.connect.state(caller.application, caller.user_id, session_id, wait or 0.0)


@delete(
    "/connect_sessions/{session_id:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Cancel a connect session",
    tags=["Connected accounts"],
)
async def cancel_connect_session(service: GivenService, caller: GivenCaller, session_id: SessionId) -> None:
    """End a session as cancelled."""
    await _require_app_of(service, caller, session_id)
    await service.connect.cancel(caller.application, caller.user_id, session_id)


@post(
    "/connect_sessions/{session_id:str}/redeem",
    status_code=HTTP_200_OK,
    summary="Redeem a connect session",
    tags=["Connected accounts"],
    operation_class=taking_fields(_REDEMPTION),
)
async def redeem_connect_session(
    request: Request[Any, Any, Any], service: GivenService, caller: GivenCaller, session_id: SessionId
) -> ConnectSessionState:
    """In redirect mode: finalise the account with the code that was added to `redirect_url`."""
    await _require_app_of(service, caller, session_id)
    fields = await read_fields(request, _REDEMPTION)
    return await service.connect.redeem(caller.application, caller.user_id, session_id, fields["code"])


async def _require_app_of(service: Service, caller: Caller, session_id: SessionId) -> None:
    """Refuse a session token whose scope does not hold the app that a session is for."""
    if caller.scope is not None:
        caller.require_app(await service.connect.app_of(caller.application, caller.user_id, session_id))


CONNECT_SESSION_ROUTES = [
    create_connect_session,
    get_connect_session,
    cancel_connect_session,
    redeem_connect_session,
]
