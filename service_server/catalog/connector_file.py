"""A `connector.yaml`: checked and compiled to a connector without its functions."""

from collections.abc import Mapping

from attrs import asdict, evolve, frozen

from service_server.catalog.auth import AuthMethod
from service_server.catalog.auth_checks import check_auth
from service_server.catalog.auth_parts import Then
from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import Reference, members, names_host, names_in, references
from service_server.catalog.format.connector import DeclaredConnector, Variable
from service_server.catalog.format.keys import seconds_of, several
from service_server.catalog.hooks import Hooks
from service_server.catalog.problems import Report
from service_server.catalog.request_checks import check_request
from service_server.catalog.requests import check_base_url, with_app_headers
from service_server.catalog.templates import ROOTS_AT, Names, check_template
from service_server.catalog.values import Connector, FunctionDefinition, Icon


@frozen(eq=False)
class App:
    """What the functions of an app share: what its `connector.yaml` says, and the hooks beside it."""

    declared: DeclaredConnector
    hooks: Hooks


def define_connector(declared: DeclaredConnector, icon: Icon, functions: Mapping[str, FunctionDefinition]) -> Connector:
    """Return the connector in a file that has been checked."""
    parts = asdict(with_app_headers(declared, declared.headers), recurse=False)
    parts["variables"] = {
        name: evolve(variable, name=name, ways=_ways(declared, name)) for name, variable in declared.variables.items()
    }
    parts["test_answer"] = declared.test_answer or "object"
    waits = [header for rule in declared.error_rules if rule.wait is not None for header in several(rule.wait)]
    named = [header.removeprefix("header.").lower() for header in waits]
    wait_headers = tuple(dict.fromkeys([*named, *declared.retry.wait_headers]))
    parts["retry"] = evolve(declared.retry, wait_headers=wait_headers)
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


def check_connector(report: Report, connector: DeclaredConnector) -> None:
    """Report what in a connector means nothing."""
    variables = connector.variables
    _check_variables(report, variables)
    _check_addresses(report, connector)
    check_template(report, ("headers",), connector.headers, Names(ROOTS_AT["headers"], {"vars": variables}))
    _check_calls(report, connector)
    _check_account(report, connector)
    if connector.budget is not None and seconds_of(connector.budget.window) == 0:
        report.add(("budget", "window"), "must be longer than nothing, such as 1s")
    check_auth(report, connector.auth, variables)


def _check_variables(report: Report, variables: Mapping[str, Variable]) -> None:
    for name, declared in variables.items():
        path: KeyPath = ("vars", name)
        if (declared.given_by is None) == (declared.captured is None):
            report.add(path, "needs either 'set_by' or 'from'")
        for key in ("prefix", "suffix"):
            if getattr(declared, key) and declared.format is not None:
                report.add((*path, key), "means nothing beside a 'format', whose value is whole; use a 'pattern'")


def _check_addresses(report: Report, connector: DeclaredConnector) -> None:
    """Report what is wrong with the base URLs, and with the hosts that requests may go to beside them."""
    before = len(report.problems)
    addresses: list[tuple[KeyPath, str]] = [(("base_url",), connector.base_url_template)]
    addresses += [
        (("auth", at, "base_url"), way.base_url) for at, way in enumerate(connector.auth) if way.base_url is not None
    ]
    names = Names(ROOTS_AT["base_url"], {"vars": connector.variables})
    for path, address in addresses:
        if check_template(report, path, address, names) and "${" not in address:
            with report.telling(path):
                check_base_url(address)
    if len(report.problems) > before:
        return
    for name in dict.fromkeys(names_in([address for _, address in addresses], "vars")):
        declared = connector.variables[name]
        if declared.set_by in ("user", "choice") and declared.format is None and declared.pattern is None:
            report.add(("vars", name), "needs a 'format' or 'pattern', because it decides where requests go")
    told = {name for name, declared in connector.variables.items() if declared.is_named_by_app}
    for path, address in addresses:
        if names_host(address, told) and not connector.allow_hosts:
            report.add(path, "comes from the app's answer, so 'allow_hosts' must say which hosts it may name")


def _check_calls(report: Report, connector: DeclaredConnector) -> None:
    hosts, variables = connector.hosts, connector.variables
    if connector.test is not None:
        tested = [way.shown for way in connector.auth if way.test is None]
        common = set.intersection(*tested) if tested else set[str]()
        names = Names(ROOTS_AT["test"], {"vars": variables, "creds": common})
        check_request(report, ("test",), connector.test, names, hosts)
    filled = set()
    for index, way in enumerate(connector.auth):
        if way.test is not None:
            names = Names(ROOTS_AT["auth[].test"], {"vars": variables, "creds": way.shown})
            check_request(report, ("auth", index, "test"), way.test, names, hosts)
        if way.then is not None:
            filled.add(way.then.variable)
            _check_then(report.below("auth", index, "then"), way.then, way, connector)
    for name, declared in variables.items():
        if declared.set_by == "choice" and name not in filled:
            report.add(("vars", name), "is chosen nowhere: a way to sign in has to set it, by 'then'")


def _check_then(report: Report, then: Then, way: AuthMethod, connector: DeclaredConnector) -> None:
    variables = connector.variables
    before = {name: declared for name, declared in variables.items() if name != then.variable}
    if then.variable not in variables or variables[then.variable].set_by != "choice":
        report.add(("sets",), f"there is no variable '{then.variable}' with 'set_by: choice'")
    names = Names(ROOTS_AT["auth[].then.request"], {"vars": before, "creds": way.shown})
    check_request(report, ("request",), then.request, names, connector.hosts)
    if then.request.method not in ("get", "post"):
        report.add(("request",), "is sent by get or post: it changes nothing")
        return
    base_url = way.base_url or connector.base_url_template
    if then.request.target.startswith("/") and then.variable in names_in(base_url, "vars"):
        said = "needs a whole https URL, because the base URL isn't known before the variable is"
        report.add(("request",), said)


def _check_account(report: Report, connector: DeclaredConnector) -> None:
    credentials = {name for way in connector.auth for name in way.credentials}
    is_tested = any(each.test is not None for each in (connector, *connector.auth))
    roots = ROOTS_AT["account"] if is_tested else ROOTS_AT["account"] - {"test"}
    if connector.test_answer is not None and not is_tested:
        report.add(("test_answer",), "says what the answer to 'test' has to be, and there is none")
    answer = connector.test_answer or "object"
    if connector.test is not None and connector.test.method == "head" and answer != "any":
        report.add(("test",), "a HEAD request is answered with nothing, so 'test_answer' must be any")
    if connector.account is None:
        return
    account = {"id": connector.account.id, "name": connector.account.name}
    names = Names(roots, {"vars": connector.variables, "creds": credentials})
    if check_template(report, ("account",), account, names):
        for path, reference in references(account):
            if (message := _account_problem(reference, answer)) is not None:
                report.add(("account", *path), message)


def _account_problem(reference: Reference, answer: str) -> str | None:
    """Say why what an expression leads to can't name an account; None where it can."""
    if not reference.keys:
        return f"'{reference}' is an object, which names nobody; add the key of a text or number in it"
    if reference.root != "test":
        return None
    if answer == "any":
        return "nothing can be read from the answer of 'test' with 'test_answer: any'"
    if (answer == "list") != reference.keys[0].removeprefix("-").isdecimal():
        return f"the answer of 'test' has to be a JSON {answer} by 'test_answer', so there is no {reference}"
    return None
