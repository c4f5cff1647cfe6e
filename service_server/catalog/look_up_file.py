"""The `lookup` of a function's file: checked and compiled."""

import json
from collections.abc import Mapping
from typing import Any

from service_server.catalog.expressions import ExpressionError, parse_path, references
from service_server.catalog.look_up import LookUp
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
    mentioned = {
        each.keys[0] for _, each in references(templates(value["request"])) if each.root == "lookup" and each.keys
    }
    for name, path in declared["gives"].items():
        try:
            parse_path(path)
        except ExpressionError as error:
            report.add(("lookup", "gives", name), str(error))
        if name not in mentioned:
            report.add(("lookup", "gives", name), f"nothing in the request uses it; write ${{lookup.{name}}} there")


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
