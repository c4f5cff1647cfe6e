"""How each way of signing in gets its tokens: the first ones, and the next ones."""

from attrs import evolve

from service_server.catalog.auth import ClientCredentials, OAuth2Code, SignedAssertion, TokenExchange, TokenMethod
from service_server.catalog.expressions import Context, filled_text
from service_server.catalog.format.keys import seconds_of
from service_server.catalog.values import Connector
from service_server.oauth.app_settings import OAuthClient
from service_server.oauth.assertion import KeyUnusable, signed
from service_server.oauth.login import log_in
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswer, TokenRefused
from service_server.oauth.token_endpoint import ask_for_token
from service_server.oauth.token_request import assertion_request, client_credentials_request, refresh_request
from service_server.onward.sender import Sender


def is_renewable(auth: TokenMethod, kept: Secrets) -> bool:
    """Whether new tokens can be had without the user: by a refresh token, or by what they typed in and we kept."""
    if isinstance(auth, OAuth2Code) or (isinstance(auth, TokenExchange) and auth.renewing is not None):
        return kept.refresh_token is not None
    return True


def kept_after(auth: TokenMethod, gained: Secrets) -> Secrets:
    """Leave out what is no longer needed: a password, if the app renews its token by other means."""
    if not (isinstance(auth, TokenExchange) and auth.renewing is not None and gained.refresh_token is not None):
        return gained
    return evolve(gained, creds={name: value for name, value in gained.creds.items() if not auth.fields[name].secret})


async def first_token(sender: Sender, connector: Connector, auth: TokenMethod, context: Context) -> TokenAnswer:
    """
    Get a token with what the user typed in (`creds` of the context).

    Raises:
        TokenRefused, TokenAnswerUnreadable, TokenEndpointUnreachable: as their names say.
        InvalidRequest: no request can be made from the values.
    """
    if isinstance(auth, ClientCredentials):
        return await ask_for_token(sender, client_credentials_request(auth, context), connector)
    if isinstance(auth, SignedAssertion):
        return await _with_assertion(sender, connector, auth, context)
    if isinstance(auth, TokenExchange):
        return await log_in(sender, connector, auth, auth.login, context)
    raise TypeError(f"{auth.type} starts on the provider's page")


async def next_token(
    sender: Sender,
    connector: Connector,
    auth: TokenMethod,
    context: Context,
    client: OAuthClient | None,
    refresh_token: str | None,
) -> TokenAnswer:
    """Renew an access token; raises as `first_token`. `client` is the operator's, for the grants that use it."""
    if isinstance(auth, OAuth2Code) and client is not None and refresh_token is not None:
        return await ask_for_token(sender, refresh_request(auth, context, client, refresh_token), connector)
    if isinstance(auth, TokenExchange) and auth.renewing is not None:
        return await log_in(sender, connector, auth, auth.renewing.request, context)
    return await first_token(sender, connector, auth, context)


async def _with_assertion(sender: Sender, connector: Connector, auth: SignedAssertion, context: Context) -> TokenAnswer:
    try:
        assertion = signed(auth, context)
    except KeyUnusable:
        raise TokenRefused(None) from None
    if auth.token_url is None:
        return TokenAnswer({"access_token": assertion}, seconds_of(auth.lifetime))
    return await ask_for_token(
        sender, assertion_request(auth, filled_text(auth.token_url, context), assertion), connector
    )
