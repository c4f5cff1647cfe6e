"""What the error codes of OAuth providers mean for whoever has to do something about them."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from service_server.connect.signing_in.setback import Setback

DECLINED: Final = frozenset({"access_denied", "consent_required", "user_cancelled_authorize", "user_cancelled_login"})
"""The user said no on the provider's page."""


@frozen
class Advice:
    """
    What a code means, and who does what: in sentences that `{title}` and the like are put into.

    `typed` is for a client that the user typed in, who is its operator then; None where trying it again is the advice.
    """

    text: str
    steps: tuple[str, ...]
    final: bool = True
    typed: str | None = None


_OPERATOR = "Tell the operator of this service: "
_CONFIGURE = "service-server app configure {name} --client-id … --client-secret-file …"
_AGAIN = "Try again. If it happens again, tell the operator of this service: "

_PASSING = Advice("{title} has a problem at the moment.", ("Try again in a minute.",), final=False)
_SESSION = Advice("{title} wants you to sign in there first.", ("Sign in to {title}, then try again.",), final=False)
_TOO_LATE = Advice(
    "{title} did not accept the sign-in: it may have taken too long, or was used before.",
    (_AGAIN + "the callback URL that is registered with {title} has to be exactly", "{callback_url}"),
    final=False,
)
_CLIENT = Advice(
    "{title} does not know this service by the client ID and client secret it has ({code}).",
    (_OPERATOR + "they set both anew, as {title} shows them, with", _CONFIGURE),
)
_REDIRECT = Advice(
    "{title} refuses the address that it is to send you back to ({code}).",
    (_OPERATOR + "where this service is registered with {title}, the callback URL has to be exactly", "{callback_url}"),
)
_SCOPE = Advice(
    "{title} does not let this service ask for all the permissions that it asks for ({code}).",
    (_OPERATOR + "where this service is registered with {title}, these have to be allowed: {scopes}",),
    typed="{title} does not let this client have these permissions: {scopes}. Allow them for it in {title}, then try "
    "again.",
)
_NOT_ALLOWED = Advice(
    "{title} does not let this service sign people in ({code}).",
    (
        _OPERATOR + "where this service is registered with {title}, signing in by an authorization code has to be "
        "allowed, with the callback URL",
        "{callback_url}",
        "and it has to be published, where {title} asks for that.",
    ),
    typed="{title} does not let this client sign in by itself. Allow that for it in {title} (the client credentials "
    "grant, or the one for signed assertions), then try again.",
)
_MALFORMED = Advice(
    "{title} does not understand how this service asks it to sign you in ({code}).",
    (
        _OPERATOR + "where this service is registered with {title}, the callback URL has to be exactly",
        "{callback_url}",
        "and if it is, the connector’s pkce, client_auth or authorize_parameters don’t fit {title}.",
    ),
)
_POLICY = Advice(
    "{title} does not let this service into your account ({code}).",
    ("Ask whoever administers {title} where you are to allow it, then try again.",),
)
_UNKNOWN = Advice(
    "{title} refuses the sign-in and gives “{code}” as its reason.",
    (
        "If it happens again, tell the operator of this service: the documentation of {title} says what that means. "
        "The callback URL that is registered there has to be exactly",
        "{callback_url}",
    ),
)

# Codes of RFC 6749, OpenID Connect and RFC 8707; those with other names are GitHub's, Google's and Slack's own.
_ADVICE: Final = {
    "server_error": _PASSING,
    "temporarily_unavailable": _PASSING,
    "login_required": _SESSION,
    "interaction_required": _SESSION,
    "account_selection_required": _SESSION,
    "invalid_grant": _TOO_LATE,
    "bad_verification_code": _TOO_LATE,
    "code_already_used": _TOO_LATE,
    "code_expired": _TOO_LATE,
    "invalid_code": _TOO_LATE,
    "invalid_client": _CLIENT,
    "bad_client_secret": _CLIENT,
    "incorrect_client_credentials": _CLIENT,
    "invalid_client_id": _CLIENT,
    "redirect_uri_mismatch": _REDIRECT,
    "bad_redirect_uri": _REDIRECT,
    "invalid_redirect_uri": _REDIRECT,
    "invalid_scope": _SCOPE,
    "insufficient_scope": _SCOPE,
    "unauthorized_client": _NOT_ALLOWED,
    "unsupported_grant_type": _NOT_ALLOWED,
    "unsupported_response_type": _NOT_ALLOWED,
    "application_suspended": _NOT_ALLOWED,
    "invalid_request": _MALFORMED,
    "invalid_target": _MALFORMED,
    "admin_policy_enforced": _POLICY,
    "org_internal": _POLICY,
}


def setback_of(code: str, title: str, name: str, callback_url: str, scopes: Sequence[str] = ()) -> Setback:
    """Say what an OAuth error means where the operator has registered this service with the provider."""
    advice = _ADVICE.get(code, _UNKNOWN)
    values = {"title": title, "name": name, "code": code, "callback_url": callback_url, "scopes": _listed(scopes)}
    steps = [step.format(**values) for step in advice.steps]
    return Setback(advice.text.format(**values), *steps, final=advice.final)


def setback_of_typed(code: str | None, title: str, scopes: Sequence[str] = ()) -> Setback:
    """Say what an OAuth error means to the user who typed in the client or the key."""
    advice = _UNKNOWN if code is None else _ADVICE.get(code, _UNKNOWN)
    if advice is _PASSING:
        return Setback(advice.text.format(title=title), *advice.steps)
    if advice.typed is not None:
        return Setback(advice.typed.format(title=title, scopes=_listed(scopes)), f"It said: {code}.")
    said = () if code is None else (f"It said: {code}.",)
    return Setback(f"{title} did not accept this. Check it and try again.", *said, about="credentials")


def _listed(scopes: Sequence[str]) -> str:
    return ", ".join(scopes) or "those of the connector"
