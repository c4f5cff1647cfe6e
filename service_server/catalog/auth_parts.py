"""Parts of the ways to sign in: what the user types in, where credentials go, how long tokens are good."""

import base64
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from attrs import field, frozen

from service_server.catalog.expressions import (
    ABSENT,
    Context,
    InvalidRequest,
    filled,
    filled_text,
    parse_path,
    stringify,
)
from service_server.catalog.format.keys import (
    AnswerPath,
    Duration,
    Headers,
    Jmespath,
    Keywords,
    Name,
    RegularExpression,
    Scope,
    Text,
    Texts,
    Words,
    key,
    seconds_of,
)
from service_server.catalog.output import Picker
from service_server.catalog.requests import Request, filled_headers, with_headers, with_query
from service_server.onward.values import OnwardRequest

Leeway = Annotated[Duration, Keywords(description="How long before expiry a token is renewed, such as 60s or 5m.")]
Lifetime = Annotated[
    Duration,
    Keywords(
        description="How long a refresh token lives if nobody uses it, such as 60d, where the token endpoint does not "
        "say so itself. Accounts that nobody uses are renewed before it ends."
    ),
]
DeadOn = Annotated[tuple[str, ...], Keywords(description="OAuth error codes after which only reconnecting helps.")]


@frozen(kw_only=True)
class CredentialField:
    """Something that the user types in."""

    title: Words = key("What the field is called on the connect page.")
    description: str = key("Where the user finds it in the app.", "")
    secret: bool = key("Hidden while typed, never shown again (default true).", True)
    multiline: bool = key("Several lines, such as a private key.", False)
    pattern: RegularExpression | None = key("A regular expression that the whole value must match.", None)
    placeholder: str = key("What the empty field shows, such as sk_…", "")
    example: str = key("An example of a right value, shown at the field and where a value has another form.", "")
    name: str = ""
    plain: bool = field(default=False, eq=False)  # ways that differ in this alone ask for the same
    """Whether it is sent as it stands, so that only printable ASCII can be."""


CredentialFields = Annotated[
    Mapping[Name, CredentialField],
    Keywords(description="What the user types in, found under `creds` in expressions.", minProperties=1),
]


@frozen(kw_only=True)
class Injection:
    """Where the credentials go in a request."""

    keywords: ClassVar = Keywords(minProperties=1)

    header: Headers = key("Headers by name, such as Authorization: Bearer ${token.access_token}.", {})
    query: Texts = key("Query parameters by name.", {})

    @property
    def secret_headers(self) -> frozenset[str]:
        """The headers that carry credentials, in lower case, so that nobody logs or forwards them."""
        return frozenset(name.lower() for name in self.header)

    def apply(self, request: OnwardRequest, context: Context) -> OnwardRequest:
        """Return the request with the credentials of `context` in it, in place of any of the same names."""
        query = {name: filled(template, context) for name, template in self.query.items()}
        given = {name: stringify(value) for name, value in query.items() if value is not ABSENT}
        return with_query(with_headers(request, filled_headers(self.header, context)), given)


@frozen(kw_only=True)
class BasicInjection(Injection):
    """The header of HTTP Basic, made of the templates of a name and a password."""

    username: str
    password: str

    @property
    def secret_headers(self) -> frozenset[str]:
        """The header that carries them."""
        return frozenset({"authorization"})

    def apply(self, request: OnwardRequest, context: Context) -> OnwardRequest:
        """Return the request with the name and password of `context` in it."""
        name = filled_text(self.username, context)
        if ":" in name:  # where the name ends could be read in two ways
            raise InvalidRequest(None, "a user name with a colon can't be sent by HTTP Basic")
        both = f"{name}:{filled_text(self.password, context)}"
        return with_headers(request, {"Authorization": f"Basic {base64.b64encode(both.encode()).decode()}"})


@frozen(kw_only=True)
class Scopes:
    """What is asked for when an account is connected."""

    default: tuple[Scope, ...] = key(
        "What most functions need; what few need stands in their files and is asked for when first needed. A variable "
        "may stand in one, such as https://${vars.host}/access.",
        (),
    )
    separator: Text = key("What stands between scopes (default a blank).", " ")


@frozen(kw_only=True)
class Then:
    """
    A call with the new credentials, before the connection test: what it lists fills a variable, and the user chooses
    where there are several.
    """

    request: Request = key()
    output: Jmespath | None = key("JMESPath to the list in its answer (default: the whole answer).", None)
    variable: str = key("The variable, with `set_by: choice`.", name="sets")
    value: str = key("The key of each entry that becomes the variable.")
    label: str = key("The key of each entry that the user reads.")

    def choices(self, body: Any) -> tuple[tuple[str, str], ...]:
        """Read value and label of what an answer lists, each value once; LookupError says what it lacks."""
        found = body if self.output is None else Picker(self.output)(body)
        if not isinstance(found, list):
            raise LookupError(f"there is no list {'in it' if self.output is None else 'where then.output leads'}")
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
class RefreshRule:
    """How access tokens are renewed, as far as a connector says so."""

    rotates = True
    dead_on = tuple[str, ...]()

    leeway: Leeway | None = key(default=None)

    @property
    def leeway_seconds(self) -> float | None:
        """How long before expiry; None for the service's own rule."""
        return None if self.leeway is None else seconds_of(self.leeway)

    @property
    def lifetime_seconds(self) -> float | None:
        """How long a refresh token lives if nobody uses it; None for ever, or nobody knows."""
        lifetime: str | None = getattr(self, "lifetime", None)
        return None if lifetime is None else seconds_of(lifetime)


@frozen(kw_only=True)
class DeclaredReissue(RefreshRule):
    """When a new token is got."""

    dead_on: DeadOn = key(default=("invalid_grant", "invalid_client", "unauthorized_client", "access_denied"))
    """Where the client is the user's own, the provider's no to it is as final as its no to a grant."""


@frozen(kw_only=True)
class DeclaredRefresh(RefreshRule):
    """How access tokens are renewed."""

    lifetime: Lifetime | None = key(default=None)
    rotates: bool = key("Whether each answer replaces the refresh token (default true).", True)
    dead_on: DeadOn = key(default=("invalid_grant",))


@frozen(kw_only=True)
class DeclaredRenewal(RefreshRule):
    """The app's own way to renew the token; without it the service logs in again."""

    request: Request = key()
    lifetime: Lifetime | None = key(default=None)


@frozen(kw_only=True)
class DeclaredExpiry:
    """A lifetime in another unit than seconds."""

    path: AnswerPath = key("Where the number stands.", name="from")
    unit: Literal["ms", "s", "m", "h"] = key("What the number counts.")
