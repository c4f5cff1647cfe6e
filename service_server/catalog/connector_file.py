"""A `connector.yaml`: read, checked and compiled to a connector without its functions."""

from collections.abc import Mapping

from attrs import asdict, frozen

from service_server.catalog.answers import RetryRule
from service_server.catalog.expressions import members, names_in
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.keys import several
from service_server.catalog.format.read import read
from service_server.catalog.hooks import Hooks, read_hooks
from service_server.catalog.problems import Report
from service_server.catalog.requests import with_app_headers
from service_server.catalog.schemas import check_form
from service_server.catalog.values import Connector, FunctionDefinition, Icon, Variable


@frozen(eq=False)
class App:
    """What the functions of an app share: what its `connector.yaml` says, and the hooks beside it."""

    declared: DeclaredConnector
    hooks: Hooks


def read_connector_file(report: Report) -> App | None:
    """Return what the file says, with the hooks beside it, if its form is right; report what isn't."""
    if not check_form(report, "connector"):
        return None
    hooks = read_hooks(report.document.file.parent, report.problems)
    return App(read(DeclaredConnector, report.document.value), hooks)


def define_connector(declared: DeclaredConnector, icon: Icon, functions: Mapping[str, FunctionDefinition]) -> Connector:
    """Return the connector in a file that has been checked."""
    parts = asdict(with_app_headers(declared, declared.headers), recurse=False)
    parts["variables"] = {
        name: Variable(name=name, ways=_ways(declared, name), **asdict(variable))
        for name, variable in declared.variables.items()
    }
    parts["test_answer"] = declared.test_answer or "object"
    waits = [header for rule in declared.error_rules if rule.wait is not None for header in several(rule.wait)]
    named = [header.removeprefix("header.").lower() for header in waits]
    wait_headers = tuple(dict.fromkeys([*named, *RetryRule().wait_headers]))
    parts["retry"] = RetryRule(**asdict(declared.retry, recurse=False), wait_headers=wait_headers)
    return Connector(**parts, icon=icon, functions=functions)


def _ways(connector: DeclaredConnector, variable: str) -> frozenset[str]:
    """The ways of signing in that alone refer to a variable; none where the app's addresses need it in any case."""
    account = connector.account
    named = () if account is None else (each for each in (account.id, account.name) if isinstance(each, str))
    if variable in names_in([*named, connector.headers], "vars"):
        return frozenset()
    shared = {"base_url": connector.base_url_template, "test": connector.test}
    ways = set()
    for way in connector.auth:
        own = {key: each for key, each in members(way) if each is not None and key not in ("title", "typed_in")}
        sets = None if way.then is None else way.then.variable
        if sets == variable or variable in names_in(shared | own, "vars"):
            ways.add(way.id)
    return frozenset() if len(ways) == len(connector.auth) else frozenset(ways)
