"""The entries of `auth`: the ways in which accounts of an app are signed in to."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from attrs import evolve, frozen

from service_server.catalog.auth_parts import (
    BasicInjection,
    CredentialField,
    CredentialFields,
    DeclaredExpiry,
    DeclaredRefresh,
    DeclaredReissue,
    DeclaredRenewal,
    Injection,
    RefreshRule,
    Scopes,
    Then,
)
from service_server.catalog.expressions import Reference, names_in, parse_path
from service_server.catalog.format.keys import (
    SECONDS,
    AnswerPath,
    Duration,
    Keywords,
    LastingName,
    Text,
    Texts,
    Words,
    key,
)
from service_server.catalog.requests import Request

AuthType: TypeAlias = Literal[
    "oauth2_code", "oauth2_client_credentials", "api_key", "basic", "jwt", "token_exchange", "none"
]

TokenUrl = Annotated[Text, Keywords(description="Where tokens are got.")]
TokenParameters = Annotated[Texts, Keywords(description="Further parameters of token requests.")]
_CLIENT_AUTH = "How the client authenticates at the token endpoint (default basic)."
_TITLE = "What the connect page calls this way to sign in."


@frozen(kw_only=True)
class AuthMethod:
    """One way of signing in that an app offers; `id` is unique within the app and kept with each account."""

    # The credentials that OAuth holds to printable ASCII.
    _held_to_ascii: ClassVar[frozenset[str]] = frozenset()

    type: AuthType = key()
    id: LastingName = key()
    title: Words = key(_TITLE)
    base_url: Text | None = key(
        "What the paths of requests are relative to for accounts that signed in this way, in place of the app's.", None
    )
    test: Request | None = key("The connection test of this way, in place of the app's.", None)

    @property
    def then(self) -> Then | None:
        """The call that fills a variable once somebody has signed in."""
        return None

    @property
    def inject(self) -> Injection:
        """Where the credentials go."""
        return Injection()

    @property
    def credentials(self) -> Mapping[str, CredentialField]:
        """What the file says of what the user types in."""
        typed_in: Mapping[str, CredentialField] = getattr(self, "typed_in", {})
        return typed_in

    @property
    def fields(self) -> Mapping[str, CredentialField]:
        """What the user types in, found under `creds` in expressions."""
        plain = self._held_to_ascii.union(names_in(self.inject.header, "creds"))
        return {name: evolve(declared, name=name, plain=name in plain) for name, declared in self.credentials.items()}

    @property
    def shown(self) -> set[str]:
        """The names of the credentials that are no secrets, so that they may stand in an address."""
        return {name for name, declared in self.credentials.items() if not declared.secret}


@frozen(kw_only=True)
class NoAuth(AuthMethod):
    """The app asks for no credentials."""

    type: Literal["none"] = key("none: the app asks for no credentials.")
    title: Words = key(_TITLE, "No sign-in")


@frozen(kw_only=True)
class SignIn(AuthMethod):
    """What all ways have in which somebody does sign in."""

    then: Then | None = key(default=None)


@frozen(kw_only=True)
class ApiKey(SignIn):
    """The user types in one or more named credentials."""

    type: Literal["api_key"] = key("api_key: the user types in one or more named credentials.")
    typed_in: CredentialFields = key(name="fields")
    inject: Injection = key()


@frozen(kw_only=True)
class Basic(SignIn):
    """HTTP Basic; the Authorization header is made by the service."""

    type: Literal["basic"] = key("basic: the user types in a name and a password.")
    typed_in: CredentialFields = key(
        "Default: username and password.",
        {
            "username": CredentialField(title="User name", secret=False, pattern="[^:]+"),
            "password": CredentialField(title="Password"),
        },
        name="fields",
    )
    username: str = key("Default: ${creds.username}.", "${creds.username}")
    password: str = key("Default: ${creds.password}.", "${creds.password}")

    @property
    def inject(self) -> BasicInjection:
        """The Authorization header."""
        return BasicInjection(username=self.username, password=self.password)


@frozen(kw_only=True)
class TokenMethod(SignIn):
    """A way of signing in that gives access tokens, which end and are renewed."""

    @property
    def refresh(self) -> RefreshRule:
        """How they are renewed."""
        return RefreshRule()


@frozen(kw_only=True)
class OAuth2Code(TokenMethod):
    """The authorization code grant."""

    type: Literal["oauth2_code"] = key(
        "oauth2_code: the user signs in on the provider's page (authorization code grant)."
    )
    authorize_url: Text = key("The page on which the user signs in and allows access.")
    token_url: TokenUrl = key()
    revoke_url: Text | None = key("Where tokens are revoked (RFC 7009).", None)
    issuer: Text | None = key(
        "What the provider calls itself in iss (RFC 9207), where that is not on the origin of authorize_url.", None
    )
    pkce: Literal["S256", "none"] = key("S256 (default), or none where the provider refuses it.", "S256")
    client_auth: Literal["basic", "body", "none"] = key(_CLIENT_AUTH, "basic")
    scopes: Scopes = key(default=Scopes())
    authorize_parameters: Texts = key("Further parameters of authorize_url, such as access_type: offline.", {})
    token_parameters: TokenParameters = key(default={})
    refresh: DeclaredRefresh = key(default=DeclaredRefresh())
    inject: Injection = key()


@frozen(kw_only=True)
class ClientCredentials(TokenMethod):
    """The client credentials grant."""

    _held_to_ascii: ClassVar = frozenset({"client_id", "client_secret"})

    type: Literal["oauth2_client_credentials"] = key(
        "oauth2_client_credentials: the user types in a client of their own."
    )
    typed_in: CredentialFields = key(
        "Default: client_id and client_secret, which must be among them.",
        {
            "client_id": CredentialField(title="Client ID", secret=False),
            "client_secret": CredentialField(title="Client secret"),
        },
        name="fields",
    )
    token_url: TokenUrl = key()
    client_auth: Literal["basic", "body"] = key(_CLIENT_AUTH, "basic")
    scopes: Scopes = key(default=Scopes())
    token_parameters: TokenParameters = key(default={})
    refresh: DeclaredReissue = key(default=DeclaredReissue())
    inject: Injection = key()

    @property
    def scope(self) -> str:
        """What is asked for."""
        return self.scopes.separator.join(self.scopes.default)


@frozen(kw_only=True)
class SignedAssertion(TokenMethod):
    """
    A JWT signed with a key that the user types in: the access token itself or, with token_url, exchanged for one
    (RFC 7523).
    """

    type: Literal["jwt"] = key("jwt: the user types in a key, and the service signs assertions with it.")
    typed_in: CredentialFields = key(name="fields")
    algorithm: Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA", "HS256", "HS384", "HS512"] = key(
        "How the JWT is signed (RFC 7518)."
    )
    signing_key: Text = key("The key: PEM, or for HS algorithms the secret itself.", name="key")
    key_encoding: Literal["text", "hex"] | None = key("How an HS secret is written (default text).", None)
    header: Texts = key("More of the JWT's header, such as kid.", {})
    claims: Mapping[str, Any] = key("The claims; iat and exp are set by the service.")
    lifetime: Duration = key("How long a JWT lives (default 5m).", "5m")
    token_url: TokenUrl | None = key(default=None)
    token_parameters: TokenParameters = key(default={})
    refresh: DeclaredReissue = key(default=DeclaredReissue())
    inject: Injection = key()


@frozen(kw_only=True)
class TokenExchange(TokenMethod):
    """A login call of the app's own that answers with a token."""

    type: Literal["token_exchange"] = key("token_exchange: a login call of the app's own gives a token.")
    typed_in: CredentialFields = key(name="fields")
    login: Request = key()
    token: Annotated[Mapping[str, AnswerPath | DeclaredExpiry], Keywords(required=["access_token"])] = key(
        "Where the parts of the token stand in the answer to login and refresh: access_token, and refresh_token and "
        "expires_in where there are any, and others for vars (body.access). expires_in in another unit than seconds is "
        "{from: …, unit: …}. Without expires_in a token is renewed once the app refuses it."
    )
    # With one, the secrets that were typed in are forgotten after the login.
    renewing: DeclaredRenewal | None = key(default=None, name="refresh")
    logout: Request | None = key("Ends the session when the account is disconnected.", None)
    inject: Injection = key()

    @property
    def refresh(self) -> RefreshRule:
        """How tokens are renewed."""
        return self.renewing or RefreshRule()

    @property
    def token_paths(self) -> Mapping[str, Reference]:
        """Where the parts of the token stand in an answer to the login or renewal."""
        paths = {name: place.path if isinstance(place, DeclaredExpiry) else place for name, place in self.token.items()}
        return {name: parse_path(path) for name, path in paths.items()}

    @property
    def expires_unit_seconds(self) -> float:
        """What the lifetime there counts."""
        lifetime = self.token.get("expires_in")
        return SECONDS[lifetime.unit] if isinstance(lifetime, DeclaredExpiry) else 1.0


AnyWay = OAuth2Code | ClientCredentials | ApiKey | Basic | SignedAssertion | TokenExchange | NoAuth
