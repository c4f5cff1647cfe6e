"""What the error codes of OAuth providers mean for whoever has to do something about them."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import enumerated, gettext_noop
from service_server.html_pages.language import gettext as _

DECLINED: Final = frozenset({"access_denied", "consent_required", "user_cancelled_authorize", "user_cancelled_login"})
"""The user said no on the provider's page."""


@frozen
class Advice:
    """
    What a code means and who does what, in messages with placeholders such as `%(app)s`. `typed` is for a client that
    the user typed in and so operates; None if the advice is to try again.
    """

    text: str
    steps: tuple[str, ...]
    final: bool = True
    typed: str | None = None


# A step that an operator carries out is a sentence that ends in what they need: a command, an address.
_CONFIGURE = "service-server app configure %(name)s --client-id … --client-secret-file …"
_CALLBACK = "%(callback_url)s"
_IN_A_MINUTE = gettext_noop("Try again in a minute.")

_PASSING = Advice(gettext_noop("%(app)s has a problem at the moment."), (_IN_A_MINUTE,), final=False)
_SESSION = Advice(
    gettext_noop("%(app)s wants you to sign in there first."),
    (gettext_noop("Sign in to %(app)s, then try again."),),
    final=False,
)
_TOO_LATE = Advice(
    gettext_noop("%(app)s did not accept the sign-in: it may have taken too long, or been used before."),
    (
        gettext_noop(
            "Try again. If it happens again, tell the operator of this service: the callback URL that is registered "
            "with %(app)s has to be exactly"
        ),
        _CALLBACK,
    ),
    final=False,
)
_CLIENT = Advice(
    gettext_noop("%(app)s does not know this service by the client ID and client secret it has (%(code)s)."),
    (gettext_noop("Tell the operator of this service to set both again, as %(app)s shows them, with"), _CONFIGURE),
)
_EXACTLY = gettext_noop(
    "Tell the operator of this service: where it is registered with %(app)s, the callback URL has to be exactly"
)
_REDIRECT = Advice(
    gettext_noop("%(app)s doesn't accept the address it should send you back to (%(code)s)."), (_EXACTLY, _CALLBACK)
)
_SCOPE = Advice(
    gettext_noop("%(app)s doesn't let this service ask for all the permissions it needs (%(code)s)."),
    (
        gettext_noop(
            "Tell the operator of this service: where it is registered with %(app)s, these have to be allowed: "
            "%(scopes)s"
        ),
    ),
    typed=gettext_noop(
        "%(app)s doesn't grant this client these permissions: %(scopes)s. Allow them in %(app)s, then try again."
    ),
)
_NOT_ALLOWED = Advice(
    gettext_noop("%(app)s does not let this service sign people in (%(code)s)."),
    (
        gettext_noop(
            "Tell the operator of this service: where it is registered with %(app)s, signing in by an authorization "
            "code has to be allowed, with the callback URL"
        ),
        _CALLBACK,
        gettext_noop("and it has to be published, where %(app)s asks for that."),
    ),
    typed=gettext_noop(
        "%(app)s doesn't let this client sign in by itself. Allow that in %(app)s (the client credentials "
        "grant, or the one for signed assertions), then try again."
    ),
)
_MALFORMED = Advice(
    gettext_noop("%(app)s does not understand how this service asks it to sign you in (%(code)s)."),
    (
        _EXACTLY,
        _CALLBACK,
        gettext_noop("and if it is, the connector’s pkce, client_auth or authorize_parameters don’t fit %(app)s."),
    ),
)
_POLICY = Advice(
    gettext_noop("%(app)s does not let this service into your account (%(code)s)."),
    (gettext_noop("Ask your %(app)s administrator to allow it, then try again."),),
)
_UNKNOWN = Advice(
    gettext_noop("%(app)s refuses the sign-in and gives “%(code)s” as the reason."),
    (
        gettext_noop(
            "If it happens again, tell the operator of this service: the documentation of %(app)s says what that "
            "means. The callback URL that is registered there has to be exactly"
        ),
        _CALLBACK,
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
    values = {"app": title, "name": name, "code": code, "callback_url": callback_url, "scopes": _listed(scopes)}
    steps = [_(step, **values) for step in advice.steps]
    return Setback(_(advice.text, **values), *steps, final=advice.final)


def setback_of_typed(code: str | None, title: str, scopes: Sequence[str] = ()) -> Setback:
    """Say what an OAuth error means to the user who typed in the client or the key."""
    advice = _UNKNOWN if code is None else _ADVICE.get(code, _UNKNOWN)
    if advice is _PASSING:
        return Setback(_(advice.text, app=title), *map(_, advice.steps))
    if advice.typed is not None:
        return Setback(_(advice.typed, app=title, scopes=_listed(scopes)), _said(code))
    said = () if code is None else (_said(code),)
    return Setback(_("%(app)s did not accept this. Check it and try again.", app=title), *said, about="credentials")


def _said(code: str | None) -> str:
    return _("It said: %(code)s.", code=code)


def _listed(scopes: Sequence[str]) -> str:
    return enumerated(scopes) or _("those of the connector")
