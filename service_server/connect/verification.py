"""Makes sure that new credentials work before they are kept, and finds out whose account they are of."""

import hashlib
from collections.abc import Mapping
from typing import Any

import structlog

from service_server.catalog.values import AccountIdentity, AuthMethod, Connector, InvalidRequest
from service_server.connect.setback import Setback
from service_server.foreign_json import read_json
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardResponse
from service_server.secret_spellings import Spellings, texts_in

_TIMEOUT_SECONDS = 20.0
_LONGEST_NAME = 200
_TOKENS = ("access_token", "refresh_token", "id_token")
_LONGEST_IDENTIFIER = 1000  # bytes

_LOG = structlog.get_logger(__name__)


async def verify(
    sender: Sender, connector: Connector, method: AuthMethod, context: Mapping[str, Any]
) -> AccountIdentity:
    """Make the connector's test call with new credentials and tell whose account it is; Setback if it fails."""
    title = connector.title
    try:
        body = await _test(sender, connector, method, context)
        identity = connector.identity({**context, "test": body})
    except InvalidRequest as problem:
        _LOG.warning("connect_test_not_built", app=connector.name, reason=problem.message)
        raise Setback(f"{title} answered, but not in the way this service expects. Tell its operator.") from None
    if identity.external_id is not None and not _is_identifier(identity.external_id):
        _LOG.warning("connect_test_unusable_identity", app=connector.name)
        raise Setback(f"{title} answered, but not in the way this service expects. Tell its operator.")
    if connector.names_accounts and identity.external_id is None:
        # Some apps answer strangers too, only without saying who they are.
        raise Setback(f"{title} did not recognise the account. Check it and try again.", refused=True)
    secrets = _secrets(method, context)
    name = "".join(character for character in identity.display_name if character.isprintable()).strip()
    name = secrets.removed_from(name)[:_LONGEST_NAME] or title
    return AccountIdentity(_without_secrets(identity.external_id, secrets), name)


def _secrets(method: AuthMethod, context: Mapping[str, Any]) -> Spellings:
    typed = [value for name, value in context["creds"].items() if name in method.fields and method.fields[name].secret]
    return Spellings.of([*typed, *texts_in([context["token"].get(name) for name in _TOKENS])])


def _without_secrets(external_id: str | None, secrets: Spellings) -> str | None:
    """An app that names an account by its key still tells accounts apart, but the key is not kept in the clear."""
    if external_id is None or not secrets.are_in(external_id):
        return external_id
    return f"sha256:{hashlib.sha256(external_id.encode()).hexdigest()}"


def _is_identifier(text: str) -> bool:
    """Whether a name of an account can be kept and compared: of sane length, without NUL and half surrogate pairs."""
    try:
        return "\0" not in text and len(text.encode()) <= _LONGEST_IDENTIFIER
    except UnicodeEncodeError:
        return False


async def _test(sender: Sender, connector: Connector, method: AuthMethod, context: Mapping[str, Any]) -> Any:
    if connector.test is None:
        return None
    request = method.inject.apply(connector.test.build(connector.base_url(context), context), context)
    try:
        response = await sender.send(
            request,
            connector.host_rules(context),
            timeout_seconds=_TIMEOUT_SECONDS,
            secret_headers=method.inject.secret_headers,
        )
    except (NotSent, Interrupted) as failure:
        _LOG.info("connect_test_failed", app=connector.name, reason=failure.reason)
        raise Setback(f"{connector.title} can't be reached right now. Try again in a minute.") from None
    except HostNotAllowed as failure:
        _LOG.warning("connect_test_failed", app=connector.name, reason=failure.reason)
        raise Setback(f"This service is not allowed to reach {connector.title} there. Tell its operator.") from None
    return _body(connector, response)


def _body(connector: Connector, response: OnwardResponse) -> Any:
    title = connector.title
    try:
        body = read_json(response.body)
    except ValueError:
        body = None
    kind = connector.error_kind(response, body)
    if kind == "rate_limited":
        raise Setback(f"{title} is busy and asks to slow down. Try again in a minute.")
    if kind == "reconnect" or response.status in (401, 403):
        raise Setback(f"{title} did not accept this. Check it and try again.", refused=True)
    if not 200 <= response.status < 300:
        _LOG.warning("connect_test_failed", app=connector.name, status=response.status)
        raise Setback(f"{title} has a problem at the moment (it answered {response.status}). Try again later.")
    return body
