"""The `lookup` and `before` of a function's file: checked and compiled."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from service_server.catalog.expressions import ExpressionError, parse_path, references
from service_server.catalog.prior_requests import LookUp, PriorRequest
from service_server.catalog.problems import Report
from service_server.catalog.request_file import check_request, compile_request, templates
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.templates import Names
from service_server.onward.values import HostRules


def check_look_up(report: Report, value: Mapping[str, Any], variables: frozenset[str], hosts: HostRules) -> None:
    """Report what is wrong with the look-up of a function's file."""
    declared = value["lookup"]
    names = Names(ROOTS_AT["lookup.request"], variables, (), value["parameters"])
    check_request(report, ("lookup", "request"), declared["request"], names, hosts)
    _check_gives(report.below("lookup"), declared["gives"], _mentioned("lookup", [value["request"]]), "lookup")


def check_before(report: Report, value: Mapping[str, Any], variables: frozenset[str], hosts: HostRules) -> None:
    """Report what is wrong with the requests that a function's file has before its own one."""
    names = Names(ROOTS_AT["before[].request"], variables, (), value["parameters"])
    steps, given = value["before"], dict[str, str]()
    for position, step in enumerate(steps):
        at = ("before", position, "request")
        check_request(report, at, step["request"], evolve(names, given_before=tuple(given)), hosts)
        gives = step.get("gives", {})
        following = [*(each["request"] for each in steps[position + 1 :]), value["request"]]
        _check_gives(report.below("before", position), gives, _mentioned("before", following), "before")
        for name in given.keys() & gives:
            report.add(("before", position, "gives", name), "is given by an earlier request already")
        given |= gives


def _check_gives(report: Report, gives: Mapping[str, str], mentioned: Iterable[str], root: str) -> None:
    for name, path in gives.items():
        try:
            parse_path(path)
        except ExpressionError as error:
            report.add(("gives", name), str(error))
        if name not in mentioned:
            report.add(("gives", name), f"nothing in the request uses it; write ${{{root}.{name}}} there")


def _mentioned(root: str, requests: Iterable[Mapping[str, Any]]) -> set[str]:
    return {
        each.keys[0]
        for request in requests
        for _, each in references(templates(request))
        if each.root == root and each.keys
    }


def compile_look_up(declared: Mapping[str, Any], headers: Mapping[str, str]) -> LookUp:
    """Compile a look-up that has been checked."""
    request = declared["request"]
    arguments = (each.keys[0] for _, each in references(templates(request)) if each.root == "args" and each.keys)
    return LookUp(
        request=compile_request(request, headers),
        gives={name: parse_path(path) for name, path in declared["gives"].items()},
        declared=json.dumps(declared, sort_keys=True),
        arguments=tuple(dict.fromkeys(arguments)),
    )


def compile_before(declared: Iterable[Mapping[str, Any]], headers: Mapping[str, str]) -> tuple[PriorRequest, ...]:
    """Compile the requests before another one, which have been checked."""
    return tuple(
        PriorRequest(
            request=compile_request(each["request"], headers),
            gives={name: parse_path(path) for name, path in each.get("gives", {}).items()},
        )
        for each in declared
    )
