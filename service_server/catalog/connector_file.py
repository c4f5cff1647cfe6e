"""A `connector.yaml`: checked and compiled to a connector without its functions."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from service_server.catalog.answers import Budget, ErrorRule, RetryRule
from service_server.catalog.auth_checks import check_pattern, shown_fields
from service_server.catalog.auth_methods import compile_auth
from service_server.catalog.document import KeyPath
from service_server.catalog.durations import seconds_of
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    Evaluate,
    InvalidRequest,
    Reference,
    compile_text,
    compile_value,
    references,
    stringify,
)
from service_server.catalog.function_file import AppParts
from service_server.catalog.hooks import Hooks, read_hooks
from service_server.catalog.pagination_file import compile_pagination
from service_server.catalog.output import OutputError, compile_output
from service_server.catalog.problems import Report
from service_server.catalog.request_file import check_request, compile_request
from service_server.catalog.requests import check_base_url
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.schemas import check_form
from service_server.catalog.templates import Names, check_template
from service_server.catalog.values import AccountIdentity, Connector, FunctionDefinition, Icon, Variable
from service_server.onward.values import HostPattern, HostRules

DEFAULT_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@frozen
class ConnectorFile:
    """A connector's file whose form is right."""

    report: Report
    hooks: Hooks = field(factory=Hooks)

    @property
    def value(self) -> dict[str, Any]:
        """The content of the file."""
        value: dict[str, Any] = self.report.document.value
        return value

    @property
    def parts(self) -> AppParts:
        """What the functions of the app have to know of it."""
        return AppParts(
            self.value["name"],
            frozenset(self.value.get("vars", {})),
            self.value.get("headers", {}),
            {name: compile_pagination(declared) for name, declared in self.value.get("pagination", {}).items()},
            self.hooks,
            self._default_scopes(),
            _hosts(self.value),
        )

    def _default_scopes(self) -> frozenset[str] | None:
        """What is asked for at the first way to sign in that can be granted scopes, None where there is none."""
        ways = [method for method in self.value["auth"] if method["type"] == "oauth2_code"]
        return frozenset(ways[0].get("scopes", {}).get("default", ())) if ways else None

    @property
    def passthrough_methods(self) -> frozenset[str]:
        """The methods that the app's passthrough function allows."""
        return frozenset(self.value.get("passthrough", {}).get("methods", DEFAULT_METHODS))


def read_connector_file(report: Report) -> ConnectorFile | None:
    """Return the file, with the hooks beside it, if its form is right; report what isn't."""
    if not check_form(report, "connector"):
        return None
    return ConnectorFile(report, read_hooks(report.document.file.parent, report.problems))


def compile_connector(file: ConnectorFile, icon: Icon, functions: Mapping[str, FunctionDefinition]) -> Connector | None:
    """Check what the form can't tell and return the connector, None where there are problems."""
    report, value = file.report, file.value
    before = len(report.problems)
    variables = value.get("vars", {})
    _check_variables(report, variables)
    _check_addresses(report, value, Names(ROOTS_AT["base_url"], variables))
    check_template(report, ("headers",), value.get("headers", {}), Names(ROOTS_AT["headers"], variables))
    auth = compile_auth(report, value["auth"], variables, value.get("headers", {}))
    _check_calls(report, value, variables)
    _check_account(report, value, variables)
    if "budget" in value and seconds_of(value["budget"]["window"]) == 0:
        report.add(("budget", "window"), "must be longer than nothing, such as 1s")
    if len(report.problems) > before:
        return None
    headers = value.get("headers", {})
    return Connector(
        name=value["name"],
        title=value["title"],
        description=value["description"],
        docs_url=value.get("docs_url", ""),
        categories=tuple(value.get("categories", ())),
        icon=icon,
        variables={name: _variable(name, declared, _ways(value, name)) for name, declared in variables.items()},
        auth=auth,
        functions=functions,
        retry=_retry(value),
        budget=_budget(value),
        test=compile_request(value["test"], headers) if "test" in value else None,
        test_answer=value.get("test_answer", "object"),
        passthrough_methods=file.passthrough_methods,
        allow_hosts=tuple(value.get("allow_hosts", ())),
        trusts_base_url=not _set_by_token(value),
        error_rules=tuple(_error_rule(rule) for rule in value.get("errors", ())),
        base_url_template=compile_text(value["base_url"]),
        names_accounts="id" in value.get("account", {}),
        identity_template=_identity(value),
    )


def _check_calls(report: Report, value: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
    """Report what is wrong with connection tests, and with the calls that fill a variable after a sign-in."""
    hosts = _hosts(value)
    if "test" in value:
        tested = [method for method in value["auth"] if "test" not in method]
        common = set.intersection(*(shown_fields(method) for method in tested)) if tested else set()
        check_request(report, ("test",), value["test"], Names(ROOTS_AT["test"], variables, common), hosts)
    filled = set()
    for index, method in enumerate(value["auth"]):
        path: KeyPath = ("auth", index)
        if "test" in method:
            names = Names(ROOTS_AT["auth[].test"], variables, shown_fields(method))
            check_request(report, (*path, "test"), method["test"], names, hosts)
        if "then" in method:
            filled.add(method["then"]["sets"])
            _check_then(report, (*path, "then"), method, value, hosts)
    for name, declared in variables.items():
        if declared.get("set_by") == "choice" and name not in filled:
            report.add(("vars", name), "is chosen nowhere: a way to sign in has to set it, by 'then'")


def _check_then(
    report: Report, path: KeyPath, method: Mapping[str, Any], value: Mapping[str, Any], hosts: HostRules
) -> None:
    then, variables = method["then"], value.get("vars", {})
    before = {name: declared for name, declared in variables.items() if name != then["sets"]}
    if variables.get(then["sets"], {}).get("set_by") != "choice":
        report.add((*path, "sets"), f"there is no variable '{then['sets']}' with 'set_by: choice'")
    names = Names(ROOTS_AT["auth[].then.request"], before, shown_fields(method))
    check_request(report, (*path, "request"), then["request"], names, hosts)
    target = next((then["request"][verb] for verb in ("get", "post") if verb in then["request"]), "")
    if not target:
        report.add((*path, "request"), "is sent by get or post: it changes nothing")
    if target.startswith("/") and then["sets"] in _variables_in(method.get("base_url", value["base_url"])):
        said = "needs a whole https URL, because the base URL isn't known before the variable is"
        report.add((*path, "request"), said)
    if "output" in then:
        try:
            names_in_it = compile_output(then["output"]).names
        except OutputError as error:
            report.add((*path, "output"), str(error))
        else:
            if names_in_it:
                report.add((*path, "output"), "has no arguments to refer to")


def _check_variables(report: Report, variables: Mapping[str, Mapping[str, Any]]) -> None:
    for name, declared in variables.items():
        path: KeyPath = ("vars", name)
        if ("set_by" in declared) == ("from" in declared):
            report.add(path, "needs either 'set_by' or 'from'")
        check_pattern(report, (*path, "pattern"), declared.get("pattern"))
        for key in ("prefix", "suffix"):
            if key in declared and "format" in declared:
                report.add((*path, key), "means nothing beside a 'format', whose value is whole; use a 'pattern'")


def _check_addresses(report: Report, value: Mapping[str, Any], names: Names) -> None:
    before = len(report.problems)
    addresses: list[tuple[KeyPath, str]] = [(("base_url",), value["base_url"])]
    addresses += [
        (("auth", at, "base_url"), each["base_url"]) for at, each in enumerate(value["auth"]) if "base_url" in each
    ]
    for path, address in addresses:
        if check_template(report, path, address, names) and "${" not in address:
            try:
                check_base_url(address)
            except ValueError as error:
                report.add(path, str(error))
    for index, pattern in enumerate(value.get("allow_hosts", ())):
        try:
            HostPattern.parse(pattern)
        except ValueError as error:
            report.add(("allow_hosts", index), str(error))
    if len(report.problems) > before:
        return
    for name in dict.fromkeys(_variables_in([address for _, address in addresses])):
        declared = value["vars"][name]
        if declared.get("set_by") in ("user", "choice") and not {"format", "pattern"} & set(declared):
            report.add(("vars", name), "needs a 'format' or 'pattern', because it decides where requests go")
    for path, address in addresses:
        if _named_by_app(value, address) and not value.get("allow_hosts"):
            report.add(path, "comes from the app's answer, so 'allow_hosts' must say which hosts it may name")


def _hosts(value: Mapping[str, Any]) -> HostRules:
    """Return the hosts beside the base URL's own; those that are none are reported elsewhere."""
    try:
        return HostRules(tuple(value.get("allow_hosts", ())))
    except ValueError:
        return HostRules(())


def _named_by_app(value: Mapping[str, Any], address: str) -> bool:
    """Whether an app's answer says on which host an address is; what stands behind the host may be the app's to say."""
    origin = re.match(r"[a-z]*:?/{0,2}[^/]*", address)
    named = _variables_in(origin[0] if origin else address)
    return any("from" in value["vars"][name] or value["vars"][name].get("set_by") == "choice" for name in named)


def _set_by_token(value: Mapping[str, Any]) -> bool:
    return any("from" in value["vars"][name] for name in _variables_in(value["base_url"])) or any(
        _named_by_app(value, method["base_url"]) for method in value["auth"] if "base_url" in method
    )


def _variables_in(template: Any) -> list[str]:
    return [reference.keys[0] for _, reference in references(template) if reference.root == "vars"]


def _check_account(report: Report, value: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
    credentials = {name for method in value["auth"] for name in method.get("fields", {})}
    roots = ROOTS_AT["account"] if "test" in value else ROOTS_AT["account"] - {"test"}
    account = value.get("account", {})
    if "test_answer" in value and "test" not in value:
        report.add(("test_answer",), "says what the answer to 'test' has to be, and there is none")
    if "head" in value.get("test", {}) and value.get("test_answer") != "any":
        report.add(("test",), "a HEAD request is answered with nothing, so 'test_answer' must be any")
    if check_template(report, ("account",), account, Names(roots, variables, credentials)):
        for path, reference in references(account):
            if (message := _account_problem(reference, value.get("test_answer", "object"))) is not None:
                report.add(("account", *path), message)


def _account_problem(reference: Reference, answer: str) -> str | None:
    """Say why what an expression leads to can't name an account; None where it can."""
    if not reference.keys:
        return f"'{reference}' is an object, which names nobody; add the key of a text or number in it"
    if reference.root != "test":
        return None
    if answer == "any":
        return "nothing can be read from the answer of 'test' with 'test_answer: any'"
    if (answer == "list") != _is_index(reference.keys[0]):
        return f"the answer of 'test' has to be a JSON {answer} by 'test_answer', so there is no {reference}"
    return None


def _is_index(key: str) -> bool:
    return key.removeprefix("-").isdecimal()


def _ways(value: Mapping[str, Any], variable: str) -> frozenset[str]:
    """The ways of signing in that alone refer to a variable; none where the app's addresses need it in any case."""
    account = {key: part for key, part in value.get("account", {}).items() if not isinstance(part, list)}
    if variable in _variables_in([account, *(value[key] for key in ("headers",) if key in value)]):
        return frozenset()
    shared = {key: value[key] for key in ("base_url", "test") if key in value}
    ways = frozenset(
        method["id"]
        for method in value["auth"]
        if variable
        in _variables_in({key: part for key, part in (shared | method).items() if key not in ("title", "fields")})
        or method.get("then", {}).get("sets") == variable
    )
    return frozenset() if len(ways) == len(value["auth"]) else ways


def _variable(name: str, declared: Mapping[str, Any], ways: frozenset[str]) -> Variable:
    return Variable(
        name=name,
        title=declared["title"],
        description=declared.get("description", ""),
        set_by=declared.get("set_by", "token"),
        token_path=declared["from"].removeprefix("token.") if "from" in declared else None,
        format=declared.get("format"),
        pattern=declared.get("pattern"),
        default=declared.get("default"),
        example=declared.get("example"),
        prefix=declared.get("prefix", ""),
        suffix=declared.get("suffix", ""),
        ways=ways,
    )


def _retry(value: Mapping[str, Any]) -> RetryRule:
    declared = value.get("retry", {})
    default = RetryRule()
    waits = [header for rule in value.get("errors", ()) for header in _several(rule.get("wait", []))]
    return RetryRule(
        max=declared.get("max", default.max),
        statuses=frozenset(_several(declared["on"])) if "on" in declared else default.statuses,
        methods=frozenset(declared["methods"]) if "methods" in declared else default.methods,
        wait_headers=tuple(
            dict.fromkeys([*(header.removeprefix("header.").lower() for header in waits), *default.wait_headers])
        ),
    )


def _budget(value: Mapping[str, Any]) -> Budget | None:
    declared = value.get("budget")
    return None if declared is None else Budget(declared["requests"], seconds_of(declared["window"]))


def _error_rule(rule: Mapping[str, Any]) -> ErrorRule:
    when = rule["when"]
    return ErrorRule(
        kind=rule["kind"],
        statuses=frozenset(_several(when.get("status", []))),
        headers={name.lower(): _texts(texts) for name, texts in when.get("header", {}).items()},
        body=tuple((tuple(path.split(".")), _texts(texts)) for path, texts in when.get("body", {}).items()),
    )


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _texts(value: Any) -> frozenset[str]:
    return frozenset() if value is True else frozenset(str(text) for text in _several(value))


def _identity(value: Mapping[str, Any]) -> Callable[[Context], AccountIdentity]:
    declared = value.get("account", {})
    identifiers = [compile_value(_optional(template)) for template in _several(declared.get("id", []))]
    labels = [compile_value(_optional(template)) for template in _several(declared.get("name", []))]
    title = value["title"]

    def identity(context: Context) -> AccountIdentity:
        given = (named for identifier in identifiers if (named := _named(identifier(context))) not in (ABSENT, ""))
        external = next(given, ABSENT)
        shown = next((name for label in labels if (name := _label(label, context))), title)
        return AccountIdentity(None if external in (ABSENT, "") else str(external), shown[:200])

    return identity


def _label(label: Evaluate, context: Context) -> str:
    """What a template calls an account; nothing where the answer has something there that is no name."""
    try:
        named = _named(label(context))
    except InvalidRequest:
        return ""
    return "" if named is ABSENT else str(named)


def _named(value: Any) -> Any:
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
