"""The shipped connectors against descriptions that their vendors, or makers of clients, keep."""

from functools import cache

import pytest
from attrs import evolve

from service_server.catalog.document import read_document
from service_server.catalog.load import SHIPPED
from tests.connectors.building import arguments_of, connection_test_of, connector_of, request_of, requests_of
from tests.connectors.descriptions.compiled_judge import CompiledJudge
from tests.connectors.descriptions.compiled_types import CompiledClient
from tests.connectors.descriptions.description import AnyJudge, AnyOf, Description, Judge
from tests.connectors.descriptions.discovery import DiscoveryJudge
from tests.connectors.descriptions.openapi import OpenApiJudge
from tests.connectors.descriptions.python_client import PythonClient
from tests.connectors.descriptions.registered import registered
from tests.connectors.descriptions.sent import Sent
from tests.connectors.descriptions.table import TABLE, own_functions, shipped, table

pytestmark = pytest.mark.slow

REGISTERED = registered()
DESCRIBED = [app for app, each in REGISTERED.items() if each.check is not None]


@cache
def judge_of(app: str) -> Judge:
    """Read the description of an app; skip where it wasn't fetched."""
    check = REGISTERED[app].check
    assert check is not None
    try:
        return check.read()
    except FileNotFoundError:
        pytest.skip(f"the description of {app} isn't fetched: run python -m tests.connectors.vendors")


@cache
def requests_by_function(app: str) -> list[tuple[str, Sent]]:
    """The requests of all functions of an app, by the function's name without the app's, and of its `test`."""
    connector = connector_of(app)
    test = connection_test_of(connector)
    return [
        *([] if test is None else [("test", Sent.of(test))]),
        *(
            (name, Sent.of(request))
            for name in own_functions(connector)
            for request in requests_of(connector, connector.functions[f"{app}-{name}"])
        ),
    ]


def described(app: str) -> list[tuple[str, Sent]]:
    """Those of them that the description has."""
    return [each for each in requests_by_function(app) if each[0] not in REGISTERED[app].undescribed]


def test_every_file_is_of_a_connector() -> None:
    """Files among the vendors are named as shipped connectors, and name only functions that those have."""
    assert set() == set(REGISTERED) - set(shipped())
    for app, each in REGISTERED.items():
        assert set() == set(each.undescribed) - {"test", *own_functions(connector_of(app))}, app


def test_every_connector_says_what_it_rests_on() -> None:
    """A connector that nothing verifies has a README.md that says what it rests on."""
    silent = [app for app in shipped() if app not in REGISTERED and not (SHIPPED / app / "README.md").is_file()]

    assert [] == silent


def test_the_list_is_up_to_date() -> None:
    """The list of connectors is what `python -m tests.connectors.vendors table` writes."""
    assert table() == TABLE.read_text(encoding="utf-8")


@pytest.mark.parametrize("app", DESCRIBED)
def test_requests_are_as_described(app: str) -> None:
    """Every function's requests, by its examples and with all arguments, are as the app's description has them."""
    judge = judge_of(app)
    faults = {f"{name}: {request}: {fault}" for name, request in described(app) for fault in judge.faults(request)}

    assert not faults, "\n" + "\n".join(sorted(faults))


def test_outcomes_are_read_of_documented_answers() -> None:
    """Where a description has the answers, too, each sample of one has no key that it lacks."""
    faults: dict[str, list[str]] = {}
    compared = 0
    for app in DESCRIBED:
        judge = judge_of(app)
        if not isinstance(judge, OpenApiJudge | DiscoveryJudge) or not judge.has_answers:
            continue
        connector = connector_of(app)
        for name in own_functions(connector):
            function = connector.functions[f"{app}-{name}"]
            if function.outcome is None or name in REGISTERED[app].undescribed:
                continue
            request = Sent.of(request_of(connector, function, arguments_of(function)[0]))  # not what is asked before
            sample = read_document(SHIPPED / app / "functions" / f"{name}.yaml").value["outcome"]["sample"]
            found = list(judge.unknown_in_answer(request, sample))
            compared += 1
            faults |= {function.name: found} if found else {}
            assert list(judge.unknown_in_answer(request, {"no_such_key": 1})), function.name

    assert {} == faults
    assert compared >= 25


def parts_of(check: Description | None) -> tuple[Description | None, ...]:
    """The descriptions of which any has to agree."""
    return check.descriptions if isinstance(check, AnyOf) else (check,)


TYPED = [
    app
    for app in DESCRIBED
    if any(isinstance(each, CompiledClient | PythonClient) for each in parts_of(REGISTERED[app].check))
]


@pytest.mark.parametrize("app", TYPED)
def test_what_has_no_type_is_said(app: str) -> None:
    """What functions send where a client has no types is listed beside the client, so that nothing else is untyped."""
    judge = judge_of(app)
    judges = judge.judges if isinstance(judge, AnyJudge) else (judge,)
    for client, each in zip(parts_of(REGISTERED[app].check), judges, strict=True):
        if isinstance(client, CompiledClient | PythonClient) and isinstance(each, CompiledJudge):
            assert client.untyped == {place for _, request in described(app) for place in each.untyped(request)}


@pytest.mark.parametrize("app", DESCRIBED)
def test_wrong_requests_are_noticed(app: str) -> None:
    """No function could go to a misspelt path or send an undeclared name without being noticed."""
    judge = judge_of(app)
    unnoticed = {
        name
        for name, request in described(app)
        for wrong in (
            evolve(request, url=f"{request.url}/misspelt/misspelt"),
            evolve(request, query=(*request.query, ("misspelt_name", "1"))),
        )
        if not list(judge.faults(wrong))
    }

    assert not unnoticed


def test_undescribed_functions_are_undescribed() -> None:
    """A function that is listed as undescribed really is: once the description has it, it is compared."""
    for app in DESCRIBED:
        undescribed = set(REGISTERED[app].undescribed)
        if undescribed:
            judge = judge_of(app)
            at_fault = {name for name, request in requests_by_function(app) if list(judge.faults(request))}
            assert set() == undescribed - at_fault, app
