"""Checks the `auth` entries of a connector for what their form can't tell."""

import re
from collections.abc import Mapping, Sequence

from attrs import fields

from service_server.catalog.auth import AuthMethod, ClientCredentials, OAuth2Code, SignedAssertion, TokenExchange
from service_server.catalog.auth_parts import DeclaredExpiry
from service_server.catalog.format.connector import Variable
from service_server.catalog.format.keys import key_of
from service_server.catalog.output import Picker
from service_server.catalog.problems import Report
from service_server.catalog.request_checks import check_request
from service_server.catalog.requests import Request
from service_server.catalog.sources import check_entries
from service_server.catalog.templates import ROOTS_AT, Names, check_template
from service_server.onward.target import parse_target

_OWN_PARAMETERS = frozenset({
    "assertion", "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier",
    "grant_type", "redirect_uri", "refresh_token", "response_type", "scope", "state",
})  # fmt: skip
_ADDRESSES = ("authorize_url", "token_url", "revoke_url", "issuer")
_OWN_CLAIMS = frozenset({"iat", "exp"})

# Patterns of classes of letters, digits and hyphens alone: what they let through can't leave its label of a host name.
_LABEL = re.compile(r"(\[(a-z|A-Z|0-9)+-?\]([*+?]|\{[0-9]+,?[0-9]*\})?)+")

_VARIABLE = re.compile(r"\$\{vars\.([A-Za-z0-9_]+)")
_WITHHELD = (
    "users and the client's secret are sent there, so only the operator may say where ('set_by: operator'); a user may "
    "give no more than the first part of a host in the app's own domain, by a pattern such as [a-z0-9-]+"
)

Variables = Mapping[str, Variable]


def check_auth(report: Report, ways: Sequence[AuthMethod], variables: Variables) -> None:
    """Report what in the ways of signing in means nothing."""
    for index, way in enumerate(ways):
        part = report.below("auth", index)
        if way.id in [other.id for other in ways[:index]]:
            part.add(("id",), f"'{way.id}' is there twice")
        _check_templates(part, way, variables)
        _check_addresses(part, way, variables)
        _check_kind(part, way, variables)
        if isinstance(way, OAuth2Code | ClientCredentials):
            names = Names(ROOTS_AT["auth[].scopes.default"], {"vars": variables})
            check_template(part, ("scopes", "default"), way.scopes.default, names)
        if way.then is not None and way.then.output is not None:
            if Picker(way.then.output).names:
                part.add(("then", "output"), "has no arguments to refer to")
            entry_parts = {"value": way.then.value, "label": way.then.label}
            check_entries(part.below("then"), entry_parts, "what 'output' lists", way.then.output)


def _check_templates(report: Report, way: AuthMethod, variables: Variables) -> None:
    """Report texts that mean nothing where they stand; addresses and requests are looked at by themselves."""
    there = {key_of(each): getattr(way, each.name) for each in fields(type(way))}
    for key, template in there.items():
        roots = ROOTS_AT.get(f"auth[].{key} of {way.type}", ROOTS_AT.get(f"auth[].{key}"))
        if roots is not None and key not in ("base_url", *_ADDRESSES) and not isinstance(template, Request):
            names = Names(roots, {"vars": variables, "creds": way.credentials})
            check_template(report, (key,), template, names)
    for key in ("authorize_parameters", "token_parameters"):
        for name in _OWN_PARAMETERS.intersection(there.get(key, ())):
            report.add((key, name), "is set by the service itself")


def _check_kind(report: Report, way: AuthMethod, variables: Variables) -> None:
    match way:
        case ClientCredentials():
            for name in ("client_id", "client_secret"):
                if name not in way.typed_in:
                    report.add(("fields",), f"needs '{name}'")
        case SignedAssertion():
            for name in _OWN_CLAIMS & set(way.claims):
                report.add(("claims", name), "is set by the service itself")
            if way.key_encoding is not None and not way.algorithm.startswith("HS"):
                report.add(("key_encoding",), f"is for HS algorithms; {way.algorithm} takes a key in PEM")
        case TokenExchange():
            _check_token_exchange(report, way, variables)


def _check_addresses(report: Report, way: AuthMethod, variables: Variables) -> None:
    for key in _ADDRESSES:
        url: str = getattr(way, key, None) or ""
        known = set(variables)
        # Only the operator may say where the app's client secret goes; a user can name an account below its domain.
        if isinstance(way, OAuth2Code):
            usable = {name for name in variables if _may_decide(url, name, variables[name])}
            withheld = known.intersection(_VARIABLE.findall(url)) - usable
            for name in sorted(withheld):
                report.add((key,), f"vars.{name} can't stand here: {_WITHHELD}")
            known = usable | withheld
        right = check_template(report, (key,), url, Names(ROOTS_AT[f"auth[].{key}"], {"vars": known}))
        if right and url and not re.match(r"https://|http://|\$\{vars\.", url):
            report.add((key,), "must be an absolute https URL")
        elif right and url and not url.startswith("$"):
            with report.telling((key,)):
                parse_target(re.sub(r"\$\{[^{}]*\}", "x", url))


def _may_decide(url: str, name: str, variable: Variable) -> bool:
    """Whether it is the operator's, or no more than the first label of a host whose domain the connector fixes."""
    if variable.set_by != "user" or _LABEL.fullmatch(variable.pattern or "") is None:
        return variable.set_by == "operator"
    return re.fullmatch(rf"https://\$\{{vars\.{name}\}}(\.[a-z0-9-]+){{2,}}(/[^$]*)?", url) is not None


def _check_token_exchange(report: Report, way: TokenExchange, variables: Variables) -> None:
    for name, place in way.token.items():
        if isinstance(place, DeclaredExpiry) and name != "expires_in":
            report.add(("token", name), "must be text: only expires_in counts something, so that it has a unit")
    names = Names(ROOTS_AT["auth[].login"], {"vars": variables, "creds": way.typed_in})
    check_request(report, ("login",), way.login, names)
    shown = {"vars": variables, "creds": way.shown}  # the secrets are forgotten once there is a token
    if way.renewing is not None:
        names = Names(ROOTS_AT["auth[].refresh.request"], shown)
        check_request(report, ("refresh", "request"), way.renewing.request, names)
        if "refresh_token" not in way.token:
            report.add(("token",), "needs 'refresh_token', because there is a 'refresh'")
    if way.logout is not None:
        check_request(report, ("logout",), way.logout, Names(ROOTS_AT["auth[].logout"], shown))
