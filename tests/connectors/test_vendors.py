"""The shipped connectors against descriptions that their vendors, or makers of clients, keep."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from attrs import evolve

from service_server.catalog.document import read_document
from service_server.catalog.hooks import InvalidRequest
from service_server.catalog.load import SHIPPED
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.onward.values import OnwardRequest
from tests.connectors.building import arguments_of, connection_test_of, connector_of, request_of, requests_of
from tests.connectors.descriptions.compiled_judge import CompiledJudge
from tests.connectors.descriptions.description import AnyJudge, Description, Judge
from tests.connectors.descriptions.discovery import DiscoveryJudge
from tests.connectors.descriptions.openapi import OpenApiJudge
from tests.connectors.descriptions.packages import PINNED
from tests.connectors.descriptions.registered import registered
from tests.connectors.descriptions.sent import Sent
from tests.connectors.descriptions.table import TABLE, own_functions, shipped, table
from tests.real_apps.running import ROOT

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


def test_every_pinned_package_is_used() -> None:
    """The lock holds the digests of packages that tests and benchmarks name, sorted, and no others."""
    files = [file for folder in ("tests", "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    sources = "".join(file.read_text(encoding="utf-8") for file in files)

    assert [] == [name for name in PINNED if f'"{name}"' not in sources]
    assert sorted(PINNED) == list(PINNED)


def test_every_connector_says_what_it_rests_on() -> None:
    """A connector that nothing verifies has a README.md that says what it rests on."""
    silent = [app for app in shipped() if app not in REGISTERED and not (SHIPPED / app / "README.md").is_file()]

    assert [] == silent


def test_the_list_is_up_to_date() -> None:
    """The list of connectors is what `python -m tests.connectors.vendors table` writes."""
    assert table() == TABLE.read_text(encoding="utf-8")


@pytest.mark.parametrize("app", DESCRIBED)
def test_requests_are_as_described(app: str) -> None:
    """So is every function, by its examples and with all arguments; what is listed as undescribed really isn't."""
    judge, undescribed = judge_of(app), set(REGISTERED[app].undescribed)
    faults = [
        (name, f"{request}: {fault}") for name, request in requests_by_function(app) for fault in judge.faults(request)
    ]
    told = {f"{name}: {fault}" for name, fault in faults if name not in undescribed}

    assert not told, "\n" + "\n".join(sorted(told))
    assert set() == undescribed - {name for name, _ in faults}


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
            if sample is None and found == ["no answer is declared"]:
                continue  # which is what no answer at all looks like there
            compared += 1
            faults |= {function.name: found} if found else {}
            unknown = {"no_such_key": 1}
            assert list(judge.unknown_in_answer(request, [unknown] if isinstance(sample, list) else unknown)), name

    assert {} == faults
    assert compared >= 25


def parts_of(app: str) -> tuple[Description, ...]:
    """The descriptions of an app, of which any has to agree."""
    check = REGISTERED[app].check
    assert check is not None
    return check.parts or (check,)


TYPED = [app for app in DESCRIBED if any(each.untyped is not None for each in parts_of(app))]


@pytest.mark.parametrize("app", TYPED)
def test_what_has_no_type_is_said(app: str) -> None:
    """What functions send where a client has no types is listed beside the client, so that nothing else is untyped."""
    judge = judge_of(app)
    judges = judge.judges if isinstance(judge, AnyJudge) else (judge,)
    for client, each in zip(parts_of(app), judges, strict=True):
        if isinstance(each, CompiledJudge):
            assert client.untyped == {place for _, request in described(app) for place in each.untyped(request)}


# Words of choices that a description lacks, and where they are documented.
UNDESCRIBED_WORDS = {
    ("paypal-add-tracking", "OTHER"): "the document says it of carriers that its list lacks",
    ("whatsapp-list-templates", "PAUSED"): "https://developers.facebook.com/docs/whatsapp/message-templates/guidelines",
}


@pytest.mark.parametrize("app", DESCRIBED)
def test_every_choice_is_described(app: str) -> None:
    """Each of the fixed values of a parameter is one that the description has, in one of the calls that are tried."""
    judge, connector = judge_of(app), connector_of(app)
    undescribed = REGISTERED[app].undescribed
    unknown = []
    for name in own_functions(connector):
        function = connector.functions[f"{app}-{name}"]
        for path, word in [] if name in undescribed else choices_of(function.parameters):
            tried = [with_value(arguments, path, word) for arguments in arguments_of(function)]
            valid = [each for each in tried if each is not None and function.validator.is_valid(each)]
            requests = [Sent.of(built) for each in valid if (built := built_of(connector, function, each)) is not None]
            if requests and all(list(judge.faults(each)) for each in requests):
                unknown.append((function.name, word))

    assert {each for each in UNDESCRIBED_WORDS if each[0].startswith(f"{app}-")} == set(unknown)


def choices_of(schema: Mapping[str, Any], path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each fixed value of a parameter, or of a field inside it (of the first entry of a list), with its path."""
    yield from ((path, word) for word in schema.get("enum", ()))
    for name, child in schema.get("properties", {}).items():
        yield from choices_of(child, (*path, name))
    if "items" in schema:
        yield from choices_of(schema["items"], (*path, 0))


def with_value(arguments: Mapping[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any] | None:
    """Return arguments in which something else stands at a path; None where there is no such place."""
    first, *others = path
    if not others:
        return {**arguments, first: value}
    if others == [0]:
        return {**arguments, first: [value]}
    try:
        return dict(replaced(arguments, path, value))
    except (KeyError, IndexError, TypeError):
        return None


def built_of(connector: Connector, function: FunctionDefinition, arguments: Mapping[str, Any]) -> OnwardRequest | None:
    """Build a request; None for arguments that don't go together."""
    try:
        return request_of(connector, function, arguments)
    except InvalidRequest:
        return None


# Which shares of mistakes are noticed at least: of all apps, and besides of one for each way of comparing.
LEAST = {"path": 1.0, "method": 1.0, "name": 1.0, "key": 0.7, "type": 0.7}
LEAST_OF = {
    "github": {"left out": 0.1, "word": 0.1, "number": 0.5},
    "google_calendar": {"left out": 0.1, "number": 0.3},
    "google_forms": {"word": 0.05},
    "square": {"left out": 0.1, "word": 0.1, "number": 0.3},
    "freshdesk": {"left out": 0.1, "number": 0.5},
    "linear": {"left out": 0.2},
    "greenhouse": {"type": 0.6},  # a server for agents hands on many lists of objects as it gets them
    "bamboohr": {"left out": 0.1, "number": 0.3},
    "dynamics_365": {"word": 0.1},
    "bitbucket": {"key": 0.0},  # whose types take any further key
}


@pytest.mark.parametrize("app", DESCRIBED)
def test_wrong_requests_are_noticed(app: str) -> None:
    """No function could go to a misspelt path or send an undeclared name unnoticed; few could send a wrong type."""
    judge = judge_of(app)
    noticed: dict[str, list[bool]] = {}
    for _, request in described(app):
        for kind, wrong in wrong_requests(request):
            noticed.setdefault(kind, []).append(bool(list(judge.faults(wrong))))
    for request in dict(described(app)).values():  # the last of each function, with every argument
        for kind, wrong in wrong_values(request):
            noticed.setdefault(kind, []).append(bool(list(judge.faults(wrong))))
    shares = {kind: sum(each) / len(each) for kind, each in noticed.items()}
    least = LEAST | LEAST_OF.get(app, {})

    assert {} == {kind: share for kind, share in shares.items() if share < least.get(kind, 0.0)}
    assert LEAST_OF.get(app, {}).keys() <= shares.keys()


def wrong_requests(request: Sent) -> Iterator[tuple[str, Sent]]:
    """Yield requests that go elsewhere, or have a name in their query that nobody knows."""
    yield "path", evolve(request, url=f"{request.url}/misspelt/misspelt")
    yield "method", evolve(request, method="TRACE")
    yield "name", evolve(request, query=(*request.query, ("misspelt_name", "1")))


def wrong_values(request: Sent) -> Iterator[tuple[str, Sent]]:
    """Yield requests with other values in their query and their body, or in the variables of GraphQL."""
    for number, (name, value) in enumerate(request.query):
        if value.isdigit():
            pairs = (*request.query[:number], (name, "few"), *request.query[number + 1 :])
            yield "number", evolve(request, query=pairs)
    if not isinstance(request.body, dict):
        return
    is_query = request.body.keys() <= {"query", "variables"} and "query" in request.body
    sent = request.body.get("variables") or {} if is_query else request.body

    def sending(value: Any) -> Sent:
        body = {**request.body, "variables": value} if is_query else value
        content = json.dumps(body).encode() if request.media_type.endswith("json") else request.content
        return evolve(request, body=body, content=content)

    yield "key", sending({**sent, "misspelt_name": 1})
    for name in sent:
        yield "left out", sending({key: value for key, value in sent.items() if key != name})
    for path, value in places(sent):
        yield "type", sending(replaced(sent, path, {"misspelt": {"x": 1}}))
        if isinstance(value, str):
            yield "word", sending(replaced(sent, path, "no such word"))


def places(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each text, number and truth value inside a value, with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from (((key, *path), found) for path, found in places(inner))
    else:
        yield (), value


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a value in which something else stands at a path."""
    if not path:
        return new
    changed = value.copy()
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed
