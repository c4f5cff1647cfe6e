"""A `connector.yaml`: checked and compiled to a connector without its functions."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from service_server.catalog.answers import Budget, ErrorRule, RetryRule
from service_server.catalog.auth_methods import compile_auth
from service_server.catalog.connector_checks import (
    check_account,
    check_addresses,
    check_calls,
    check_errors,
    check_variables,
    hosts_of,
    is_named_by_app,
    variables_in,
)
from service_server.catalog.durations import seconds_of
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    Evaluate,
    InvalidRequest,
    compile_text,
    compile_value,
    references,
    stringify,
)
from service_server.catalog.function_file import AppParts
from service_server.catalog.hooks import Hooks, read_hooks
from service_server.catalog.outcome_checks import Addresses
from service_server.catalog.pagination_file import compile_pagination
from service_server.catalog.problems import Report
from service_server.catalog.request_file import compile_request
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.schemas import check_form
from service_server.catalog.templates import Names, check_template
from service_server.catalog.values import AccountIdentity, Connector, FunctionDefinition, Icon, Variable

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
            hosts_of(self.value),
            Addresses.of(self.value),
            tuple(method["id"] for method in self.value["auth"]),
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
    check_variables(report, variables)
    check_addresses(report, value, Names(ROOTS_AT["base_url"], variables))
    check_template(report, ("headers",), value.get("headers", {}), Names(ROOTS_AT["headers"], variables))
    auth = compile_auth(report, value["auth"], variables, value.get("headers", {}))
    check_calls(report, value, variables)
    check_account(report, value, variables)
    check_errors(report, value)
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
        auth=tuple(
            evolve(
                method, trusts_base_url="base_url" not in declared or not is_named_by_app(value, declared["base_url"])
            )
            for method, declared in zip(auth, value["auth"], strict=True)
        ),
        functions=functions,
        retry=_retry(value),
        budget=_budget(value),
        test=compile_request(value["test"], headers) if "test" in value else None,
        test_answer=value.get("test_answer", "object"),
        passthrough_methods=file.passthrough_methods,
        allow_hosts=tuple(value.get("allow_hosts", ())),
        trusts_base_url=not is_named_by_app(value, value["base_url"]),
        error_rules=tuple(_error_rule(rule) for rule in value.get("errors", ())),
        base_url_template=compile_text(value["base_url"]),
        names_accounts="id" in value.get("account", {}),
        identity_template=_identity(value),
    )


def _ways(value: Mapping[str, Any], variable: str) -> frozenset[str]:
    """The ways of signing in that alone refer to a variable; none where the app's addresses need it in any case."""
    account = {key: part for key, part in value.get("account", {}).items() if not isinstance(part, list)}
    if variable in variables_in([account, *(value[key] for key in ("headers",) if key in value)]):
        return frozenset()
    shared = {key: value[key] for key in ("base_url", "test") if key in value}
    ways = frozenset(
        method["id"]
        for method in value["auth"]
        if variable
        in variables_in({key: part for key, part in (shared | method).items() if key not in ("title", "fields")})
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
    parts = [(tuple(path.split(".")), texts) for path, texts in when.get("body", {}).items()]
    return ErrorRule(
        kind=rule["kind"],
        statuses=frozenset(_several(when.get("status", []))),
        headers={name.lower(): _texts(texts) for name, texts in when.get("header", {}).items()},
        body=tuple((keys, _texts(texts)) for keys, texts in parts if not isinstance(texts, Mapping)),
        patterns=tuple((keys, texts["pattern"]) for keys, texts in parts if isinstance(texts, Mapping)),
        text=when.get("text"),
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
