"""Signing in by OpenID Connect: to the provider's page and back, in the browser that it began in."""

import contextlib
import re
from collections.abc import AsyncIterator
from typing import Any

import structlog
from attrs import frozen
from litestar import Request, Response, get

from service_server.administration.failures import AdministrationError
from service_server.administration.openid import OpenIdAdmission
from service_server.console.entrance import visitor_of
from service_server.console.failures import Refused, not_found
from service_server.console.guard import OPEN
from service_server.console.pages import page_response, see_other
from service_server.console.visit import entrance_of
from service_server.oauth.openid import OpenIdFailed, OpenIdProvider, allowed_for
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.service import Service

_MAX_RESPONSE_BYTES = 256 * 1024
_PAGE_OF_OURS = re.compile(r"/console(/[A-Za-z0-9_-]+)*")
_LOG = structlog.get_logger(__name__)


@frozen
class OpenIdEntrance:
    """The provider, and whom of those that come from there the console lets in."""

    provider: OpenIdProvider
    admission: OpenIdAdmission


@contextlib.asynccontextmanager
async def openid_entrance(service: Service) -> AsyncIterator[OpenIdEntrance | None]:
    """The way in by OpenID Connect while the service runs; None if no provider is set."""
    settings = service.settings.openid
    if settings is None:
        yield None
        return
    hosts = (allowed_for(settings), *service.settings.allow_hosts)
    onward = OnwardSettings(max_response_bytes=_MAX_RESPONSE_BYTES, max_redirects=0, allow_hosts=hosts)
    async with Sender(onward) as sender:
        provider = OpenIdProvider(settings, f"{service.settings.console_url}/console/openid/callback", sender)
        yield OpenIdEntrance(provider, OpenIdAdmission(settings, service.operators.operators))


@get("/console/openid", include_in_schema=False, **OPEN)
async def leave_for_provider(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the browser to the provider; a cookie keeps what its answer has to fit."""
    provider = _openid(request).provider
    try:
        departure = await provider.departure()
    except OpenIdFailed as failure:
        raise _refused(str(failure)) from None
    next_page = request.query_params.get("next", "")
    kept = {
        "state": departure.state,
        "nonce": departure.nonce,
        "verifier": departure.verifier,
        "next": next_page if is_page_of_ours(next_page) else "/console",
    }
    return see_other(departure.url, [entrance_of(request).keep_departure(kept)])


@get("/console/openid/callback", include_in_schema=False, **OPEN)
async def come_back(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Take the provider's answer, once; begin a session of whoever it is about."""
    openid, entrance = _openid(request), entrance_of(request)
    parameters = request.query_params
    kept = entrance.departure(request.cookies, parameters.get("state", ""))
    if kept is None:
        raise _refused("it was begun in another browser, too long ago, or has been answered already")
    if "error" in parameters:
        error = parameters["error"]
        said = error if error.isascii() and error.isprintable() and len(error) <= 64 else "an error"
        raise _refused(f"the provider answered {said}")
    try:
        claims = await openid.provider.claims(
            parameters.get("code", ""), kept["verifier"], kept["nonce"], parameters.get("iss")
        )
        operator = await openid.admission.admit(claims)
    except (OpenIdFailed, AdministrationError) as failure:
        raise _refused(str(failure)) from None
    cookies = [await entrance.begin(operator, visitor_of(request)), entrance.no_departure()]
    # Browsers keep the session's cookie from what began at another site, so a page of ours leads on.
    return page_response("signed_in.html", {"session": None, "next": kept["next"]}, cookies=cookies)


OPENID_ROUTES = [leave_for_provider, come_back]


def is_page_of_ours(path: str) -> bool:
    """Whether somebody who has signed in may be led there."""
    return _PAGE_OF_OURS.fullmatch(path) is not None


def _openid(request: Request[Any, Any, Any]) -> OpenIdEntrance:
    openid: OpenIdEntrance | None = request.app.state.console_openid
    if openid is None:
        raise not_found("way to sign in")
    return openid


def _refused(reason: str) -> Refused:
    _LOG.warning("operator.openid_refused", reason=reason)
    text = reason if reason.endswith(".") else f"Signing in did not work: {reason}. Go back to /console and try again."
    return Refused(403, "You are not signed in", text)
