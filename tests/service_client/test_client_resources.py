"""Every method of the API: what it sends and what it makes of the answer, blocking and awaiting."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

import service_client as sc
from service_client.plans import listed, operation, paged
from service_client.testing import HttpRequest, Response
from tests.service_client.conftest import KNOWN, Driver

APP = {
    "id": 1,
    "name": "desk",
    "title": "Desk",
    "icon_url": "http://service.test/desk.svg",
    "docs_url": "",
    "connected_accounts": [
        {"id": 4, "display_name": "Ann", "modified_at": "2030-01-02T00:00:00.000000Z", "state": "active", "x": 1}
    ],
    "unknown": {"later": True},
}
ACCOUNT = sc.ConnectedAccount(id=4, display_name="Ann", modified_at=datetime(2030, 1, 2, tzinfo=UTC))
PARSED_APP = sc.App(
    id=1, name="desk", title="Desk", icon_url="http://service.test/desk.svg", connected_accounts=(ACCOUNT,)
)
FUNCTION = {
    "name": "desk-create",
    "description": "Create.",
    "type": "mutation",
    "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]},
}
PARSED_FUNCTION = sc.Function(
    name="desk-create",
    description="Create.",
    type="mutation",
    parameters=sc.Parameters(properties={"title": {"type": "string"}}, required=("title",)),
)
PREDICTED = FUNCTION | {
    "arguments": {"title": "x"},
    "prediction": {"confidence": 0.5, "alternatives": [], "missing": [], "evidence": {"title": "x"}},
}
RESULT = {"network_code": "201", "output": {"id": 7}}
PARSED_RESULT = sc.ExecutedCall(network_code="201", output={"id": 7}, function="desk-create")
SESSION = {"id": "s1", "url": "http://service.test/connect/s1", "expires_at": "2030-01-01T00:00:00.000000Z"}
PARSED_SESSION = sc.ConnectSession(id="s1", url=SESSION["url"], expires_at=datetime(2030, 1, 1, tzinfo=UTC))
FILE = {
    "id": "file_1",
    "name": "a.json",
    "size": 8,
    "media_type": "application/json",
    "expires_at": "2030-01-01T00:00:00.000000Z",
}
PARSED_FILE = sc.File(
    id="file_1", name="a.json", size=8, media_type="application/json", expires_at=datetime(2030, 1, 1, tzinfo=UTC)
)
STATE = {"status": "connected", "connected_account_id": 4, "error": None}

Case = tuple[Callable[[Any], Any], Any, tuple[str, str, dict[str, str], Any], Any]

CASES: dict[str, Case] = {
    "apps.get": (lambda c: c.apps.get("desk"), APP, ("GET", "/apps/desk", {}, None), PARSED_APP),
    "apps.list": (lambda c: c.apps.list(), {"apps": [APP], "cursor": ""}, ("GET", "/apps", {}, None), [PARSED_APP]),
    "apps.list connected": (
        lambda c: c.apps.list(connected_only=True),
        {"apps": [], "cursor": ""},
        ("GET", "/apps", {"connected_only": "true"}, None),
        [],
    ),
    "apps.list from a cursor": (
        lambda c: c.apps.list(cursor="c1"),
        {"apps": [APP], "cursor": ""},
        ("GET", "/apps", {"cursor": "c1"}, None),
        [PARSED_APP],
    ),
    "functions.list": (
        lambda c: c.functions.list(app="desk", type="mutation", connected_only=True, include="meta"),
        {"functions": [FUNCTION], "cursor": ""},
        ("GET", "/functions", {"app": "desk", "type": "mutation", "connected_only": "true", "include": "meta"}, None),
        [PARSED_FUNCTION],
    ),
    "functions.list from a cursor": (
        lambda c: c.functions.list(app="desk", cursor="c1"),
        {"functions": [FUNCTION], "cursor": ""},
        ("GET", "/functions", {"app": "desk", "cursor": "c1"}, None),
        [PARSED_FUNCTION],
    ),
    "functions.get": (
        lambda c: c.functions.get("desk-create", include="meta"),
        FUNCTION,
        ("GET", "/functions/desk-create", {"include": "meta"}, None),
        PARSED_FUNCTION,
    ),
    "functions.get predicted": (
        lambda c: c.functions.get("desk-create", predict_arguments=True, prompt="create x"),
        PREDICTED,
        ("GET", "/functions/desk-create", {"predict_arguments": "true", "prompt": "create x"}, None),
        sc.Function(
            name="desk-create",
            description="Create.",
            type="mutation",
            parameters=PARSED_FUNCTION.parameters,
            arguments={"title": "x"},
            prediction=sc.Prediction(confidence=0.5, evidence={"title": "x"}),
        ),
    ),
    "functions.get with choices": (
        lambda c: c.functions.get("desk-create", predict_arguments=True, prompt="create x", connected_account_id=4),
        FUNCTION | {"prediction": {"confidence": 0.5, "choices": {"title": [{"value": 7, "label": "X"}]}}},
        (
            "GET",
            "/functions/desk-create",
            {"predict_arguments": "true", "prompt": "create x", "connected_account_id": "4"},
            None,
        ),
        sc.Function(
            name="desk-create",
            description="Create.",
            type="mutation",
            parameters=PARSED_FUNCTION.parameters,
            prediction=sc.Prediction(confidence=0.5, choices={"title": (sc.ValueChoice(value=7, label="X"),)}),
        ),
    ),
    "functions.predict": (
        lambda c: c.functions.predict(
            "create x", arguments=True, app="desk", type="mutation", connected_only=True, include="meta"
        ),
        {"functions": [FUNCTION], "cursor": ""},
        (
            "GET",
            "/functions",
            {
                "predict_function": "true",
                "predict_arguments": "true",
                "prompt": "create x",
                "app": "desk",
                "type": "mutation",
                "connected_only": "true",
                "include": "meta",
            },
            None,
        ),
        PARSED_FUNCTION,
    ),
    "functions.predict nothing": (
        lambda c: c.functions.predict("sing"),
        {"functions": [], "cursor": ""},
        ("GET", "/functions", {"predict_function": "true", "prompt": "sing"}, None),
        None,
    ),
    "functions.call": (
        lambda c: c.functions.call("desk-create", {"title": "x"}, connected_account_id=4, idempotency_key="k"),
        RESULT,
        ("POST", "/functions/desk-create", {"connected_account_id": "4"}, {"title": "x"}),
        PARSED_RESULT,
    ),
    "functions.call without arguments": (
        lambda c: c.functions.call("desk-list", connected_account_id="4"),
        {"network_code": "200", "output": [], "next_page": ""},
        ("POST", "/functions/desk-list", {"connected_account_id": "4"}, {}),
        sc.ExecutedCall(network_code="200", output=[], next_page="", function="desk-list"),
    ),
    "functions.passthrough": (
        lambda c: c.functions.passthrough("desk", "PUT", "/me", {"a": None}, connected_account_id=4),
        RESULT,
        (
            "POST",
            "/desk-passthrough-request",
            {"connected_account_id": "4"},
            {"method": "PUT", "url": "/me", "body": {"a": None}},
        ),
        evolve(PARSED_RESULT, function="desk-passthrough-request"),
    ),
    "functions.passthrough without body": (
        lambda c: c.functions.passthrough("desk", "GET", "/me"),
        RESULT,
        ("POST", "/desk-passthrough-request", {}, {"method": "GET", "url": "/me"}),
        evolve(PARSED_RESULT, function="desk-passthrough-request"),
    ),
    "connected_accounts.list": (
        lambda c: c.connected_accounts.list("desk"),
        APP,
        ("GET", "/apps/desk", {}, None),
        (ACCOUNT,),
    ),
    "connected_accounts.disconnect one": (
        lambda c: c.connected_accounts.disconnect("desk", 4),
        None,
        ("DELETE", "/apps/desk/connected_accounts/4", {}, None),
        None,
    ),
    "connected_accounts.disconnect the only": (
        lambda c: c.connected_accounts.disconnect("desk"),
        None,
        ("DELETE", "/apps/desk/connected_accounts", {}, None),
        None,
    ),
    "connect_sessions.create": (
        lambda c: c.connect_sessions.create("desk"),
        SESSION,
        ("POST", "/apps/desk/connect_sessions", {}, {}),
        PARSED_SESSION,
    ),
    "connect_sessions.create to reconnect by redirect": (
        lambda c: c.connect_sessions.create("desk", redirect_url="http://host.test/", connected_account_id=4),
        SESSION,
        ("POST", "/apps/desk/connect_sessions", {}, {"redirect_url": "http://host.test/", "connected_account_id": 4}),
        PARSED_SESSION,
    ),
    "connect_sessions.get": (
        lambda c: c.connect_sessions.get("s1", wait=25),
        STATE,
        ("GET", "/connect_sessions/s1", {"wait": "25"}, None),
        sc.ConnectSessionState(status="connected", connected_account_id=4),
    ),
    "connect_sessions.wait": (
        lambda c: c.connect_sessions.wait("s1"),
        STATE,
        ("GET", "/connect_sessions/s1", {"wait": "25"}, None),
        sc.ConnectSessionState(status="connected", connected_account_id=4),
    ),
    "connect_sessions.redeem": (
        lambda c: c.connect_sessions.redeem("s1", "code"),
        STATE,
        ("POST", "/connect_sessions/s1/redeem", {}, {"code": "code"}),
        sc.ConnectSessionState(status="connected", connected_account_id=4),
    ),
    "connect_sessions.cancel": (
        lambda c: c.connect_sessions.cancel("s1"),
        None,
        ("DELETE", "/connect_sessions/s1", {}, None),
        None,
    ),
    "files.upload": (
        lambda c: c.files.upload(b'{"a": 1}', name="a.json"),
        FILE,
        ("POST", "/files", {"name": "a.json"}, {"a": 1}),
        PARSED_FILE,
    ),
    "files.delete": (lambda c: c.files.delete("file_1"), None, ("DELETE", "/files/file_1", {}, None), None),
    "session_tokens.create": (
        lambda c: c.session_tokens.create(),
        {"token": "t", "expires_at": "2030-01-01T00:00:00.000000Z"},
        ("POST", "/session_tokens", {}, {}),
        sc.SessionToken(token="t", expires_at=datetime(2030, 1, 1, tzinfo=UTC)),
    ),
    "session_tokens.create narrowed": (
        lambda c: c.session_tokens.create(
            expires_in=60, functions=("desk-create",), apps=["desk"], origin="http://host.test"
        ),
        {"token": "t", "expires_at": "2030-01-01T00:00:00.000000Z"},
        (
            "POST",
            "/session_tokens",
            {},
            {"expires_in": 60, "functions": ["desk-create"], "apps": ["desk"], "origin": "http://host.test"},
        ),
        sc.SessionToken(token="t", expires_at=datetime(2030, 1, 1, tzinfo=UTC)),
    ),
}


def answered(driver: Driver, answers: list[Any]) -> Any:
    """Return a transport that gives these answers in turn; None is an empty 204."""
    waiting = list(answers)

    def handler(request: HttpRequest) -> Response:
        answer = waiting.pop(0)
        return Response(204) if answer is None else Response.of_json(answer)

    return driver.memory(handler)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_method_asks_and_reads_as_the_contract_says(driver: Driver, case: Case) -> None:
    """Verb, path, query and body are those of the contract, and the answer becomes the resource."""
    step, answer, asked, expected = case
    transport = answered(driver, [answer])

    assert expected == driver.run("http://service.test", step, **KNOWN, transport=transport)
    (request,) = transport.requests
    assert asked == (request.method, request.path, request.query, request.json)


def test_every_method_has_a_case() -> None:
    """No method of a resource goes untested."""
    client = sc.Client("http://service.test", **KNOWN)
    methods = {
        f"{noun}.{name}"
        for noun, resource in vars(client).items()
        if not noun.startswith("_")
        for name in dir(type(resource))
        if isinstance(inspect.getattr_static(resource, name), (listed, operation, paged))
    }
    client.close()
    in_other_tests = {"files.download", "functions.call_many", "functions.call_pages", "functions.items"}

    assert methods == {name.split(" ")[0] for name in CASES} | in_other_tests


def test_a_call_sends_its_idempotency_key(driver: Driver) -> None:
    """Calls and passthrough requests can be made safe to repeat."""
    transport = answered(driver, [RESULT, RESULT])
    options = {**KNOWN, "transport": transport}
    driver.run("http://service.test", lambda c: c.functions.call("desk-create", {}, idempotency_key="k1"), **options)
    driver.run(
        "http://service.test", lambda c: c.functions.passthrough("desk", "GET", "/me", idempotency_key="k2"), **options
    )

    assert ["k1", "k2"] == [request.headers["Idempotency-Key"] for request in transport.requests]


def test_a_long_poll_has_more_time(driver: Driver) -> None:
    """`wait` is added to the client's timeout."""
    transport = answered(driver, [STATE])
    driver.run(
        "http://service.test",
        lambda c: c.connect_sessions.get("s1", wait=25),
        **KNOWN,
        timeout=5.0,
        transport=transport,
    )

    assert transport.requests[0].timeout == 30.0


def test_methods_show_their_parameters_and_documentation() -> None:
    """Help and completion see each method as it is called: bound, with its own names and text."""
    with sc.Client("http://service.test", **KNOWN) as client:
        method = client.functions.call

        assert ["name", "arguments", "connected_account_id", "include", "idempotency_key", "timeout"] == list(
            inspect.signature(method).parameters
        )
        assert method.__name__ == "call"
        assert (method.__doc__ or "").strip().startswith("Call a function")
        assert not inspect.iscoroutinefunction(method)


def test_the_awaiting_methods_are_coroutine_functions() -> None:
    """Frameworks that tell by inspection see what must be awaited."""
    client = sc.AsyncClient("http://service.test", **KNOWN)

    assert inspect.iscoroutinefunction(client.functions.call)
    assert not inspect.iscoroutinefunction(client.functions.list)


def test_an_executed_call_raises_nothing(driver: Driver) -> None:
    """Whatever the third-party app answered is a result."""
    transport = answered(driver, [{"network_code": "504", "output": {"error": "x"}}])
    result = driver.run("http://service.test", lambda c: c.functions.call("desk-create"), **KNOWN, transport=transport)

    assert sc.ExecutedCall(network_code="504", output={"error": "x"}, function="desk-create") == result
    assert not result.succeeded
