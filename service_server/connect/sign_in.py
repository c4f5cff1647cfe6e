"""Signing in at the provider (authorization code grant): sending the user there, and taking the answer back."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from attrs import evolve, frozen

from service_server.catalog.values import Connector, InvalidRequest, OAuth2Code
from service_server.connect.setback import Setback
from service_server.oauth.app_settings import AppSettings, OAuthClient
from service_server.oauth.authorization import (
    AuthorizationRequest,
    MalformedAnswer,
    authorization_request,
    issuer_fits,
    read_answer,
)
from service_server.oauth.refresh import renewed_secrets
from service_server.oauth.scopes import with_granted
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable, ask_for_token
from service_server.oauth.token_request import exchange_request
from service_server.onward.sender import Sender
from service_server.onward.target import parse_target
from service_server.store.clock import now

_DECLINED = frozenset({"access_denied", "consent_required", "user_cancelled_authorize", "user_cancelled_login"})
_PASSING = frozenset({"server_error", "temporarily_unavailable", "login_required", "interaction_required"})
# They say that the registration of this service is wrong, which only its operator can change.
_OPERATORS = frozenset(
    {
        "incorrect_client_credentials",
        "invalid_client",
        "invalid_scope",
        "redirect_uri_mismatch",
        "unauthorized_client",
        "unsupported_grant_type",
    }
)

_LOG = structlog.get_logger(__name__)


class Declined(Exception):
    """The user said no on the provider's page."""


@frozen
class Provider:
    """The provider of an app as one attempt sees it; `scopes` is what it is asked for."""

    connector: Connector
    auth: OAuth2Code
    settings: AppSettings
    context: Mapping[str, Any]
    scopes: Sequence[str] = ()

    @property
    def client(self) -> OAuthClient:
        """This service's registration, or a final Setback when the operator has not made one."""
        if self.settings.client is None:
            raise Setback(f"{self.connector.title} is not set up on this service yet.", final=True)
        return self.settings.client


def leave_for(provider: Provider, callback_url: str) -> AuthorizationRequest:
    """Build the address of the provider's page."""
    try:
        request = authorization_request(
            provider.auth, provider.context, provider.client.client_id, callback_url, provider.scopes
        )
        parse_target(request.url)
    except (InvalidRequest, ValueError) as problem:
        _LOG.warning("authorize_url_invalid", app=provider.connector.name, reason=str(problem))
        raise Setback(
            f"The address of {provider.connector.title}'s sign-in page is not valid.",
            "Check the address you entered, or tell the operator of this service.",
        ) from None
    return request


async def take_back(
    sender: Sender,
    provider: Provider,
    callback_url: str,
    parameters: Mapping[str, Sequence[str]],
    verifier: str | None,
) -> Secrets:
    """
    Exchange what the provider sent the browser back with for tokens.

    Raises:
        Declined: the user said no.
        Setback: anything else that gives no tokens.
    """
    title, name = provider.connector.title, provider.connector.name
    try:
        answer = read_answer(parameters)
    except MalformedAnswer as problem:
        _LOG.warning("callback_malformed", app=name, reason=str(problem))
        raise Setback(f"{title} sent you back with an answer that makes no sense.") from None
    if not issuer_fits(answer.issuer, provider.auth.issuer(provider.context), _authorize_url(provider)):
        _LOG.warning("callback_issuer_mismatch", app=name)
        raise Setback(
            f"The answer did not come from {title}, so it was not used.",
            "Go back and start again. If this happens again, tell the operator of this service.",
            final=True,
        )
    if answer.code is None:
        raise _refusal(title, name, answer.error or "")
    return await _exchange(sender, provider, callback_url, answer.code, verifier)


async def _exchange(sender: Sender, provider: Provider, callback_url: str, code: str, verifier: str | None) -> Secrets:
    title, name = provider.connector.title, provider.connector.name
    asked_at = now()
    try:
        request = exchange_request(
            provider.auth, provider.context, provider.client, code=code, redirect_uri=callback_url, verifier=verifier
        )
        tokens = await ask_for_token(sender, request)
    except TokenRefused as refusal:
        _LOG.warning("exchange_refused", app=name, error=refusal.code)
        if refusal.code in _OPERATORS:
            raise _misconfigured(title, name, refusal.code or "") from None
        raise Setback(f"{title} did not accept the sign-in: it may have taken too long.") from None
    except (TokenEndpointUnreachable, TokenAnswerUnreadable) as failure:
        _LOG.warning("exchange_failed", app=name, reason=failure.reason)
        raise Setback(f"{title} can't be reached right now.", "Try again in a minute.") from None
    except InvalidRequest as problem:
        _LOG.warning("exchange_not_built", app=name, reason=problem.message)
        raise _misconfigured(title, name, "an invalid address") from None
    gained = renewed_secrets(Secrets(), tokens, asked_at)
    return evolve(gained, token=with_granted(provider.auth, gained.token, provider.scopes))


def _authorize_url(provider: Provider) -> str:
    try:
        return provider.auth.authorize_url(provider.context)
    except InvalidRequest:
        return ""  # fits no issuer


def _refusal(title: str, name: str, error: str) -> Exception:
    if error in _DECLINED:
        return Declined()
    code = error if error.isascii() and error.isprintable() and len(error) <= 64 else "unreadable"
    _LOG.warning("authorization_refused", app=name, error=code)
    if error in _PASSING:
        return Setback(f"{title} has a problem at the moment.", "Try again in a minute.")
    return _misconfigured(title, name, code)


def _misconfigured(title: str, name: str, code: str) -> Setback:
    return Setback(
        f"{title} refuses how this service is registered with it ({code}).",
        "Tell the operator of this service: they can check it with",
        f"service-server app configure {name} --client-id … --client-secret-file …",
        final=True,
    )
