"""The `connector.yaml`: one third-party app."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Literal

from attrs import frozen

from service_server.catalog.answers import Budget, ErrorRule, RetryRule
from service_server.catalog.auth import AnyWay, OAuth2Code
from service_server.catalog.expressions import ABSENT, Context, InvalidRequest, filled, stringify
from service_server.catalog.format.keys import Headers, Keywords, Name, RegularExpression, Text, Words, key, several
from service_server.catalog.pagination import AnyPaging
from service_server.catalog.regular_expressions import fits
from service_server.catalog.requests import Request, check_base_url
from service_server.onward.values import HostRules

_REQUIRED = re.compile(r"\$\{([^{}?]*)\}")

WebAddress = Annotated[str, Keywords(pattern="^https?://", format="uri")]
Category = Literal[
    "communication", "productivity", "projects", "development", "files", "sales", "support", "marketing", "commerce"
]
Templates = str | Annotated[tuple[str, ...], Keywords(minItems=1)]


@frozen(kw_only=True)
class Variable:
    """A value that differs between installations or accounts."""

    title: Words = key("What the field is called.")
    description: str = key("Where the value is found.", "")
    given_by: Literal["operator", "user", "choice"] | None = key(
        "Who gives the value; left out with `from`. choice: what `then` of a way to sign in gives, where the user "
        "chooses if there are several.",
        None,
        name="set_by",
    )
    captured: Annotated[str, Keywords(pattern=r"^token(\.[A-Za-z0-9_-]+)+$")] | None = key(
        "Captured from the token answer.", None, name="from"
    )
    format: Literal["uri", "hostname"] | None = key(
        "uri: a whole address without a slash at its end; hostname: a host.", None
    )
    pattern: RegularExpression | None = key("A regular expression that the whole value must match.", None)
    prefix: Text = key(
        "What stands before the value where it is used, such as https://; shown beside the field, and taken off a "
        "value that was copied with it.",
        "",
    )
    suffix: Text = key("What stands behind it, such as .example.com; shown and taken off likewise.", "")
    default: str | None = key("The value where none is given.", None)
    example: str | None = key("An example of a right value, shown at the field.", None)
    name: str = ""
    ways: frozenset[str] = frozenset()
    """The ids of the ways to sign in that it is for, none for all of them."""

    @property
    def set_by(self) -> Literal["operator", "user", "token", "choice"]:
        """Who gives the value: one of these, or the token answer."""
        return self.given_by or "token"

    @property
    def is_named_by_app(self) -> bool:
        """Whether an answer of the app gives the value."""
        return self.set_by in ("token", "choice")

    @property
    def token_path(self) -> str | None:
        """Where the token answer has it (dotted)."""
        return None if self.captured is None else self.captured.removeprefix("token.")

    def is_for(self, auth_id: str) -> bool:
        """Whether accounts that sign in this way need it."""
        return not self.ways or auth_id in self.ways

    def bare(self, text: str) -> str:
        """Return the value in a text that has its prefix or suffix around it, as people copy it."""
        text = text.removeprefix(self.prefix)
        return text.partition(self.suffix)[0] if self.suffix else text

    def problem(self, value: str) -> str | None:
        """Say what is wrong with a value, None when nothing is."""
        if not value or len(value) > 2048 or not value.isprintable():
            return f"{self.title} must be 1 to 2048 printable characters"
        if self.format == "uri":
            try:
                check_base_url(value)
            except ValueError as error:
                return f"{self.title}: {error}"
            if value.endswith("/"):
                return f"{self.title} must not end in a slash, because paths are added to it"
        if self.format == "hostname" and not re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", value):
            return f"{self.title} must be a host name"
        if self.pattern is not None and not fits(self.pattern, value):
            example = f", such as {self.example}" if self.example else ""
            return f"{self.title} doesn't have the expected form{example}"
        return None


@frozen(kw_only=True)
class DeclaredAccount:
    """Whose account it is, read from the answer to `test`."""

    id: Templates | None = key(
        "What identifies the account in the app for good: a text or a number; of several templates, the first whose "
        "values are all there.",
        None,
    )
    name: Templates = key(
        "What people know the account by: a text or a number; of several templates, the first that has one."
    )

    def external_id(self, context: Context) -> str | None:
        """Return what identifies the account, None for nothing; InvalidRequest for what is no text or number."""
        return next(filter(None, (_named(template, context) for template in several(self.id or ()))), None)

    def display_name(self, context: Context) -> str:
        """Return what people know the account by; nothing where the answer has only something that is no name."""
        for template in several(self.name):
            with suppress(InvalidRequest):
                if name := _named(template, context):
                    return name
        return ""


def _named(template: str, context: Context) -> str:
    """Return what a template comes to, in which every reference is optional: an answer may lack what names nobody."""
    value = filled(_REQUIRED.sub(r"${\1?}", template), context)
    if isinstance(value, bool):
        raise InvalidRequest(None, "what is to name the account is true or false, not a text or number")
    return "" if value is ABSENT else stringify(value)


@frozen(kw_only=True)
class DeclaredPassthrough:
    """What free-form requests may be made with an account, by the function that every app has."""

    methods: Annotated[
        tuple[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], ...], Keywords(minItems=1, uniqueItems=True)
    ] = key("The methods that the passthrough function allows (GET, POST, PUT, PATCH and DELETE without this).")


@frozen(kw_only=True)
class DeclaredConnector:
    """One third-party app."""

    name: Annotated[Name, Keywords(maxLength=40)] = key(
        "The app's name: the folder's name, and what stands before the first hyphen of its functions' names."
    )
    title: Words = key("The name that people read.")
    also_called: Annotated[tuple[Words, ...], Keywords(minItems=1, maxItems=10, uniqueItems=True)] = key(
        "What else people call the app in prompts and search for, in any case; not what may mean something else.", ()
    )
    description: Words = key("What the app is for, in one sentence.")
    docs_url: WebAddress = key("Where the app's API is documented.", "")
    categories: Annotated[tuple[Category, ...], Keywords(minItems=1, uniqueItems=True)] = key(
        "Where marketplaces show the app; the first is its main one.", ()
    )
    variables: Mapping[Name, Variable] = key(
        "Values that differ between installations or accounts, found under `vars` in expressions. One that only `auth` "
        "refers to is asked for by those ways of signing in alone.",
        {},
        name="vars",
    )
    base_url_template: Text = key("What the paths of requests are relative to.", name="base_url")
    allow_hosts: tuple[Annotated[str, Keywords(format="host-pattern")], ...] = key(
        "Further hosts that requests, redirects and passthrough may reach: HOST, *.HOST, each with an optional :PORT.",
        (),
    )
    headers: Headers = key("Headers sent with every request.", {})
    auth: Annotated[tuple[AnyWay, ...], Keywords(minItems=1)] = key("The ways to sign in; the first is the default.")
    test: Request | None = key(
        "A request that succeeds when the credentials work; run when an account is connected.", None
    )
    test_answer: Literal["object", "list", "any"] | None = key(
        "What the answer to test must be, with a 2xx, so that a proxy or a sign-in page connects nobody: a JSON object "
        "(default), a JSON list, or any, for apps that answer with nothing or with plain text. A web page never will "
        "do.",
        None,
    )
    account: DeclaredAccount | None = key(default=None)
    error_rules: tuple[ErrorRule, ...] = key(
        "What some answers mean; the first rule that fits counts. They are asked about token answers too, where these "
        "name no OAuth error.",
        (),
        name="errors",
    )
    retry: RetryRule = key(default=RetryRule())
    budget: Budget | None = key(default=None)
    pagination: Mapping[Name, AnyPaging] = key("Named ways of paging; a function names one with `paginate`.", {})
    passthrough: DeclaredPassthrough = key(
        default=DeclaredPassthrough(methods=("GET", "POST", "PUT", "PATCH", "DELETE"))
    )

    @property
    def passthrough_methods(self) -> frozenset[str]:
        """The methods that the app's passthrough function allows."""
        return frozenset(self.passthrough.methods)

    @property
    def default_scopes(self) -> frozenset[str] | None:
        """The scopes that are asked for at first, None where nothing can be granted any."""
        return next((frozenset(way.scopes.default) for way in self.auth if isinstance(way, OAuth2Code)), None)

    @property
    def hosts(self) -> HostRules:
        """The hosts beside the base URL's own."""
        return HostRules(self.allow_hosts)
