"""The catalogue as the rest of the server sees it: apps, how to sign in to them, and their functions."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeAlias

import jsonschema_rs
from attrs import evolve, field, frozen

from service_client.models import FieldMeta, Function, FunctionApp, FunctionMeta, FunctionType, Parameters
from service_server.catalog.answers import ErrorKind, declared_kind
from service_server.catalog.auth import AuthMethod
from service_server.catalog.expressions import Context, InvalidRequest, filled_text, names_host
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFile
from service_server.catalog.hooks import picked
from service_server.catalog.outcome import OutcomeTemplate
from service_server.catalog.output import Picker
from service_server.catalog.pagination import Pagination
from service_server.catalog.prior_requests import LookUp, PriorStep
from service_server.catalog.requests import Request, check_base_url, own_host
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse

TestAnswer: TypeAlias = Literal["object", "list", "any"]

_host_rules = lru_cache(maxsize=1024)(HostRules)


@frozen
class Icon:
    """An app's icon; `digest` (hex SHA-256 of the content) serves as its ETag."""

    content: bytes = field(repr=False)
    media_type: str
    digest: str


@frozen
class AccountIdentity:
    """Whose account was connected: `external_id` is None for apps that name no account."""

    external_id: str | None
    display_name: str


class RequestBuilder(Protocol):
    """What makes an onward request out of arguments."""

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """Return the request, without credentials; raise `InvalidRequest` where the values don't make one."""
        ...


@frozen(kw_only=True)
class FunctionDefinition:
    """
    One operation of an app, ready to be called.

    `parameters` is the public JSON Schema, `validator` checks arguments against it (closed objects are closed there),
    `sensitive` holds the paths whose values must never be logged, and `examples` pairs of prompt and arguments.
    `scopes` is what an account must have been granted: any one of each inner tuple, whose first is the one to ask for;
    `unusual_scopes` are those that its app isn't asked for by default. `ways` are those of signing in, by id, whose
    accounts may call it, all of them where it is empty. `outcome` says what to show of a good answer.
    `look_up` is a request to send first, for what `request` has to know; `before` are those that a mutation sends
    first, in their order. `files` names the parameters that take files.
    """

    name: str
    app_name: str
    type: FunctionType
    title: str
    description: str
    destructive: bool = False
    idempotent: bool = False
    parameters: dict[str, Any]
    validator: jsonschema_rs.Validator = field(repr=False, eq=False)
    allows_additional: bool = False
    sensitive: frozenset[str] = frozenset()
    fields: Mapping[str, FieldMeta] = field(factory=dict)
    examples: tuple[tuple[str, dict[str, Any]], ...] = ()
    scopes: tuple[tuple[str, ...], ...] = ()
    unusual_scopes: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    request: RequestBuilder = field(repr=False)
    look_up: LookUp | None = field(default=None, repr=False)
    before: tuple[PriorStep, ...] = field(default=(), repr=False)
    pagination: Pagination | None = None
    picker: Picker | None = field(default=None, repr=False)
    reshape: Callable[[Any], Any] | None = field(default=None, repr=False)
    instead: "Instead | None" = field(default=None, repr=False)
    outcome: OutcomeTemplate | None = field(default=None, repr=False)
    files: tuple[str, ...] = ()
    gives_file: DeclaredFile | None = None

    def given(self, arguments: Mapping[str, Any]) -> "FunctionDefinition":
        """Return the function as it is called with these arguments, some of which make it send another request."""
        if self.instead is not None and arguments.get(self.instead.given) not in (None, ""):
            return self.instead.function.given(arguments)
        before = tuple(step for step in self.before if step.is_sent(arguments))
        picker = None if self.picker is None else self.picker.given(arguments)
        is_same = picker is self.picker and len(before) == len(self.before)
        return self if is_same else evolve(self, before=before, picker=picker)

    def is_for(self, auth_id: str) -> bool:
        """Whether accounts that signed in this way may call it."""
        return not self.ways or auth_id in self.ways

    def pick(self, body: Any) -> Any:
        """Return the part of a successful answer that is relayed, else the whole body; raises `HookFailed`."""
        return picked(body, self.reshape, self.picker)

    def public(self, icon_url: str, app_title: str, include_meta: bool) -> Function:
        """Return the function as it goes over the wire."""
        return Function(
            name=self.name,
            description=self.description,
            parameters=Parameters(
                properties=self.parameters["properties"], required=tuple(self.parameters["required"])
            ),
            type=self.type,
            meta=FunctionMeta(
                app=FunctionApp(name=self.app_name, title=app_title, icon_url=icon_url),
                title=self.title,
                type=self.type,
                paginated=self.pagination is not None,
                destructive=self.destructive,
                idempotent=self.idempotent,
                scopes=self.unusual_scopes,
                fields=dict(self.fields),
            )
            if include_meta
            else None,
        )


@frozen
class Instead:
    """What a function does where the argument `given` is given: another request, its answer read in another way."""

    given: str
    function: FunctionDefinition


@frozen(kw_only=True, repr=False)
class Connector(DeclaredConnector):
    """
    A third-party app: where it is, how to sign in, what it can do.

    The first of `auth` is the one offered by default. Methods that take a context find in it the roots their
    connector file uses: `vars`, `creds`, `token`, and `test` (the body of the test call) for `identity`; and how the
    account signed in under `auth_id`, since a way to sign in may have a base URL of its own.
    """

    icon: Icon
    functions: Mapping[str, FunctionDefinition]
    test_answer: TestAnswer

    def __repr__(self) -> str:
        return f"Connector({self.name!r})"  # nothing of what it sends

    @property
    def names_accounts(self) -> bool:
        """Whether the app says whose account it is."""
        return self.account is not None and self.account.id is not None

    def identity(self, context: Context) -> AccountIdentity:
        """Tell whose account it is, from the answer of the test call and what was captured at connect."""
        if self.account is None:
            return AccountIdentity(None, self.title[:200])
        name = self.account.display_name(context) or self.title
        return AccountIdentity(self.account.external_id(context), name[:200])

    def base_url(self, context: Context) -> str:
        """Return the address that paths are relative to, without a slash at its end."""
        url = filled_text(self._base_url_template(context), context)
        try:
            return check_base_url(url)
        except ValueError as error:
            raise InvalidRequest(None, f"the address of {self.title}: {error}") from error

    def host_rules(self, context: Context) -> HostRules:
        """Return the hosts that calls may reach: the declared ones, and the base URL's own unless an app named it."""
        is_named_by_app = names_host(
            self._base_url_template(context),
            {name for name, variable in self.variables.items() if variable.is_named_by_app},
        )
        own = () if is_named_by_app else (own_host(self.base_url(context)),)
        return _host_rules((*own, *self.allow_hosts))

    def _base_url_template(self, context: Context) -> str:
        method = self.auth_method(context.get("auth_id", ""))
        return self.base_url_template if method is None or method.base_url is None else method.base_url

    def test_of(self, method: AuthMethod) -> Request | None:
        """Return the connection test for accounts that signed in a certain way, None where there is none."""
        return self.test if method.test is None else method.test

    def declared_kind(self, response: OnwardResponse, body: Any) -> ErrorKind | None:
        """Tell what the connector's own rules say of an answer, None where none of them fits."""
        return declared_kind(self.error_rules, response, body)

    def auth_method(self, identifier: str) -> AuthMethod | None:
        """Return the way of signing in with this id."""
        return next((method for method in self.auth if method.id == identifier), None)
