"""The entries of `auth`: the ways to sign in."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from attrs import frozen

from service_server.catalog.format.keys import (
    AnswerPath,
    Duration,
    Headers,
    Keywords,
    LastingName,
    Name,
    Scope,
    Text,
    Texts,
    Words,
    key,
)
from service_server.catalog.format.requests import DeclaredRequest

Leeway = Annotated[Duration, Keywords(description="How long before expiry a token is renewed, such as 60s or 5m.")]
Lifetime = Annotated[
    Duration,
    Keywords(
        description="How long a refresh token lives if nobody uses it, such as 60d, where the token endpoint does not "
        "say so itself. Accounts that nobody uses are renewed before it ends."
    ),
]
DeadOn = Annotated[tuple[str, ...], Keywords(description="OAuth error codes after which only reconnecting helps.")]
TokenUrl = Annotated[Text, Keywords(description="Where tokens are got.")]
TokenParameters = Annotated[Texts, Keywords(description="Further parameters of token requests.")]
_CLIENT_AUTH = "How the client authenticates at the token endpoint (default basic)."


@frozen(kw_only=True)
class DeclaredField:
    """Something that the user types in."""

    title: Words = key("What the field is called on the connect page.")
    description: str = key("Where the user finds it in the app.", "")
    secret: bool = key("Hidden while typed, never shown again (default true).", True)
    multiline: bool = key("Several lines, such as a private key.", False)
    pattern: str | None = key("A regular expression that the whole value must match.", None)
    placeholder: str = key("What the empty field shows, such as sk_…", "")
    example: str = key("An example of a right value, shown at the field and where a value has another form.", "")


CredentialFields = Annotated[
    Mapping[Name, DeclaredField],
    Keywords(description="What the user types in, found under `creds` in expressions.", minProperties=1),
]


@frozen(kw_only=True)
class DeclaredInjection:
    """Where the credentials go in a request."""

    keywords: ClassVar = Keywords(minProperties=1)

    header: Headers = key("Headers by name, such as Authorization: Bearer ${token.access_token}.", {})
    query: Texts = key("Query parameters by name.", {})


@frozen(kw_only=True)
class DeclaredScopes:
    """What is asked for when an account is connected."""

    default: tuple[Scope, ...] = key(
        "What most functions need; what few need stands in their files and is asked for when first needed. A variable "
        "may stand in one, such as https://${vars.host}/access.",
        (),
    )
    separator: Text = key("What stands between scopes (default a blank).", " ")


@frozen(kw_only=True)
class DeclaredThen:
    """
    A call with the new credentials, before the connection test: what it lists fills a variable, and the user chooses
    where there are several.
    """

    request: DeclaredRequest = key()
    output: Text | None = key("JMESPath to the list in its answer (default: the whole answer).", None)
    sets: str = key("The variable, with `set_by: choice`.")
    value: str = key("The key of each entry that becomes the variable.")
    label: str = key("The key of each entry that the user reads.")


@frozen(kw_only=True)
class DeclaredReissue:
    """When a new token is got."""

    leeway: Leeway | None = key(default=None)
    dead_on: DeadOn = key(default=("invalid_grant", "invalid_client", "unauthorized_client", "access_denied"))
    """Where the client is the user's own, the provider's no to it is as final as its no to a grant."""


@frozen(kw_only=True)
class DeclaredRefresh:
    """How access tokens are renewed."""

    leeway: Leeway | None = key(default=None)
    lifetime: Lifetime | None = key(default=None)
    rotates: bool = key("Whether each answer replaces the refresh token (default true).", True)
    dead_on: DeadOn = key(default=("invalid_grant",))


@frozen(kw_only=True)
class DeclaredRenewal:
    """The app's own way to renew the token; without it the service logs in again."""

    request: DeclaredRequest = key()
    leeway: Leeway | None = key(default=None)
    lifetime: Lifetime | None = key(default=None)


@frozen(kw_only=True)
class DeclaredExpiry:
    """A lifetime in another unit than seconds."""

    path: AnswerPath = key("Where the number stands.", name="from")
    unit: Literal["ms", "s", "m", "h"] = key("What the number counts.")


@frozen(kw_only=True)
class DeclaredWay:
    """What all ways to sign in have."""

    id: LastingName = key()
    base_url: Text | None = key(
        "What the paths of requests are relative to for accounts that signed in this way, in place of the app's.", None
    )
    test: DeclaredRequest | None = key("The connection test of this way, in place of the app's.", None)

    @property
    def credentials(self) -> Mapping[str, DeclaredField]:
        """What the user types in here."""
        fields: Mapping[str, DeclaredField] = getattr(self, "fields", {})
        return fields

    @property
    def shown(self) -> set[str]:
        """The names of the credentials that are no secrets, so that they may stand in an address."""
        return {name for name, declared in self.credentials.items() if not declared.secret}

    @property
    def injection(self) -> DeclaredInjection:
        """Where the author puts the credentials."""
        injection: DeclaredInjection = getattr(self, "inject", DeclaredInjection())
        return injection

    @property
    def following(self) -> DeclaredThen | None:
        """The call that fills a variable."""
        following: DeclaredThen | None = getattr(self, "then", None)
        return following


_TITLE = "What the connect page calls this way to sign in."


@frozen(kw_only=True)
class DeclaredNoAuth(DeclaredWay):
    """The app asks for no credentials."""

    type: Literal["none"] = key("none: the app asks for no credentials.")
    title: Words = key(_TITLE, "No sign-in")


@frozen(kw_only=True)
class DeclaredSignIn(DeclaredWay):
    """What all ways have in which somebody does sign in."""

    title: Words = key(_TITLE)
    then: DeclaredThen | None = key(default=None)


@frozen(kw_only=True)
class DeclaredApiKey(DeclaredSignIn):
    """The user types in one or more named credentials."""

    type: Literal["api_key"] = key("api_key: the user types in one or more named credentials.")
    fields: CredentialFields = key()
    inject: DeclaredInjection = key()


@frozen(kw_only=True)
class DeclaredBasic(DeclaredSignIn):
    """HTTP Basic; the Authorization header is made by the service."""

    type: Literal["basic"] = key("basic: the user types in a name and a password.")
    fields: CredentialFields = key(
        "Default: username and password.",
        {
            "username": DeclaredField(title="User name", secret=False, pattern="[^:]+"),
            "password": DeclaredField(title="Password"),
        },
    )
    username: str = key("Default: ${creds.username}.", "${creds.username}")
    password: str = key("Default: ${creds.password}.", "${creds.password}")


@frozen(kw_only=True)
class DeclaredOAuth2Code(DeclaredSignIn):
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
    scopes: DeclaredScopes = key(default=DeclaredScopes())
    authorize_parameters: Texts = key("Further parameters of authorize_url, such as access_type: offline.", {})
    token_parameters: TokenParameters = key(default={})
    refresh: DeclaredRefresh = key(default=DeclaredRefresh())
    inject: DeclaredInjection = key()


@frozen(kw_only=True)
class DeclaredClientCredentials(DeclaredSignIn):
    """The client credentials grant."""

    type: Literal["oauth2_client_credentials"] = key(
        "oauth2_client_credentials: the user types in a client of their own."
    )
    fields: CredentialFields = key(
        "Default: client_id and client_secret, which must be among them.",
        {
            "client_id": DeclaredField(title="Client ID", secret=False),
            "client_secret": DeclaredField(title="Client secret"),
        },
    )
    token_url: TokenUrl = key()
    client_auth: Literal["basic", "body"] = key(_CLIENT_AUTH, "basic")
    scopes: DeclaredScopes = key(default=DeclaredScopes())
    token_parameters: TokenParameters = key(default={})
    refresh: DeclaredReissue = key(default=DeclaredReissue())
    inject: DeclaredInjection = key()


@frozen(kw_only=True)
class DeclaredJwt(DeclaredSignIn):
    """
    A JWT signed with a key that the user types in: the access token itself or, with token_url, exchanged for one
    (RFC 7523).
    """

    type: Literal["jwt"] = key("jwt: the user types in a key, and the service signs assertions with it.")
    fields: CredentialFields = key()
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
    inject: DeclaredInjection = key()


@frozen(kw_only=True)
class DeclaredTokenExchange(DeclaredSignIn):
    """A login call of the app's own that answers with a token."""

    type: Literal["token_exchange"] = key("token_exchange: a login call of the app's own gives a token.")
    fields: CredentialFields = key()
    login: DeclaredRequest = key()
    token: Annotated[Mapping[str, AnswerPath | DeclaredExpiry], Keywords(required=["access_token"])] = key(
        "Where the parts of the token stand in the answer to login and refresh: access_token, and refresh_token and "
        "expires_in where there are any, and others for vars (body.access). expires_in in another unit than seconds is "
        "{from: …, unit: …}. Without expires_in a token is renewed once the app refuses it."
    )
    refresh: DeclaredRenewal | None = key(default=None)
    logout: DeclaredRequest | None = key("Ends the session when the account is disconnected.", None)
    inject: DeclaredInjection = key()


AnyWay = (
    DeclaredOAuth2Code
    | DeclaredClientCredentials
    | DeclaredApiKey
    | DeclaredBasic
    | DeclaredJwt
    | DeclaredTokenExchange
    | DeclaredNoAuth
)
