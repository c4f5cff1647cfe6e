"""The `lookup` and `before` of a function's file: checked and compiled."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from service_server.catalog.expressions import ExpressionError, parse_path
from service_server.catalog.format.function import DeclaredFunction, DeclaredLookUp, DeclaredPriorRequest
from service_server.catalog.format.requests import DeclaredRequest
from service_server.catalog.prior_requests import LookUp, PriorRequest
from service_server.catalog.problems import Report
from service_server.catalog.request_file import check_request, compile_request
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.templates import Names, referred
from service_server.onward.values import HostRules


def check_look_up(
    report: Report, declared: DeclaredLookUp, function: DeclaredFunction, variables: frozenset[str], hosts: HostRules
) -> None:
    """Report what is wrong with the look-up of a function's file."""
    names = Names(ROOTS_AT["lookup.request"], variables, (), function.parameters)
    check_request(report, ("lookup", "request"), declared.request, names, hosts)
    _check_gives(report.below("lookup"), declared.gives, _mentioned("lookup", [function.request]), "lookup")


def check_before(report: Report, function: DeclaredFunction, variables: frozenset[str], hosts: HostRules) -> None:
    """Report what is wrong with the requests that a function's file has before its own one."""
    names = Names(ROOTS_AT["before[].request"], variables, (), function.parameters)
    given = set[str]()
    for position, step in enumerate(function.before):
        at = ("before", position, "request")
        check_request(report, at, step.request, evolve(names, given_before=tuple(given)), hosts)
        following = [*(each.request for each in function.before[position + 1 :]), function.request]
        _check_gives(report.below("before", position), step.gives, _mentioned("before", following), "before")
        for name in given & step.gives.keys():
            report.add(("before", position, "gives", name), "is given by an earlier request already")
        given |= step.gives.keys()


def _check_gives(report: Report, gives: Mapping[str, str], mentioned: Iterable[str], root: str) -> None:
    for name, path in gives.items():
        try:
            parse_path(path)
        except ExpressionError as error:
            report.add(("gives", name), str(error))
        if name not in mentioned:
            report.add(("gives", name), f"nothing in the request uses it; write ${{{root}.{name}}} there")


def _mentioned(root: str, requests: Iterable[DeclaredRequest]) -> list[str]:
    return [keys[0] for request in requests for keys in referred(root, request.templates) if keys]


def compile_look_up(declared: DeclaredLookUp, headers: Mapping[str, str]) -> LookUp:
    """Compile a look-up that has been checked."""
    return LookUp(
        request=compile_request(declared.request, headers),
        gives={name: parse_path(path) for name, path in declared.gives.items()},
        declared=repr(declared),
        arguments=tuple(dict.fromkeys(_mentioned("args", [declared.request]))),
    )


def compile_before(declared: Iterable[DeclaredPriorRequest], headers: Mapping[str, str]) -> tuple[PriorRequest, ...]:
    """Compile the requests before another one, which have been checked."""
    return tuple(
        PriorRequest(
            request=compile_request(each.request, headers),
            gives={name: parse_path(path) for name, path in each.gives.items()},
        )
        for each in declared
    )
