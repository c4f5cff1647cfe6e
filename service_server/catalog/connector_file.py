"""A `connector.yaml`: read, checked and compiled to a connector without its functions."""

from collections.abc import Callable, Mapping

from attrs import asdict, field, frozen

from service_server.catalog.answers import RetryRule
from service_server.catalog.app_parts import AppParts
from service_server.catalog.auth import OAuth2Code
from service_server.catalog.auth_checks import check_auth
from service_server.catalog.connector_checks import check_connector, hosts_of
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    InvalidRequest,
    filled,
    references,
    stringify,
    variables_in,
)
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.keys import several
from service_server.catalog.format.read import read
from service_server.catalog.hooks import Hooks, read_hooks
from service_server.catalog.outcome_checks import Addresses
from service_server.catalog.problems import Report
from service_server.catalog.requests import with_app_headers
from service_server.catalog.schemas import check_form
from service_server.catalog.values import AccountIdentity, Connector, FunctionDefinition, Icon, Variable


@frozen
class ConnectorFile:
    """A connector's file whose form is right."""

    report: Report
    declared: DeclaredConnector
    hooks: Hooks = field(factory=Hooks)

    @property
    def parts(self) -> AppParts:
        """What the functions of the app have to know of it."""
        connector = self.declared
        grants = [way.scopes for way in connector.auth if isinstance(way, OAuth2Code)]
        return AppParts(
            connector.name,
            frozenset(connector.variables),
            connector.headers,
            connector.pagination,
            self.hooks,
            frozenset(grants[0].default) if grants else None,
            hosts_of(connector),
            Addresses.of(connector),
            tuple(way.id for way in connector.auth),
        )

    @property
    def passthrough_methods(self) -> frozenset[str]:
        """The methods that the app's passthrough function allows."""
        return frozenset(self.declared.passthrough.methods)


def read_connector_file(report: Report) -> ConnectorFile | None:
    """Return the file, with the hooks beside it, if its form is right; report what isn't."""
    if not check_form(report, "connector"):
        return None
    hooks = read_hooks(report.document.file.parent, report.problems)
    return ConnectorFile(report, read(DeclaredConnector, report.document.value), hooks)


def check_connector_file(file: ConnectorFile) -> None:
    """Report what in the file the form can't tell."""
    check_connector(file.report, file.declared)
    check_auth(file.report, file.declared.auth, file.declared.variables)


def define_connector(file: ConnectorFile, icon: Icon, functions: Mapping[str, FunctionDefinition]) -> Connector:
    """Return the connector in a file that has been checked."""
    connector = with_app_headers(file.declared, file.declared.headers)
    account = connector.account
    return Connector(
        name=connector.name,
        title=connector.title,
        also_called=connector.also_called,
        description=connector.description,
        docs_url=connector.docs_url or "",
        categories=connector.categories,
        icon=icon,
        variables={
            name: Variable(name=name, ways=_ways(file.declared, name), **asdict(declared))
            for name, declared in connector.variables.items()
        },
        auth=connector.auth,
        functions=functions,
        retry=_retry(connector),
        budget=connector.budget,
        test=connector.test,
        test_answer=connector.test_answer or "object",
        passthrough_methods=file.passthrough_methods,
        allow_hosts=connector.allow_hosts,
        error_rules=connector.errors,
        base_url_template=connector.base_url,
        names_accounts=account is not None and account.id is not None,
        identity=_identity(connector),
    )


def _ways(connector: DeclaredConnector, variable: str) -> frozenset[str]:
    """The ways of signing in that alone refer to a variable; none where the app's addresses need it in any case."""
    account = connector.account
    named = () if account is None else (each for each in (account.id, account.name) if isinstance(each, str))
    if variable in variables_in([*named, connector.headers]):
        return frozenset()
    shared = {"base_url": connector.base_url, "test": None if connector.test is None else asdict(connector.test)}
    ways = set()
    for way in connector.auth:
        own = {key: each for key, each in asdict(way).items() if each is not None and key not in ("title", "typed_in")}
        sets = None if way.then is None else way.then.variable
        if sets == variable or variable in variables_in(shared | own):
            ways.add(way.id)
    return frozenset() if len(ways) == len(connector.auth) else frozenset(ways)


def _retry(connector: DeclaredConnector) -> RetryRule:
    waits = [header for rule in connector.errors if rule.wait is not None for header in several(rule.wait)]
    named = [header.removeprefix("header.").lower() for header in waits]
    wait_headers = tuple(dict.fromkeys([*named, *RetryRule().wait_headers]))
    return RetryRule(**asdict(connector.retry, recurse=False), wait_headers=wait_headers)


def _identity(connector: DeclaredConnector) -> Callable[[Context], AccountIdentity]:
    account, title = connector.account, connector.title
    identifying = () if account is None or account.id is None else several(account.id)
    identifiers = [_optional(template) for template in identifying]
    labels = [_optional(template) for template in (() if account is None else several(account.name))]

    def identity(context: Context) -> AccountIdentity:
        given = (
            named for identifier in identifiers if (named := _named(filled(identifier, context))) not in (ABSENT, "")
        )
        external = next(given, ABSENT)
        shown = next((name for label in labels if (name := _label(label, context))), title)
        return AccountIdentity(None if external in (ABSENT, "") else str(external), shown[:200])

    return identity


def _label(label: str, context: Context) -> str:
    """What a template calls an account; nothing where the answer has something there that is no name."""
    try:
        named = _named(filled(label, context))
    except InvalidRequest:
        return ""
    return "" if named is ABSENT else str(named)


def _named(value: object) -> object:
    """A text or number as text, or ABSENT; InvalidRequest for what would show Python's way of writing it."""
    if value is ABSENT:
        return ABSENT
    if isinstance(value, bool):
        raise InvalidRequest(None, "what is to name the account is true or false, not a text or number")
    return stringify(value)


def _optional(template: str) -> str:
    """Make every reference of a template optional: an answer that lacks the name of an account is no error."""
    for _, reference in references(template):
        template = template.replace(f"${{{reference}}}", f"${{{reference}?}}")
    return template
