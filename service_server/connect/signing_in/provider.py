"""Signing in at the provider (authorization code grant): sending the user there, and taking the answer back."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from attrs import evolve, frozen

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.expressions import InvalidRequest, filled_text
from service_server.catalog.values import Connector
from service_server.connect.signing_in.fields import asked_titles
from service_server.connect.signing_in.no_answer import no_request, unreachable
from service_server.connect.signing_in.oauth_errors import DECLINED, setback_of
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import gettext as _
from service_server.oauth.app_settings import AppSettings, OAuthClient
from service_server.oauth.authorization import (
    AuthorizationRequest,
    MalformedAnswer,
    authorization_request,
    issuer_fits,
    read_answer,
)
from service_server.oauth.refresh import renewed_secrets
from service_server.oauth.scopes import with_granted, written
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import UNDISCLOSED, TokenEndpointUnreachable, ask_for_token
from service_server.oauth.token_request import exchange_request
from service_server.onward.sender import Sender
from service_server.onward.target import parse_target
from service_server.store.clock import now

_LOG = structlog.get_logger(__name__)


class Declined(Exception):
    """The user said no on the provider's page."""


@frozen
class Provider:
    """
    The provider of an app as one attempt sees it.

    `scopes` is what it is asked for, `callback_url` where it sends the browser back to.
    """

    connector: Connector
    auth: OAuth2Code
    settings: AppSettings
    context: Mapping[str, Any]
    callback_url: str
    scopes: Sequence[str] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The scopes as they are written where somebody signs in."""
        return written(self.scopes, self.context)

    @property
    def client(self) -> OAuthClient:
        """This service's registration, or a final Setback when the operator has not made one."""
        if self.settings.client is None:
            raise Setback(_("%(app)s is not set up on this service yet.", app=self.connector.title), final=True)
        return self.settings.client


def leave_for(provider: Provider) -> AuthorizationRequest:
    """Build the address of the provider's page."""
    try:
        request = authorization_request(
            provider.auth, provider.context, provider.client.client_id, provider.callback_url, provider.scopes
        )
        parse_target(request.url)
    except (InvalidRequest, ValueError) as problem:
        _LOG.warning("connect.address_invalid", app=provider.connector.name, reason=str(problem))
        raise Setback(
            _("The address of %(app)s's sign-in page is not valid.", app=provider.connector.title),
            _("Check the address you entered, or tell the operator of this service."),
        ) from None
    return request


async def take_back(
    sender: Sender,
    provider: Provider,
    parameters: Mapping[str, Sequence[str]],
    verifier: str | None,
) -> Secrets:
    """
    Exchange the answer that the provider sent the browser back with for tokens.

    Raises:
        Declined: the user said no.
        Setback: anything else that gives no tokens.
    """
    title, name = provider.connector.title, provider.connector.name
    try:
        answer = read_answer(parameters)
    except MalformedAnswer as problem:
        _LOG.warning("connect.callback_malformed", app=name, reason=str(problem))
        raise Setback(_("%(app)s sent you back with an answer that makes no sense.", app=title)) from None
    issuer = provider.auth.issuer and filled_text(provider.auth.issuer, provider.context)
    if not issuer_fits(answer.issuer, issuer, _authorize_url(provider)):
        _LOG.warning("connect.callback_foreign", app=name)
        raise Setback(
            _("The answer did not come from %(app)s, so it was not used.", app=title),
            _("Go back and start again. If this happens again, tell the operator of this service."),
            final=True,
        )
    if answer.code is None:
        raise _refusal(provider, answer.error or "")
    return await _exchange(sender, provider, answer.code, verifier)


async def _exchange(sender: Sender, provider: Provider, code: str, verifier: str | None) -> Secrets:
    connector, name = provider.connector, provider.connector.name
    asked_at = now()
    try:
        request = exchange_request(
            provider.auth,
            provider.context,
            provider.client,
            code=code,
            redirect_uri=provider.callback_url,
            verifier=verifier,
        )
        tokens = await ask_for_token(sender, request, connector)
    except TokenRefused as refusal:
        _LOG.warning("connect.exchange_refused", app=name, error=refusal.code)
        raise _setback_of(provider, refusal.code or UNDISCLOSED) from None
    except TokenEndpointUnreachable as failure:
        _LOG.warning("connect.exchange_failed", app=name, reason=failure.reason)
        raise unreachable(connector, provider.auth, failure.reason) from None
    except TokenAnswerUnreadable as failure:
        _LOG.warning(
            "connect.exchange_failed", app=name, reason=failure.reason, token_url=request.url.partition("?")[0]
        )
        raise _unreadable(provider, failure) from None
    except InvalidRequest as problem:
        _LOG.warning("connect.exchange_not_built", app=name, reason=problem.message)
        raise no_request(connector, provider.auth, problem) from None
    gained = renewed_secrets(Secrets(), tokens, asked_at)
    return evolve(gained, token=with_granted(provider.auth, gained.token, provider.asked))


def _authorize_url(provider: Provider) -> str:
    try:
        return filled_text(provider.auth.authorize_url, provider.context)
    except InvalidRequest:
        return ""  # fits no issuer


def _refusal(provider: Provider, error: str) -> Exception:
    if error in DECLINED:
        return Declined()
    code = error if error.isascii() and error.isprintable() and len(error) <= 64 else "unreadable"
    _LOG.warning("connect.authorization_refused", app=provider.connector.name, error=code)
    return _setback_of(provider, code)


def _setback_of(provider: Provider, code: str) -> Setback:
    connector = provider.connector
    return setback_of(code, connector.title, connector.name, provider.callback_url, provider.asked)


def _unreadable(provider: Provider, failure: TokenAnswerUnreadable) -> Setback:
    """What to do about an answer that holds neither tokens nor an OAuth error."""
    connector, reason = provider.connector, failure.reason
    title = connector.title
    if failure.kind == "passing":
        said = _("%(app)s has a problem at the moment: %(reason)s.", app=title, reason=reason)
        return Setback(said, _("Try again in a minute."))
    if failure.kind == "unexplained":
        return Setback(
            _("%(app)s did not accept the sign-in: %(reason)s.", app=title, reason=reason),
            _(
                "Try again. If it happens again, tell the operator of this service: client ID, client secret and "
                "callback URL have to be those of its registration. The callback URL is"
            ),
            provider.callback_url,
        )
    address = asked_titles(connector, provider.auth, "address")
    return Setback(
        _("%(app)s sent something other than the access you allowed: %(reason)s.", app=title, reason=reason),
        *([_("Check %(fields)s, and try again.", fields=address)] if address else []),
        _(
            "If it happens again, tell the operator of this service: the address where tokens are got (token_url of "
            "the connector %(name)s, and the variables in it) has to be that of %(app)s; the log names it.",
            name=connector.name,
            app=title,
        ),
    )
