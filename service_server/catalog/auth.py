"""How accounts of an app are signed in to, and where their credentials go in a request."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

from attrs import field, frozen

from service_server.catalog.expressions import ABSENT, Context, Evaluate, stringify
from service_server.catalog.requests import header_value, with_headers, with_query
from service_server.onward.values import OnwardRequest


@frozen
class Injection:
    """
    Where credentials go: headers and query parameters, by name.

    `secret_headers` (lower case) and `secret_query` name what it sets, so that nobody logs or forwards them.
    """

    headers: Mapping[str, Evaluate] = field(factory=dict, repr=False)
    query: Mapping[str, Evaluate] = field(factory=dict, repr=False)

    @property
    def secret_headers(self) -> frozenset[str]:
        """The headers that carry credentials, in lower case."""
        return frozenset(name.lower() for name in self.headers)

    @property
    def secret_query(self) -> frozenset[str]:
        """The query parameters that carry credentials."""
        return frozenset(self.query)

    def apply(self, request: OnwardRequest, context: Context) -> OnwardRequest:
        """Return the request with the credentials of `context` in it, in place of any of the same names."""
        headers = {name: header_value(name, value) for name, value in _texts(self.headers, context)}
        query = dict(_texts(self.query, context))
        return with_query(with_headers(request, headers), query)


def _texts(templates: Mapping[str, Evaluate], context: Context) -> list[tuple[str, str]]:
    values = [(name, evaluate(context)) for name, evaluate in templates.items()]
    return [(name, stringify(value)) for name, value in values if value is not ABSENT]


@frozen(kw_only=True)
class AuthMethod:
    """One way of signing in that an app offers; `id` is unique within the app and kept with each account."""

    type: ClassVar[Literal["oauth2_code", "api_key", "none"]]

    id: str
    title: str
    inject: Injection


@frozen(kw_only=True)
class NoAuth(AuthMethod):
    """The app needs no credentials."""

    type = "none"


@frozen(kw_only=True)
class CredentialField:
    """One thing the user types in to connect, such as an API token."""

    name: str
    title: str
    description: str = ""
    secret: bool = True
    pattern: str | None = None
    placeholder: str = ""
    example: str = ""


@frozen(kw_only=True)
class ApiKey(AuthMethod):
    """The user types in one or more named credentials, found under `creds` in expressions."""

    type = "api_key"

    fields: Mapping[str, CredentialField]


@frozen(kw_only=True)
class RefreshRule:
    """
    How access tokens are renewed.

    `leeway_seconds` before expiry (None: the service's own rule); `rotates` when each answer replaces the refresh
    token; `dead_on` holds the OAuth error codes after which only reconnecting helps.
    """

    leeway_seconds: float | None = None
    rotates: bool = True
    dead_on: frozenset[str] = frozenset({"invalid_grant"})


@frozen(kw_only=True)
class OAuth2Code(AuthMethod):
    """The authorization code grant; what the token endpoint answers is found under `token` in expressions."""

    type = "oauth2_code"

    pkce: Literal["S256", "none"] = "S256"
    client_auth: Literal["basic", "body", "none"] = "basic"
    default_scopes: tuple[str, ...] = ()
    scope_separator: str = " "
    authorize_parameters: Mapping[str, str] = field(factory=dict)
    token_parameters: Mapping[str, str] = field(factory=dict)
    refresh: RefreshRule = field(factory=RefreshRule)
    authorize_template: Callable[[Context], str] = field(repr=False)
    token_template: Callable[[Context], str] = field(repr=False)
    revoke_template: Callable[[Context], str] | None = field(default=None, repr=False)
    issuer_template: Callable[[Context], str] | None = field(default=None, repr=False)

    def authorize_url(self, context: Context) -> str:
        """Return the address of the provider's authorization page."""
        return self.authorize_template(context)

    def token_url(self, context: Context) -> str:
        """Return the address that codes and refresh tokens are exchanged at."""
        return self.token_template(context)

    def revoke_url(self, context: Context) -> str | None:
        """Return the address that tokens are revoked at (RFC 7009), None when the provider has none."""
        return None if self.revoke_template is None else self.revoke_template(context)

    def issuer(self, context: Context) -> str | None:
        """Return what the provider calls itself in `iss` (RFC 9207), None when the connector doesn't say."""
        return None if self.issuer_template is None else self.issuer_template(context)
