"""The `auth` entries of a connector: checked and compiled to ways of signing in."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.catalog.auth import ApiKey, AuthMethod, CredentialField, Injection, NoAuth, OAuth2Code, RefreshRule
from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import compile_text, compile_value
from service_server.catalog.problems import Report
from service_server.catalog.templates import Names, check_template

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_OWN_PARAMETERS = frozenset(
    {
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


def compile_auth(
    report: Report, methods: list[dict[str, Any]], variables: Mapping[str, Mapping[str, Any]]
) -> tuple[AuthMethod, ...]:
    """Return the ways of signing in; report what in them means nothing."""
    before = len(report.problems)
    for index, method in enumerate(methods):
        path: KeyPath = ("auth", index)
        if method["id"] in [other["id"] for other in methods[:index]]:
            report.add((*path, "id"), f"'{method['id']}' is there twice")
        if method["type"] == "oauth2_code":
            _check_oauth(report, path, method, variables)
        if method["type"] == "api_key":
            _check_fields(report, path, method)
        _check_injection(report, path, method, variables)
    return () if len(report.problems) > before else tuple(_compile(method) for method in methods)


def _check_oauth(
    report: Report, path: KeyPath, method: Mapping[str, Any], variables: Mapping[str, Mapping[str, Any]]
) -> None:
    # Only the operator may say where the application's client secret goes.
    operators = [name for name, variable in variables.items() if variable.get("set_by") == "operator"]
    for key in ("authorize_url", "token_url", "revoke_url", "issuer"):
        if key not in method:
            continue
        right = check_template(report, (*path, key), method[key], Names({"vars"}, operators))
        if right and not re.match(r"https://|http://|\$\{vars\.", method[key]):
            report.add((*path, key), "must be an absolute https URL")
    for key in ("authorize_parameters", "token_parameters"):
        check_template(report, (*path, key), method.get(key, {}), Names(()))
        for name in method.get(key, {}):
            if name in _OWN_PARAMETERS:
                report.add((*path, key, name), "is set by the service itself")


def _check_fields(report: Report, path: KeyPath, method: Mapping[str, Any]) -> None:
    for name, declared in method["fields"].items():
        check_pattern(report, (*path, "fields", name, "pattern"), declared.get("pattern"))


def check_pattern(report: Report, path: KeyPath, pattern: str | None) -> None:
    """Report a pattern that is not a regular expression."""
    try:
        re.compile(pattern or "")
    except re.error as error:
        report.add(path, f"is not a regular expression: {error}")


def _check_injection(
    report: Report, path: KeyPath, method: Mapping[str, Any], variables: Mapping[str, Mapping[str, Any]]
) -> None:
    root = {"oauth2_code": "token", "api_key": "creds", "none": "vars"}[method["type"]]
    names = Names({root, "vars"}, variables, method.get("fields", {}))
    check_template(report, (*path, "inject"), method.get("inject", {}), names)


def _compile(method: Mapping[str, Any]) -> AuthMethod:
    declared = method.get("inject", {})
    inject = Injection(
        headers={name: compile_value(value) for name, value in declared.get("header", {}).items()},
        query={name: compile_value(value) for name, value in declared.get("query", {}).items()},
    )
    if method["type"] == "api_key":
        fields = {name: CredentialField(name=name, **field) for name, field in method["fields"].items()}
        return ApiKey(id=method["id"], title=method["title"], inject=inject, fields=fields)
    if method["type"] == "none":
        return NoAuth(id=method["id"], title=method.get("title", "No sign-in"), inject=inject)
    return _compile_oauth(method, inject)


def _compile_oauth(method: Mapping[str, Any], inject: Injection) -> OAuth2Code:
    refresh = method.get("refresh", {})
    scopes = method.get("scopes", {})
    return OAuth2Code(
        id=method["id"],
        title=method["title"],
        inject=inject,
        pkce=method.get("pkce", "S256"),
        client_auth=method.get("client_auth", "basic"),
        default_scopes=tuple(scopes.get("default", ())),
        scope_separator=scopes.get("separator", " "),
        authorize_parameters=method.get("authorize_parameters", {}),
        token_parameters=method.get("token_parameters", {}),
        refresh=RefreshRule(
            leeway_seconds=_duration(refresh["leeway"]) if "leeway" in refresh else None,
            rotates=refresh.get("rotates", True),
            dead_on=frozenset(refresh.get("dead_on", ("invalid_grant",))),
        ),
        authorize_template=compile_text(method["authorize_url"]),
        token_template=compile_text(method["token_url"]),
        revoke_template=compile_text(method["revoke_url"]) if "revoke_url" in method else None,
        issuer_template=compile_text(method["issuer"]) if "issuer" in method else None,
    )


def _duration(text: str) -> float:
    number = text.rstrip("msh")
    return int(number) * _SECONDS[text[len(number) :]]
