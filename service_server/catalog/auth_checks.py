"""Checks the `auth` entries of a connector for what their form can't tell."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from service_server.catalog.document import KeyPath
from service_server.catalog.output import OutputError, compile_output, keys_picked
from service_server.catalog.problems import Report
from service_server.catalog.request_file import check_request
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.sources import check_entries
from service_server.catalog.templates import Names, check_template

_OWN_PARAMETERS = frozenset(
    {
        "assertion",
        "client_id",
        "client_secret",
        "code",
        "code_challenge",
        "code_challenge_method",
        "code_verifier",
        "grant_type",
        "redirect_uri",
        "refresh_token",
        "response_type",
        "scope",
        "state",
    }
)
_OWN_CLAIMS = frozenset({"iat", "exp"})

# Patterns of classes of letters, digits and hyphens alone: what they let through can't leave its label of a host name.
_LABEL = re.compile(r"(\[(a-z|A-Z|0-9)+-?\]([*+?]|\{[0-9]+,?[0-9]*\})?)+")

_VARIABLE = re.compile(r"\$\{vars\.([A-Za-z0-9_]+)")
_WITHHELD = (
    "users and the client's secret are sent there, so only the operator may say where ('set_by: operator'); a user may "
    "give no more than the first part of a host in the app's own domain, by a pattern such as [a-z0-9-]+"
)

Method = Mapping[str, Any]
Variables = Mapping[str, Mapping[str, Any]]


def check_auth(report: Report, methods: list[dict[str, Any]], variables: Variables) -> None:
    """Report what in the ways of signing in means nothing; their `fields` are filled in already."""
    for index, method in enumerate(methods):
        path: KeyPath = ("auth", index)
        if method["id"] in [other["id"] for other in methods[:index]]:
            report.add((*path, "id"), f"'{method['id']}' is there twice")
        for name, declared in method.get("fields", {}).items():
            check_pattern(report, (*path, "fields", name, "pattern"), declared.get("pattern"))
        if method["type"] in _CHECKS:
            _CHECKS[method["type"]](report, path, method, variables)
        if "output" in method.get("then", {}):
            _check_output(report, (*path, "then", "output"), method["then"]["output"])
            keys = keys_picked(method["then"]["output"])
            check_entries(report, (*path, "then"), method["then"], "what 'output' lists", keys)
        roots = ROOTS_AT.get(
            f"auth[].inject of {method['type']}", frozenset()
        )  # the others inject nothing of the author's
        names = Names(roots, variables, method.get("fields", {}))
        check_template(report, (*path, "inject"), method.get("inject", {}), names)
        scopes = method.get("scopes", {}).get("default", [])
        check_template(
            report, (*path, "scopes", "default"), scopes, Names(ROOTS_AT["auth[].scopes.default"], variables)
        )


def _check_output(report: Report, path: KeyPath, expression: str) -> None:
    try:
        if compile_output(expression).names:
            report.add(path, "has no arguments to refer to")
    except OutputError as error:
        report.add(path, str(error))


def shown_fields(method: Method) -> set[str]:
    """Name the credentials of a way to sign in that are no secrets, so that they may stand in an address."""
    if method["type"] in ("basic", "oauth2_client_credentials") and "fields" not in method:
        return {"username"} if method["type"] == "basic" else {"client_id"}
    return {name for name, declared in method.get("fields", {}).items() if not declared.get("secret", True)}


def check_pattern(report: Report, path: KeyPath, pattern: str | None) -> None:
    """Report a pattern that is not a regular expression."""
    try:
        re.compile(pattern or "")
    except re.error as error:
        report.add(path, f"is not a regular expression: {error}")


def _check_oauth(report: Report, path: KeyPath, method: Method, variables: Variables) -> None:
    # Only the operator may say where the app's client secret goes; a user can name an account below the app's domain.
    for key in ("authorize_url", "token_url", "revoke_url", "issuer"):
        usable = [
            name
            for name, variable in variables.items()
            if variable.get("set_by") == "operator" or _names_an_account(method.get(key, ""), name, variable)
        ]
        withheld = (set(_VARIABLE.findall(method.get(key, ""))) & {*variables}) - {*usable}
        for name in sorted(withheld):
            report.add((*path, key), f"vars.{name} can't stand here: {_WITHHELD}")
        _check_url(report, path, method, key, [*usable, *withheld])
    for key in ("authorize_parameters", "token_parameters"):
        _check_parameters(report, (*path, key), method.get(key, {}), Names(ROOTS_AT[f"auth[].{key}"]))


def _names_an_account(url: str, name: str, variable: Mapping[str, Any]) -> bool:
    """Whether a user's variable is no more than the first label of a host whose domain the connector fixes."""
    if variable.get("set_by") != "user" or _LABEL.fullmatch(variable.get("pattern", "")) is None:
        return False
    return re.fullmatch(rf"https://\$\{{vars\.{name}\}}(\.[a-z0-9-]+){{2,}}(/[^$]*)?", url) is not None


def _check_client_credentials(report: Report, path: KeyPath, method: Method, variables: Variables) -> None:
    _check_url(report, path, method, "token_url", [*variables])
    names = Names(ROOTS_AT["auth[].token_parameters of oauth2_client_credentials"], variables)
    _check_parameters(report, (*path, "token_parameters"), method.get("token_parameters", {}), names)
    for name in ("client_id", "client_secret"):
        if name not in method["fields"]:
            report.add((*path, "fields"), f"needs '{name}'")


def _check_basic(report: Report, path: KeyPath, method: Method, variables: Variables) -> None:
    for key in ("username", "password"):
        check_template(report, (*path, key), method[key], Names(ROOTS_AT[f"auth[].{key}"], variables, method["fields"]))


def _check_jwt(report: Report, path: KeyPath, method: Method, variables: Variables) -> None:
    for key in ("key", "header", "claims"):
        names = Names(ROOTS_AT[f"auth[].{key}"], variables, method["fields"])
        check_template(report, (*path, key), method.get(key, {}), names)
    for name in _OWN_CLAIMS & set(method["claims"]):
        report.add((*path, "claims", name), "is set by the service itself")
    if "key_encoding" in method and not method["algorithm"].startswith("HS"):
        report.add((*path, "key_encoding"), f"is for HS algorithms; {method['algorithm']} takes a key in PEM")
    _check_url(report, path, method, "token_url", [*variables])
    names = Names(ROOTS_AT["auth[].token_parameters"])
    _check_parameters(report, (*path, "token_parameters"), method.get("token_parameters", {}), names)


def _check_token_exchange(report: Report, path: KeyPath, method: Method, variables: Variables) -> None:
    fields = method["fields"]
    for name, place in method["token"].items():
        if isinstance(place, Mapping) and name != "expires_in":
            report.add((*path, "token", name), "must be text: only expires_in counts something, so that it has a unit")
    check_request(report, (*path, "login"), method["login"], Names(ROOTS_AT["auth[].login"], variables, fields))
    renewing = {name: field for name, field in fields.items() if not field.get("secret", True)}
    if "refresh" in method:
        names = Names(ROOTS_AT["auth[].refresh.request"], variables, renewing)  # the secrets are forgotten by then
        check_request(report, (*path, "refresh", "request"), method["refresh"]["request"], names)
        if "refresh_token" not in method["token"]:
            report.add((*path, "token"), "needs 'refresh_token', because there is a 'refresh'")
    if "logout" in method:
        names = Names(ROOTS_AT["auth[].logout"], variables, renewing)
        check_request(report, (*path, "logout"), method["logout"], names)


_CHECKS: dict[str, Callable[[Report, KeyPath, Method, Variables], None]] = {
    "oauth2_code": _check_oauth,
    "oauth2_client_credentials": _check_client_credentials,
    "basic": _check_basic,
    "jwt": _check_jwt,
    "token_exchange": _check_token_exchange,
}


def _check_url(report: Report, path: KeyPath, method: Method, key: str, variables: list[str]) -> None:
    if key not in method:
        return
    right = check_template(report, (*path, key), method[key], Names(ROOTS_AT[f"auth[].{key}"], variables))
    if right and not re.match(r"https://|http://|\$\{vars\.", method[key]):
        report.add((*path, key), "must be an absolute https URL")


def _check_parameters(report: Report, path: KeyPath, parameters: Mapping[str, str], names: Names) -> None:
    check_template(report, path, parameters, names)
    for name in parameters:
        if name in _OWN_PARAMETERS:
            report.add((*path, name), "is set by the service itself")
