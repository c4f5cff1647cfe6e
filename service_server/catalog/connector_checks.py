"""What of a `connector.yaml` the form can't tell: variables, addresses, calls at connecting, accounts and refusals."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.catalog.auth_checks import check_pattern, shown_fields
from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import Reference, references
from service_server.catalog.problems import Report
from service_server.catalog.request_file import check_request
from service_server.catalog.requests import check_base_url
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.templates import Names, check_template
from service_server.onward.values import HostPattern, HostRules


def check_variables(report: Report, variables: Mapping[str, Mapping[str, Any]]) -> None:
    """Report variables that nobody sets, or two do, and patterns that are none."""
    for name, declared in variables.items():
        path: KeyPath = ("vars", name)
        if ("set_by" in declared) == ("from" in declared):
            report.add(path, "needs either 'set_by' or 'from'")
        check_pattern(report, (*path, "pattern"), declared.get("pattern"))
        for key in ("prefix", "suffix"):
            if key in declared and "format" in declared:
                report.add((*path, key), "means nothing beside a 'format', whose value is whole; use a 'pattern'")


def check_addresses(report: Report, value: Mapping[str, Any], names: Names) -> None:
    """Report what is wrong with the base URLs, and with the hosts that requests may go to beside them."""
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
    for name in dict.fromkeys(variables_in([address for _, address in addresses])):
        declared = value["vars"][name]
        if declared.get("set_by") in ("user", "choice") and not {"format", "pattern"} & set(declared):
            report.add(("vars", name), "needs a 'format' or 'pattern', because it decides where requests go")
    for path, address in addresses:
        if is_named_by_app(value, address) and not value.get("allow_hosts"):
            report.add(path, "comes from the app's answer, so 'allow_hosts' must say which hosts it may name")


def check_calls(report: Report, value: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
    """Report what is wrong with connection tests, and with the calls that fill a variable after a sign-in."""
    hosts = hosts_of(value)
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
    if target.startswith("/") and then["sets"] in variables_in(method.get("base_url", value["base_url"])):
        said = "needs a whole https URL, because the base URL isn't known before the variable is"
        report.add((*path, "request"), said)


def check_account(report: Report, value: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
    """Report what can't name an account."""
    credentials = {name for method in value["auth"] for name in method.get("fields", {})}
    is_tested = any("test" in each for each in (value, *value["auth"]))
    roots = ROOTS_AT["account"] if is_tested else ROOTS_AT["account"] - {"test"}
    account = value.get("account", {})
    if "test_answer" in value and not is_tested:
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


def check_errors(report: Report, value: Mapping[str, Any]) -> None:
    """Report patterns of refusals that are none."""
    for index, rule in enumerate(value.get("errors", ())):
        at: KeyPath = ("errors", index, "when")
        check_pattern(report, (*at, "text"), rule["when"].get("text"))
        for path, texts in rule["when"].get("body", {}).items():
            if isinstance(texts, Mapping):
                check_pattern(report, (*at, "body", path, "pattern"), texts["pattern"])


def hosts_of(value: Mapping[str, Any]) -> HostRules:
    """Return the hosts beside the base URL's own; those that are none are reported elsewhere."""
    try:
        return HostRules(tuple(value.get("allow_hosts", ())))
    except ValueError:
        return HostRules(())


def is_named_by_app(value: Mapping[str, Any], address: str) -> bool:
    """Whether an app's answer says on which host an address is; what stands behind the host may be the app's to say."""
    host = re.match(r"(https?://)?[^/]*", address)
    named = variables_in("" if host is None else host[0])
    return any("from" in value["vars"][name] or value["vars"][name].get("set_by") == "choice" for name in named)


def variables_in(template: Any) -> list[str]:
    """Return the names of the variables that a template refers to."""
    return [reference.keys[0] for _, reference in references(template) if reference.root == "vars"]
