"""Tells the provider that tokens are no longer wanted, when an account is disconnected."""

import structlog

from service_server.catalog.values import Context, InvalidRequest, OAuth2Code
from service_server.oauth.app_settings import OAuthClient
from service_server.oauth.token_endpoint import TokenEndpointUnreachable, post
from service_server.oauth.token_request import revoke_request
from service_server.onward.sender import Sender

_TIMEOUT_SECONDS = 5.0  # the user waits for it

_LOG = structlog.get_logger(__name__)


async def revoke(
    sender: Sender, auth: OAuth2Code, context: Context, client: OAuthClient | None, account_id: int
) -> None:
    """
    Revoke the refresh token, which ends the grant, or else the access token.

    Best effort: what goes wrong is logged, never raised.
    """
    reason = await _revoke(sender, auth, context, client)
    if reason is not None:
        _LOG.warning("revocation_failed", account_id=account_id, reason=reason)


async def _revoke(sender: Sender, auth: OAuth2Code, context: Context, client: OAuthClient | None) -> str | None:
    """Return why it failed; None when it worked or the provider has no revocation."""
    try:
        url = auth.revoke_url(context)
        if url is None:
            return None
        if client is None:
            return "the operator has not configured the app's OAuth2 client"
        token = context["token"].get("refresh_token")
        if token:
            request = revoke_request(auth, url, client, token, "refresh_token")
        else:
            request = revoke_request(auth, url, client, context["token"]["access_token"], "access_token")
        response = await post(sender, request, _TIMEOUT_SECONDS)
    except (TokenEndpointUnreachable, InvalidRequest) as failure:
        return str(failure)
    return None if response.status < 300 else f"the provider answered {response.status}"
