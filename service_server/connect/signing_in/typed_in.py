"""Signing in with what the user typed in, where the app turns that into a token: no provider's page is needed."""

from collections.abc import Mapping

import structlog

from service_server.catalog.auth import ClientCredentials, TokenMethod
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.values import Connector
from service_server.connect.signing_in.fields import asked_titles
from service_server.connect.signing_in.no_answer import no_request, unreachable
from service_server.connect.signing_in.oauth_errors import setback_of_typed
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import gettext as _
from service_server.oauth.grants import first_token, kept_after
from service_server.oauth.refresh import renewed_secrets
from service_server.oauth.scopes import written
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable
from service_server.onward.sender import Sender
from service_server.store.clock import now

_LOG = structlog.get_logger(__name__)


async def sign_in_with_typed(
    sender: Sender,
    connector: Connector,
    auth: TokenMethod,
    creds: Mapping[str, str],
    variables: Mapping[str, str],
) -> Secrets:
    """Get the first token; Setback if there is none."""
    title, name = connector.title, connector.name
    asked_at = now()
    try:
        answer = await first_token(
            sender, connector, auth, {"auth_id": auth.id, "creds": dict(creds), "vars": dict(variables)}
        )
    except TokenRefused as refusal:
        _LOG.info("connect.sign_in_refused", app=name, auth=auth.id, error=refusal.code)
        asked = (auth.scope,) if isinstance(auth, ClientCredentials) and auth.scope else ()
        raise setback_of_typed(refusal.code, title, written(asked, {"vars": variables})) from None
    except TokenEndpointUnreachable as failure:
        _LOG.warning("connect.sign_in_failed", app=name, auth=auth.id, reason=failure.reason)
        raise unreachable(connector, auth, failure.reason) from None
    except TokenAnswerUnreadable as failure:
        _LOG.warning("connect.sign_in_failed", app=name, auth=auth.id, reason=failure.reason)
        raise _unreadable(connector, auth, failure) from None
    except InvalidRequest as problem:
        _LOG.warning("connect.sign_in_not_built", app=name, auth=auth.id, reason=problem.message)
        raise no_request(connector, auth, problem) from None
    return kept_after(auth, renewed_secrets(Secrets(creds=creds), answer, asked_at))


def _unreadable(connector: Connector, auth: TokenMethod, failure: TokenAnswerUnreadable) -> Setback:
    title, reason = connector.title, failure.reason
    if failure.kind == "passing":
        said = _("%(app)s has a problem at the moment: %(reason)s.", app=title, reason=reason)
        return Setback(f"{said} {_('Try again in a minute.')}")
    if failure.kind == "unexplained":
        said = _("%(app)s did not accept this: %(reason)s.", app=title, reason=reason)
        check = _("Check %(fields)s, and try again.", fields=asked_titles(connector, auth))
        return Setback(f"{said} {check}", about="everything")
    address = asked_titles(connector, auth, "address")
    said = _("%(app)s sent something other than a token: %(reason)s.", app=title, reason=reason)
    check = (
        _(
            "Check %(fields)s; if that is right, tell the operator of this service, whose log says the same.",
            fields=address,
        )
        if address
        else _("Tell the operator of this service, whose log says the same.")
    )
    return Setback(f"{said} {check}", about="address")
