"""How accounts of an app are signed in to, and where their credentials go in a request."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import field, frozen

from service_server.catalog.expressions import ABSENT, Context, Evaluate, Reference, parse_path, stringify
from service_server.catalog.output import Picker
from service_server.catalog.requests import RequestTemplate, header_value, with_headers, with_query
from service_server.onward.values import OnwardRequest

AuthType: TypeAlias = Literal[
    "oauth2_code", "oauth2_client_credentials", "api_key", "basic", "jwt", "token_exchange", "none"
]
ClientAuthentication: TypeAlias = Literal["basic", "body", "none"]


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
class CredentialField:
    """
    One thing the user types in to connect, such as an API token.

    `plain` holds for what is sent as it stands where only printable ASCII can be: in a header, or as an OAuth client.
    """

    name: str
    title: str
    description: str = ""
    secret: bool = True
    multiline: bool = False
    pattern: str | None = None
    placeholder: str = ""
    example: str = ""
    plain: bool = field(default=False, eq=False)  # ways that differ in this alone ask for the same


@frozen(kw_only=True)
class AfterSignIn:
    """A call with new credentials whose answer lists what `variable` may be: each entry with its value and label."""

    request: RequestTemplate
    picker: Picker | None
    variable: str
    value: str
    label: str

    def choices(self, body: Any) -> tuple[tuple[str, str], ...]:
        """
        Read value and label of what an answer lists, each value once.

        Raises:
            LookupError: there is no list, or none of its entries has a value; says what is missing.
        """
        found = body if self.picker is None else self.picker(body)
        if not isinstance(found, list):
            raise LookupError(f"there is no list {'in it' if self.picker is None else 'where then.output leads'}")
        choices: dict[str, str] = {}
        for entry in found:
            value, label = (_text_at(entry, key) for key in (self.value, self.label))
            if value:
                choices.setdefault(value, label or value)
        if found and not choices:
            entries = "the only entry lacks" if len(found) == 1 else f"all {len(found)} entries lack"
            raise LookupError(f"{entries} {self.value}, which then.value names")
        return tuple(choices.items())


def _text_at(entry: Any, path: str) -> str:
    found = parse_path(f"body.{path}").find({"body": entry})
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""


@frozen(kw_only=True)
class AuthMethod:
    """
    One way of signing in that an app offers; `id` is unique within the app and kept with each account.

    `fields` is what the user types in, found under `creds` in expressions. `base_url_template` and `test` are its own
    where it has any in place of the app's; its address is trusted unless the app's answers name its host. `then` is the
    call that fills a variable once somebody has signed in.
    """

    type: ClassVar[AuthType]

    id: str
    title: str
    inject: Injection
    fields: Mapping[str, CredentialField] = field(factory=dict)
    base_url_template: Callable[[Context], str] | None = None
    trusts_base_url: bool = True
    test: RequestTemplate | None = None
    then: "AfterSignIn | None" = None


@frozen(kw_only=True)
class NoAuth(AuthMethod):
    """The app needs no credentials."""

    type = "none"


@frozen(kw_only=True)
class ApiKey(AuthMethod):
    """The user types in one or more named credentials, which go into every request."""

    type = "api_key"


@frozen(kw_only=True)
class Basic(AuthMethod):
    """The user types in a name and a password (or what an app takes for them), sent as HTTP Basic (RFC 7617)."""

    type = "basic"


@frozen(kw_only=True)
class RefreshRule:
    """
    How access tokens are renewed.

    `leeway_seconds` before expiry (None: the service's own rule); `rotates` when each answer replaces the refresh
    token, which lives `lifetime_seconds` if nobody uses it (None: for ever, or nobody knows); `dead_on` holds the OAuth
    error codes after which only reconnecting helps.
    """

    leeway_seconds: float | None = None
    lifetime_seconds: float | None = None
    rotates: bool = True
    dead_on: frozenset[str] = frozenset({"invalid_grant"})


@frozen(kw_only=True)
class TokenMethod(AuthMethod):
    """
    A way of signing in that gives access tokens, which end and are renewed.

    What the token endpoint answers is found under `token` in expressions.
    """

    refresh: RefreshRule = field(factory=RefreshRule)


@frozen(kw_only=True)
class OAuth2Code(TokenMethod):
    """The authorization code grant: the user signs in on the provider's page."""

    type = "oauth2_code"

    pkce: Literal["S256", "none"] = "S256"
    client_auth: ClientAuthentication = "basic"
    default_scopes: tuple[str, ...] = ()
    scope_separator: str = " "
    authorize_parameters: Mapping[str, str] = field(factory=dict)
    token_parameters: Mapping[str, str] = field(factory=dict)
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


@frozen(kw_only=True)
class ClientCredentials(TokenMethod):
    """The client credentials grant: the user types in a `client_id` and `client_secret` of their own."""

    type = "oauth2_client_credentials"

    client_auth: ClientAuthentication = "basic"
    scope: str = ""
    token_parameters: Evaluate = field(repr=False)
    token_template: Callable[[Context], str] = field(repr=False)


@frozen(kw_only=True)
class SignedAssertion(TokenMethod):
    """
    A JWT (RFC 7519) that this service signs with a key the user typed in, living for `lifetime_seconds`.

    It is itself the access token, or, with a `token_template`, exchanged for one at that address (RFC 7523).
    `key` gives the key's text: PEM for asymmetric algorithms, for HS… the secret as it stands or in hex (`key_is_hex`).
    """

    type = "jwt"

    algorithm: str
    key: Callable[[Context], str] = field(repr=False)
    key_is_hex: bool = False
    header: Evaluate = field(repr=False)
    claims: Evaluate = field(repr=False)
    lifetime_seconds: float
    token_parameters: Mapping[str, str] = field(factory=dict)
    token_template: Callable[[Context], str] | None = field(default=None, repr=False)


@frozen(kw_only=True)
class TokenExchange(TokenMethod):
    """
    A login call of the app's own that turns what the user typed in into a session's token.

    `token_paths` say where in its answer the token's parts stand (`access_token`, `refresh_token`, `expires_in`, and
    any more for `vars`); the lifetime there counts in units of `expires_unit_seconds`. With `renewal`, the app's own
    way to renew the token, the secrets that were typed in are forgotten after the login; without, it logs in again.
    """

    type = "token_exchange"

    login: RequestTemplate
    token_paths: Mapping[str, Reference]
    expires_unit_seconds: float = 1.0
    renewal: RequestTemplate | None = None
    logout: RequestTemplate | None = None
