"""Signing in with what the user typed in, where the app turns that into a token: no provider's page is needed."""

from collections.abc import Mapping

import structlog

from service_server.catalog.values import Connector, InvalidRequest, TokenMethod
from service_server.connect.setback import Setback
from service_server.oauth.grants import first_token, kept_after
from service_server.oauth.refresh import renewed_secrets
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable
from service_server.onward.sender import Sender
from service_server.store.clock import now

_LOG = structlog.get_logger(__name__)


async def sign_in(
    sender: Sender,
    connector: Connector,
    auth: TokenMethod,
    creds: Mapping[str, str],
    variables: Mapping[str, str],
) -> Secrets:
    """Come by the first token; Setback when there is none."""
    title, name = connector.title, connector.name
    asked_at = now()
    try:
        answer = await first_token(sender, connector, auth, {"creds": dict(creds), "vars": dict(variables)})
    except TokenRefused as refusal:
        _LOG.info("sign_in_refused", app=name, auth=auth.id, error=refusal.code)
        said = f" It said: {refusal.code}." if refusal.code else ""
        raise Setback(f"{title} did not accept this. Check it and try again.{said}", refused=True) from None
    except (TokenEndpointUnreachable, TokenAnswerUnreadable) as failure:
        _LOG.warning("sign_in_failed", app=name, auth=auth.id, reason=failure.reason)
        raise Setback(f"{title} can't be reached right now.", "Try again in a minute.") from None
    except InvalidRequest as problem:
        _LOG.warning("sign_in_not_built", app=name, auth=auth.id, reason=problem.message)
        raise Setback(f"What you entered makes no valid request to {title}. Check it and try again.") from None
    return kept_after(auth, renewed_secrets(Secrets(creds=creds), answer, asked_at))
