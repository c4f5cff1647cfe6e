"""The `auth` entries of a connector: compiled to ways of signing in."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from attrs import asdict

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
from service_server.catalog.durations import SECONDS, seconds_of
from service_server.catalog.expressions import (
    Context,
    Evaluate,
    InvalidRequest,
    compile_text,
    compile_value,
    parse_path,
)
from service_server.catalog.format.auth import (
    AnyWay,
    DeclaredApiKey,
    DeclaredBasic,
    DeclaredClientCredentials,
    DeclaredExpiry,
    DeclaredJwt,
    DeclaredNoAuth,
    DeclaredOAuth2Code,
    DeclaredReissue,
    DeclaredThen,
    DeclaredTokenExchange,
)
from service_server.catalog.output import compile_output
from service_server.catalog.request_file import compile_request
from service_server.catalog.templates import referred

Headers = Mapping[str, str]


def compile_auth(way: AnyWay, headers: Headers, trusts_base_url: bool) -> AuthMethod:
    """Return a way of signing in that has been checked; `headers` go with every request of the app."""
    plain = _sent_plainly(way)
    common: dict[str, Any] = {
        "id": way.id,
        "title": way.title,
        "inject": _injection(way),
        "fields": {
            name: CredentialField(name=name, plain=name in plain, **asdict(declared))
            for name, declared in way.credentials.items()
        },
        "base_url_template": _optional_text(way.base_url),
        "trusts_base_url": trusts_base_url,
        "test": None if way.test is None else compile_request(way.test, headers),
        "then": None if way.following is None else _then(way.following, headers),
    }
    match way:
        case DeclaredNoAuth():
            return NoAuth(**common)
        case DeclaredApiKey():
            return ApiKey(**common)
        case DeclaredBasic():
            return Basic(**common)
        case DeclaredOAuth2Code():
            return _oauth2_code(way, common)
        case DeclaredClientCredentials():
            return _client_credentials(way, common)
        case DeclaredJwt():
            return _signed_assertion(way, common)
        case DeclaredTokenExchange():
            return _token_exchange(way, common, headers)


def _then(declared: DeclaredThen, headers: Headers) -> AfterSignIn:
    return AfterSignIn(
        request=compile_request(declared.request, headers),
        picker=None if declared.output is None else compile_output(declared.output),
        variable=declared.sets,
        value=declared.value,
        label=declared.label,
    )


def _injection(way: AnyWay) -> Injection:
    if isinstance(way, DeclaredBasic):
        return Injection(headers={"Authorization": _basic(way.username, way.password)})
    return Injection(
        headers={name: compile_value(value) for name, value in way.injection.header.items()},
        query={name: compile_value(value) for name, value in way.injection.query.items()},
    )


def _basic(username: str, password: str) -> Evaluate:
    name_of, password_of = compile_text(username), compile_text(password)

    def authorization(context: Context) -> str:
        name = name_of(context)
        if ":" in name:  # where the name ends could be read in two ways
            raise InvalidRequest(None, "a user name with a colon can't be sent by HTTP Basic")
        return f"Basic {base64.b64encode(f'{name}:{password_of(context)}'.encode()).decode()}"

    return authorization


def _sent_plainly(way: AnyWay) -> set[str]:
    """Name the credentials that go into headers as they are, and those that OAuth holds to printable ASCII."""
    named = {keys[0] for keys in referred("creds", way.injection.header)}
    return named | ({"client_id", "client_secret"} if isinstance(way, DeclaredClientCredentials) else set())


def _oauth2_code(way: DeclaredOAuth2Code, common: dict[str, Any]) -> AuthMethod:
    return OAuth2Code(
        **common,
        pkce=way.pkce,
        client_auth=way.client_auth,
        default_scopes=way.scopes.default,
        scope_separator=way.scopes.separator,
        authorize_parameters=way.authorize_parameters,
        token_parameters=way.token_parameters,
        refresh=RefreshRule(
            leeway_seconds=_optional_seconds(way.refresh.leeway),
            lifetime_seconds=_optional_seconds(way.refresh.lifetime),
            rotates=way.refresh.rotates,
            dead_on=frozenset(way.refresh.dead_on),
        ),
        authorize_template=compile_text(way.authorize_url),
        token_template=compile_text(way.token_url),
        revoke_template=_optional_text(way.revoke_url),
        issuer_template=_optional_text(way.issuer),
    )


def _client_credentials(way: DeclaredClientCredentials, common: dict[str, Any]) -> AuthMethod:
    return ClientCredentials(
        **common,
        client_auth=way.client_auth,
        scope=way.scopes.separator.join(way.scopes.default),
        token_parameters=compile_value(way.token_parameters),
        refresh=_reissue_rule(way.refresh),
        token_template=compile_text(way.token_url),
    )


def _signed_assertion(way: DeclaredJwt, common: dict[str, Any]) -> AuthMethod:
    return SignedAssertion(
        **common,
        algorithm=way.algorithm,
        key=compile_text(way.signing_key),
        key_is_hex=way.key_encoding == "hex",
        header=compile_value(way.header),
        claims=compile_value(way.claims),
        lifetime_seconds=seconds_of(way.lifetime),
        token_parameters=way.token_parameters,
        refresh=_reissue_rule(way.refresh),
        token_template=_optional_text(way.token_url),
    )


def _token_exchange(way: DeclaredTokenExchange, common: dict[str, Any], headers: Headers) -> AuthMethod:
    paths = {name: place.path if isinstance(place, DeclaredExpiry) else place for name, place in way.token.items()}
    lifetime, renewal = way.token.get("expires_in"), way.refresh
    return TokenExchange(
        **common,
        login=compile_request(way.login, headers),
        token_paths={name: parse_path(path) for name, path in paths.items()},
        expires_unit_seconds=SECONDS[lifetime.unit] if isinstance(lifetime, DeclaredExpiry) else 1.0,
        renewal=None if renewal is None else compile_request(renewal.request, headers),
        logout=None if way.logout is None else compile_request(way.logout, headers),
        refresh=RefreshRule(
            leeway_seconds=None if renewal is None else _optional_seconds(renewal.leeway),
            lifetime_seconds=None if renewal is None else _optional_seconds(renewal.lifetime),
            dead_on=frozenset(),
        ),
    )


def _reissue_rule(declared: DeclaredReissue) -> RefreshRule:
    return RefreshRule(leeway_seconds=_optional_seconds(declared.leeway), dead_on=frozenset(declared.dead_on))


def _optional_text(template: str | None) -> Callable[[Context], str] | None:
    return None if template is None else compile_text(template)


def _optional_seconds(duration: str | None) -> float | None:
    return None if duration is None else seconds_of(duration)
