"""Tells the app that tokens are no longer wanted."""

import structlog

from service_server.catalog.auth import OAuth2Code, TokenExchange, TokenMethod
from service_server.catalog.expressions import Context, InvalidRequest, filled_text
from service_server.catalog.values import Connector
from service_server.oauth.app_settings import OAuthClient
from service_server.oauth.token_endpoint import TokenEndpointUnreachable, post
from service_server.oauth.token_request import revoke_request
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardResponse

_TIMEOUT_SECONDS = 5.0  # the user waits for it

_LOG = structlog.get_logger(__name__)


async def revoke(
    sender: Sender,
    connector: Connector,
    auth: TokenMethod,
    context: Context,
    client: OAuthClient | None,
    account_id: int | None,
) -> bool:
    """
    Revoke the refresh token, which ends the grant, or else the access token; or log out, if the app has a logout call.

    Best effort: a failure is logged and never raised; the result is then False.
    """
    try:
        if isinstance(auth, OAuth2Code):
            reason = await _revoke(sender, auth, context, client)
        elif isinstance(auth, TokenExchange) and auth.logout is not None:
            reason = await _log_out(sender, connector, auth, context)
        else:
            return True
    except (TokenEndpointUnreachable, InvalidRequest) as failure:
        reason = str(failure)
    if reason is not None:
        _LOG.warning("account.revocation_failed", account=account_id, app=connector.name, reason=reason)
    return reason is None


async def _revoke(sender: Sender, auth: OAuth2Code, context: Context, client: OAuthClient | None) -> str | None:
    """Return why it failed; None when it worked or the provider has no revocation."""
    if auth.revoke_url is None:
        return None
    url = filled_text(auth.revoke_url, context)
    if client is None:
        return "the operator has not configured the app's OAuth2 client"
    token = context["token"].get("refresh_token")
    if token:
        request = revoke_request(auth, url, client, token, "refresh_token")
    else:
        request = revoke_request(auth, url, client, context["token"]["access_token"], "access_token")
    return _problem(await post(sender, request, _TIMEOUT_SECONDS))


async def _log_out(sender: Sender, connector: Connector, auth: TokenExchange, context: Context) -> str | None:
    assert auth.logout is not None  # noqa: S101  asked before
    request = auth.inject.apply(auth.logout.build(connector.base_url(context), context), context)
    try:
        response = await sender.fetch(
            request,
            connector.host_rules(context),
            timeout_seconds=_TIMEOUT_SECONDS,
            secret_headers=auth.inject.secret_headers,
        )
    except (NotSent, HostNotAllowed, Interrupted) as failure:
        return failure.reason
    return _problem(response)


def _problem(response: OnwardResponse) -> str | None:
    return None if response.status < 300 else f"the app answered {response.status}"
