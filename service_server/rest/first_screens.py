"""
`/first_screens`: what a call of the browser SDK shows first, drawn here while the browser still loads Python.

Only the SDK asks for it, whose files come from the same service, so it stands in no description. The request is a form
with the credentials in it, which browsers send without asking first (no preflight): on a slow network that is a round
trip less. It changes nothing but for a connect session that is begun or ended, and no cookie counts.
"""

import asyncio
import contextlib
import gzip
import importlib
from collections.abc import AsyncIterator
from types import ModuleType
from typing import Any

from litestar import Request, Response, post
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from service_client.models import CONVERTER, ConnectSessionState
from service_server.errors import ServiceError
from service_server.rest.authentication import Authenticator
from service_server.rest.caller import Caller
from service_server.rest.dependencies import GivenService
from service_server.rest.fields import Field, read_fields
from service_server.rest.rate_limit import RateLimit
from service_server.rest.static_files import accepted_encodings
from service_server.rest.wire import encode
from service_server.service import Service

MOST_ARGUMENTS = 16 * 1024
"""Characters of a call's arguments: with more the browser draws the screen by itself, once it can."""

_COMPRESSED_FROM = 1000  # bytes
_PREPARED_AFTER_SECONDS = 2.0

_FIELDS = {
    "app_key": Field("string", {"maxLength": 200}),
    "user_id": Field("string", {"maxLength": 1024}),
    "hash": Field("string", {"maxLength": 200}),
    "token": Field("string", {"maxLength": 8192}),
    "locale": Field("string", {"maxLength": 20}),
    "theme": Field("string", {"maxLength": 20}),
    "method": Field("string", {"pattern": "^(showApps|connectApp|showFunctionUI)$"}, required=True),
    "arguments": Field("string", required=True),
    "action": Field("string", {"pattern": "^(connect|reconnect)$"}),
    "argument": Field("string", {"maxLength": 64}),
    "leave": Field("string", {"maxLength": 64}),
    "connect_session": Field("string", {"maxLength": 64}),
    "code": Field("string", {"maxLength": 200}),
}
_AUTHENTICATING = {"app_key": b"app-key", "user_id": b"user-id", "hash": b"hash"}


@post("/first_screens", include_in_schema=False)
async def draw_first_screen(request: Request[Any, Any, Any], service: GivenService) -> Response[bytes]:
    """
    Draw what a call begins with, or what it shows once a button that connects was pressed (`action`).

    With `leave` the connect session of that id is ended. Of a user who has just come back from connecting, in redirect
    mode, `connect_session` and `code` are redeemed first. 204 where only the browser can draw what is asked for.
    """
    fields = await read_fields(request, _FIELDS)
    caller = await _caller(request, fields)
    if "leave" in fields:
        caller.require_app(await service.connect.app_of(caller.application, caller.user_id, fields["leave"]))
        await service.connect.cancel(caller.application, caller.user_id, fields["leave"])
        return Response(b"", status_code=HTTP_204_NO_CONTENT)
    drawing = await asyncio.to_thread(_drawing)
    redeemed = await _redeemed(service, caller, fields)
    is_drawn_here = len(fields["arguments"]) <= MOST_ARGUMENTS
    drawn = await drawing.draw(service, caller, fields) if is_drawn_here else None
    if drawn is None and redeemed is None:
        return Response(b"", status_code=HTTP_204_NO_CONTENT)
    answer: dict[str, Any] = {"redeemed": CONVERTER.unstructure(redeemed)}
    if drawn is not None:
        screen, session = drawn
        answer |= {
            "html": screen.html,
            "label": screen.label,
            "known": screen.known,
            "is_over": screen.is_over,
            "session": CONVERTER.unstructure(session),
        }
    return await _compressed(request, encode(answer))


@contextlib.asynccontextmanager
async def prepared_drawing() -> AsyncIterator[None]:
    """Prepare to draw while the block lasts: soon, but not in the way of a start, nor of who asks something then."""

    async def prepare() -> None:
        await asyncio.sleep(_PREPARED_AFTER_SECONDS)
        drawing = await asyncio.to_thread(_drawing)
        await asyncio.to_thread(drawing.first_screens.prepare)

    task = asyncio.create_task(prepare(), name="prepare to draw first screens")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _drawing() -> ModuleType:
    """Import what draws, which takes a moment: in a thread, so that others need not wait for it."""
    return importlib.import_module("service_server.rest.drawing")


async def _caller(request: Request[Any, Any, Any], fields: dict[str, Any]) -> Caller:
    """Return who is asking, as for every request, but that the credentials stand in the body."""
    headers = [header for header in request.scope["headers"] if header[0] == b"origin"]
    headers += [(name, fields[each].encode()) for each, name in _AUTHENTICATING.items() if each in fields]
    if "token" in fields:
        headers.append((b"authorization", f"Bearer {fields['token']}".encode()))
    authenticator: Authenticator = request.app.state.authenticator
    rate_limit: RateLimit = request.app.state.rate_limit
    caller = await authenticator.caller(headers)
    rate_limit.count(caller.application.id, caller.user_id)
    return caller


async def _redeemed(service: Service, caller: Caller, fields: dict[str, Any]) -> ConnectSessionState | None:
    """Finish connecting for who has come back; what is refused the browser asks again, and says why."""
    if "connect_session" not in fields or "code" not in fields:
        return None
    owner = (caller.application, caller.user_id, fields["connect_session"])
    try:
        caller.require_app(await service.connect.app_of(*owner))
        return await service.connect.redeem(*owner, fields["code"])
    except ServiceError:
        return None


async def _compressed(request: Request[Any, Any, Any], body: bytes) -> Response[bytes]:
    headers = {"Vary": "Accept-Encoding"}
    if len(body) >= _COMPRESSED_FROM and "gzip" in accepted_encodings(request):
        body = await asyncio.to_thread(gzip.compress, body, 6)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status_code=HTTP_200_OK, headers=headers, media_type="application/json")


FIRST_SCREEN_ROUTES = [draw_first_screen]
