"""The `auth` entries of a connector: compiled to ways of signing in."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from service_server.catalog.auth import (
    AfterSignIn,
    ApiKey,
    AuthMethod,
    Basic,
    ClientCredentials,
    CredentialField,
    Injection,
    NoAuth,
    OAuth2Code,
    RefreshRule,
    SignedAssertion,
    TokenExchange,
)
from service_server.catalog.auth_checks import check_auth
from service_server.catalog.durations import SECONDS, seconds_of
from service_server.catalog.expressions import (
    Context,
    Evaluate,
    InvalidRequest,
    compile_text,
    compile_value,
    parse_path,
    references,
)
from service_server.catalog.output import compile_output
from service_server.catalog.problems import Report
from service_server.catalog.request_file import compile_request

_DEFAULTS: dict[str, dict[str, Any]] = {
    "basic": {
        "fields": {
            "username": {"title": "User name", "secret": False, "pattern": "[^:]+"},
            "password": {"title": "Password"},
        },
        "username": "${creds.username}",
        "password": "${creds.password}",
    },
    "oauth2_client_credentials": {
        "fields": {"client_id": {"title": "Client ID", "secret": False}, "client_secret": {"title": "Client secret"}}
    },
    "none": {"title": "No sign-in"},
}
# Where the client is the user's own, the provider's no to it is as final as its no to a grant.
_DEAD_OF_USERS = ("invalid_grant", "invalid_client", "unauthorized_client", "access_denied")

Method = Mapping[str, Any]
Headers = Mapping[str, str]


def compile_auth(
    report: Report, methods: list[dict[str, Any]], variables: Mapping[str, Mapping[str, Any]], headers: Headers
) -> tuple[AuthMethod, ...]:
    """Return the ways of signing in; report what in them means nothing. `headers` go with every request of the app."""
    before = len(report.problems)
    whole = [{**_DEFAULTS.get(method["type"], {}), **method} for method in methods]
    check_auth(report, whole, variables)
    return () if len(report.problems) > before else tuple(_compile(method, headers) for method in whole)


def _compile(method: Method, headers: Headers) -> AuthMethod:
    plain = _sent_plainly(method)
    common = {
        "id": method["id"],
        "title": method["title"],
        "inject": _injection(method),
        "fields": {
            name: CredentialField(name=name, plain=name in plain, **declared)
            for name, declared in method.get("fields", {}).items()
        },
        "base_url_template": _optional_text(method, "base_url"),
        "test": compile_request(method["test"], headers) if "test" in method else None,
        "then": _then(method["then"], headers) if "then" in method else None,
    }
    if method["type"] == "token_exchange":
        return _token_exchange(method, common, headers)
    return _COMPILERS[method["type"]](method, common)


def _then(declared: Mapping[str, Any], headers: Headers) -> AfterSignIn:
    return AfterSignIn(
        request=compile_request(declared["request"], headers),
        picker=compile_output(declared["output"]) if "output" in declared else None,
        variable=declared["sets"],
        value=declared["value"],
        label=declared["label"],
    )


def _injection(method: Method) -> Injection:
    if method["type"] == "basic":
        return Injection(headers={"Authorization": _basic(method["username"], method["password"])})
    declared = method.get("inject", {})
    return Injection(
        headers={name: compile_value(value) for name, value in declared.get("header", {}).items()},
        query={name: compile_value(value) for name, value in declared.get("query", {}).items()},
    )


def _basic(username: str, password: str) -> Evaluate:
    name_of, password_of = compile_text(username), compile_text(password)

    def authorization(context: Context) -> str:
        name = name_of(context)
        if ":" in name:  # where the name ends could be read in two ways
            raise InvalidRequest(None, "a user name with a colon can't be sent by HTTP Basic")
        return f"Basic {base64.b64encode(f'{name}:{password_of(context)}'.encode()).decode()}"

    return authorization


def _sent_plainly(method: Method) -> set[str]:
    """Name the credentials that go into headers as they are, and those that OAuth holds to printable ASCII."""
    injected = references(method.get("inject", {}).get("header", {}))
    named = {reference.keys[0] for _, reference in injected if reference.root == "creds"}
    return named | ({"client_id", "client_secret"} if method["type"] == "oauth2_client_credentials" else set())


def _no_auth(_: Method, common: dict[str, Any]) -> AuthMethod:
    return NoAuth(**common)


def _api_key(_: Method, common: dict[str, Any]) -> AuthMethod:
    return ApiKey(**common)


def _basic_auth(_: Method, common: dict[str, Any]) -> AuthMethod:
    return Basic(**common)


def _oauth2_code(method: Method, common: dict[str, Any]) -> AuthMethod:
    scopes = method.get("scopes", {})
    return OAuth2Code(
        **common,
        pkce=method.get("pkce", "S256"),
        client_auth=method.get("client_auth", "basic"),
        default_scopes=tuple(scopes.get("default", ())),
        scope_separator=scopes.get("separator", " "),
        authorize_parameters=method.get("authorize_parameters", {}),
        token_parameters=method.get("token_parameters", {}),
        refresh=_refresh_rule(method, ("invalid_grant",)),
        authorize_template=compile_text(method["authorize_url"]),
        token_template=compile_text(method["token_url"]),
        revoke_template=_optional_text(method, "revoke_url"),
        issuer_template=_optional_text(method, "issuer"),
    )


def _client_credentials(method: Method, common: dict[str, Any]) -> AuthMethod:
    scopes = method.get("scopes", {})
    return ClientCredentials(
        **common,
        client_auth=method.get("client_auth", "basic"),
        scope=scopes.get("separator", " ").join(scopes.get("default", ())),
        token_parameters=compile_value(method.get("token_parameters", {})),
        refresh=_refresh_rule(method, _DEAD_OF_USERS),
        token_template=compile_text(method["token_url"]),
    )


def _signed_assertion(method: Method, common: dict[str, Any]) -> AuthMethod:
    return SignedAssertion(
        **common,
        algorithm=method["algorithm"],
        key=compile_text(method["key"]),
        key_is_hex=method.get("key_encoding") == "hex",
        header=compile_value(method.get("header", {})),
        claims=compile_value(method["claims"]),
        lifetime_seconds=seconds_of(method.get("lifetime", "5m")),
        token_parameters=method.get("token_parameters", {}),
        refresh=_refresh_rule(method, _DEAD_OF_USERS),
        token_template=_optional_text(method, "token_url"),
    )


def _token_exchange(method: Method, common: dict[str, Any], headers: Headers) -> AuthMethod:
    token = dict(method["token"])
    lifetime, unit = token.get("expires_in"), 1.0
    if isinstance(lifetime, Mapping):
        token["expires_in"], unit = lifetime["from"], SECONDS[lifetime["unit"]]
    renewal = method.get("refresh", {}).get("request")
    return TokenExchange(
        **common,
        login=compile_request(method["login"], headers),
        token_paths={name: parse_path(path) for name, path in token.items()},
        expires_unit_seconds=unit,
        renewal=None if renewal is None else compile_request(renewal, headers),
        logout=compile_request(method["logout"], headers) if "logout" in method else None,
        refresh=_refresh_rule(method, ()),
    )


_COMPILERS: dict[str, Callable[[Method, dict[str, Any]], AuthMethod]] = {
    "none": _no_auth,
    "api_key": _api_key,
    "basic": _basic_auth,
    "oauth2_code": _oauth2_code,
    "oauth2_client_credentials": _client_credentials,
    "jwt": _signed_assertion,
}


def _refresh_rule(method: Method, dead_on: tuple[str, ...]) -> RefreshRule:
    declared = method.get("refresh", {})
    return RefreshRule(
        leeway_seconds=seconds_of(declared["leeway"]) if "leeway" in declared else None,
        lifetime_seconds=seconds_of(declared["lifetime"]) if "lifetime" in declared else None,
        rotates=declared.get("rotates", True),
        dead_on=frozenset(declared.get("dead_on", dead_on)),
    )


def _optional_text(method: Method, key: str) -> Callable[[Context], str] | None:
    return compile_text(method[key]) if key in method else None
