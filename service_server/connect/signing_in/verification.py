"""Makes sure that new credentials work before they are kept, and finds out whose account they belong to, and where."""

import hashlib
from collections.abc import Mapping
from typing import Any

import structlog

from service_server.catalog.answers import error_kind
from service_server.catalog.auth import AuthMethod
from service_server.catalog.auth_parts import Then
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.requests import Request
from service_server.catalog.values import AccountIdentity, Connector, TestAnswer
from service_server.connect.signing_in.fields import asked_titles
from service_server.connect.signing_in.no_answer import no_request, not_allowed, unreachable
from service_server.connect.signing_in.setback import About, Setback
from service_server.html_pages.language import gettext as _
from service_server.json_texts.foreign import read_json
from service_server.oauth.token_answer import is_page, is_passing
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, HostRules, Interrupted, NotSent, OnwardResponse
from service_server.redaction.spellings import Spellings, texts_in

_TIMEOUT_SECONDS = 20.0
_LONGEST_ANSWER = 1024 * 1024  # bytes
_LONGEST_NAME = 200
_TOKENS = ("access_token", "refresh_token", "id_token")
_LONGEST_IDENTIFIER = 1000  # bytes
# Answers of an app, or of something in its place, where nothing is: an account's name or a server's address is wrong.
_ELSEWHERE = frozenset({*range(200, 400), 404, 405, 410, 421})

_LOG = structlog.get_logger(__name__)


async def verify(
    sender: Sender, connector: Connector, method: AuthMethod, context: Mapping[str, Any]
) -> AccountIdentity:
    """Make the connector's test call with new credentials and tell whose account it is; Setback if it fails."""
    title = connector.title
    body = await _test(sender, connector, method, context)
    try:
        identity = connector.identity({**context, "test": body})
    except InvalidRequest as problem:
        _LOG.warning("connect.identity_unusable", app=connector.name, reason=problem.message)
        raise _not_as_expected(title, problem.message) from None
    if identity.external_id is not None and not _is_identifier(identity.external_id):
        reason = "account.id is too long or no Unicode text"
        _LOG.warning("connect.identity_unusable", app=connector.name, reason=reason)
        raise _not_as_expected(title, reason)
    if connector.names_accounts and identity.external_id is None:
        # Some apps answer strangers too, only without saying who they are.
        said = _("%(app)s did not recognise the account. Check it and try again.", app=title)
        reason = "no template under account.id has a value in the answer to the test"
        raise Setback(said, about="credentials", reason=reason)
    secrets = _secrets(method, context)
    name = secrets.removed_from(_printable(identity.display_name))[:_LONGEST_NAME] or title
    return AccountIdentity(_without_secrets(identity.external_id, secrets), name)


def _not_as_expected(title: str, reason: str) -> Setback:
    return Setback(
        _("%(app)s answered, but not in the way this service expects.", app=title),
        _("Tell its operator: its log says more."),
        reason=reason,
    )


def _secrets(method: AuthMethod, context: Mapping[str, Any]) -> Spellings:
    typed = [value for name, value in context["creds"].items() if name in method.fields and method.fields[name].secret]
    return Spellings.of([*typed, *texts_in([context["token"].get(name) for name in _TOKENS])])


def _without_secrets(external_id: str | None, secrets: Spellings) -> str | None:
    """Hash an account's name that holds a secret: it still tells accounts apart, but keeps no secret in the clear."""
    if external_id is None or not secrets.are_in(external_id):
        return external_id
    return f"sha256:{hashlib.sha256(external_id.encode()).hexdigest()}"


def _is_identifier(text: str) -> bool:
    """Whether an account's name can be kept and compared: not too long, without NUL or half surrogate pairs."""
    try:
        return "\0" not in text and len(text.encode()) <= _LONGEST_IDENTIFIER
    except UnicodeEncodeError:
        return False


async def choices_of(
    sender: Sender, connector: Connector, method: AuthMethod, then: Then, context: Mapping[str, Any]
) -> tuple[tuple[str, str], ...]:
    """
    Ask the app, with new credentials, what the variable of `then` may be: values with the labels that people see.

    They are as many as an answer of a megabyte lists.

    Raises:
        Setback: the app answers anything else, or has nothing to choose from.
    """
    title = connector.title
    rules = connector.hosts if then.request.origin is not None else None
    response = await _answered(sender, connector, method, then.request, context, rules)
    try:
        found = then.choices(_body(connector, method, response, "any"))
    except LookupError as lack:
        _LOG.warning("connect.choices_unreadable", app=connector.name, reason=lack.args[0])
        raise _not_as_expected(title, lack.args[0]) from None
    variable = connector.variables[then.variable]
    secrets = _secrets(method, context)
    usable = [
        (value, secrets.removed_from(_printable(label))[:_LONGEST_NAME] or value)
        for value, label in found
        if variable.problem(value) is None and not secrets.are_in(value)
    ]
    if not usable:
        reason = f"none of the {len(found)} it lists fits vars.{then.variable}" if found else "it lists none"
        _LOG.info("connect.no_choices", app=connector.name, reason=reason)
        raise Setback(
            _(
                "%(app)s let you in, but your account there has no %(field)s that this service could use.",
                app=title,
                field=variable.title,
            ),
            _("Ask for access to one in %(app)s, then try again.", app=title),
            reason=reason,
        )
    return tuple(usable)


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable()).strip()


async def _test(sender: Sender, connector: Connector, method: AuthMethod, context: Mapping[str, Any]) -> Any:
    test = connector.test_of(method)
    if test is None:
        return None
    response = await _answered(sender, connector, method, test, context)
    return _body(connector, method, response, connector.test_answer)


async def _answered(
    sender: Sender,
    connector: Connector,
    method: AuthMethod,
    template: Request,
    context: Mapping[str, Any],
    rules: HostRules | None = None,
) -> OnwardResponse:
    """Send a request with new credentials, by the connector's host rules unless others are given."""
    try:
        base_url = connector.base_url(context) if rules is None else ""
        request = method.inject.apply(template.build(base_url, context), context)
        rules = connector.host_rules(context) if rules is None else rules
    except InvalidRequest as problem:
        _LOG.warning("connect.test_not_built", app=connector.name, reason=problem.message)
        raise no_request(connector, method, problem) from None
    try:
        return await sender.fetch(
            request, rules, timeout_seconds=_TIMEOUT_SECONDS, secret_headers=method.inject.secret_headers
        )
    except (NotSent, Interrupted) as failure:
        _LOG.info("connect.test_failed", app=connector.name, reason=failure.reason)
        raise unreachable(connector, method, failure.reason) from None
    except HostNotAllowed as failure:
        _LOG.warning("connect.test_failed", app=connector.name, reason=failure.reason)
        raise not_allowed(connector, method, failure.reason) from None


def _body(connector: Connector, method: AuthMethod, response: OnwardResponse, expected: TestAnswer) -> Any:
    title, status = connector.title, response.status
    try:
        body = read_json(response.body, most_bytes=_LONGEST_ANSWER)
    except ValueError:
        body = None
    kind = error_kind(connector.error_rules, response, body)
    if kind == "rate_limited":
        raise Setback(_("%(app)s is busy and asks us to slow down. Try again in a minute.", app=title))
    if kind == "reconnect" or status in (401, 403):
        raise Setback(_("%(app)s did not accept this. Check it and try again.", app=title), about="credentials")
    if is_passing(status):
        _LOG.warning("connect.test_failed", app=connector.name, status=status)
        said = _(
            "%(app)s has a problem at the moment (it answered %(status)s). Try again later.", app=title, status=status
        )
        raise Setback(said)
    if (reason := _unfit(expected, response, body)) is not None:
        _LOG.warning("connect.test_failed", app=connector.name, status=status, reason=reason)
        raise _not_found_there(connector, method, reason, "address" if status in _ELSEWHERE else "everything")
    return body


def _unfit(expected: TestAnswer, response: OnwardResponse, body: Any) -> str | None:
    """Say why this is not the answer of an app that took the credentials; None if it is."""
    if 300 <= response.status < 400:
        return _("it answered %(status)s, a redirect to elsewhere", status=response.status)
    if not 200 <= response.status < 300:
        return _("it answered %(status)s", status=response.status)
    if is_page(response):
        return _("it answered with a web page")
    if expected == "any":
        return None
    if not response.body.strip():
        return _("it answered with nothing")
    if isinstance(body, dict if expected == "object" else list):
        return None
    return _("it answered with something other than a JSON %(kind)s", kind=expected)


def _not_found_there(connector: Connector, method: AuthMethod, reason: str, about: About) -> Setback:
    """Point at what may be mistyped: where the account is, or everything that was entered."""
    said = _("This does not lead to an account in %(app)s: %(reason)s.", app=connector.title, reason=reason)
    asked = asked_titles(connector, method, about)
    if not asked:
        about, asked = "everything", asked_titles(connector, method)
    if asked:
        return Setback(said, _("Check %(fields)s, and try again.", fields=asked), about=about)
    step = _(
        "Tell the operator of this service to check the settings of %(name)s; its log says more.", name=connector.name
    )
    return Setback(said, step)
