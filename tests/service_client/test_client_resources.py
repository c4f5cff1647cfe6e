"""Every method of the API: what it sends and what it makes of the answer, blocking and awaiting."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

import service_client as sc
from service_client.testing import Response
from tests.service_client.conftest import KNOWN, Driver, methods_of

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
PREDICTION = {
    "confidence": 0.5,
    "evidence": {"title": "x"},
    "choices": {"title": [{"value": 7, "label": "X"}]},
}
PARSED_PREDICTION = sc.Prediction(
    confidence=0.5, evidence={"title": "x"}, choices={"title": (sc.ValueChoice(value=7, label="X"),)}
)
RESULT = {"network_code": "201", "output": {"id": 7}}
PARSED_RESULT = sc.ExecutedCall(network_code="201", output={"id": 7}, function="desk-create")
PARSED_PASSTHROUGH = evolve(PARSED_RESULT, function="desk-passthrough-request")
SESSION = {"id": "s1", "url": "http://service.test/connect/s1", "expires_at": "2030-01-01T00:00:00.000000Z"}
PARSED_SESSION = sc.ConnectSession(id="s1", url=SESSION["url"], expires_at=datetime(2030, 1, 1, tzinfo=UTC))
FILE = {"id": "file_1", "name": "a.json", "size": 8, "media_type": "application/json"}
STATE = {"status": "connected", "connected_account_id": 4, "error": None}
PARSED_STATE = sc.ConnectSessionState(status="connected", connected_account_id=4)
TOKEN = {"token": "t", "expires_at": SESSION["expires_at"]}
PARSED_TOKEN = sc.SessionToken(token="t", expires_at=PARSED_SESSION.expires_at)

Case = tuple[Callable[[Any], Any], Any, str, Any, Any]

CASES: dict[str, Case] = {
    "apps.get": (lambda c: c.apps.get("desk"), APP, "GET /apps/desk", None, PARSED_APP),
    "apps.list": (
        lambda c: c.apps.list(connected_only=True, cursor="c1"),
        {"apps": [APP], "cursor": ""},
        *("GET /apps?connected_only=true&cursor=c1", None, [PARSED_APP]),
    ),
    "functions.list": (
        lambda c: c.functions.list(app="desk", type="mutation", connected_only=True, include="meta", cursor="c1"),
        {"functions": [FUNCTION], "cursor": ""},
        "GET /functions?app=desk&type=mutation&connected_only=true&include=meta&cursor=c1",
        *(None, [PARSED_FUNCTION]),
    ),
    "functions.get": (
        lambda c: c.functions.get("desk-create", include="meta"),
        *(FUNCTION, "GET /functions/desk-create?include=meta", None, PARSED_FUNCTION),
    ),
    "functions.get predicted": (
        lambda c: c.functions.get("desk-create", predict_arguments=True, prompt="create x", connected_account_id=4),
        FUNCTION | {"arguments": {"title": "x"}, "prediction": PREDICTION},
        "GET /functions/desk-create?predict_arguments=true&prompt=create%20x&connected_account_id=4",
        *(None, evolve(PARSED_FUNCTION, arguments={"title": "x"}, prediction=PARSED_PREDICTION)),
    ),
    "functions.predict": (
        lambda c: c.functions.predict(
            "create x", arguments=True, app="desk", type="mutation", connected_only=True, include="meta"
        ),
        {"functions": [FUNCTION], "cursor": ""},
        "GET /functions?predict_function=true&predict_arguments=true&prompt=create%20x"
        "&app=desk&type=mutation&connected_only=true&include=meta",
        *(None, PARSED_FUNCTION),
    ),
    "functions.predict nothing": (
        lambda c: c.functions.predict("sing"),
        {"functions": [], "cursor": ""},
        *("GET /functions?predict_function=true&prompt=sing", None, None),
    ),
    "functions.call": (
        lambda c: c.functions.call("desk-create", {"title": "x"}, connected_account_id=4, idempotency_key="k"),
        *(RESULT, "POST /functions/desk-create?connected_account_id=4", {"title": "x"}, PARSED_RESULT),
    ),
    "functions.call without arguments": (
        lambda c: c.functions.call("desk-list", connected_account_id="4"),
        {"network_code": "200", "output": [], "next_page": ""},
        *("POST /functions/desk-list?connected_account_id=4", {}),
        sc.ExecutedCall(network_code="200", output=[], next_page="", function="desk-list"),
    ),
    "functions.passthrough": (
        lambda c: c.functions.passthrough("desk", "PUT", "/me", {"a": None}, connected_account_id=4),
        *(RESULT, "POST /desk-passthrough-request?connected_account_id=4"),
        *({"method": "PUT", "url": "/me", "body": {"a": None}}, PARSED_PASSTHROUGH),
    ),
    "functions.passthrough without body": (
        lambda c: c.functions.passthrough("desk", "GET", "/me"),
        *(RESULT, "POST /desk-passthrough-request", {"method": "GET", "url": "/me"}, PARSED_PASSTHROUGH),
    ),
    "connected_accounts.list": (
        lambda c: c.connected_accounts.list("desk"),
        *(APP, "GET /apps/desk", None, (ACCOUNT,)),
    ),
    "connected_accounts.disconnect one": (
        lambda c: c.connected_accounts.disconnect("desk", 4),
        *(None, "DELETE /apps/desk/connected_accounts/4", None, None),
    ),
    "connected_accounts.disconnect the only": (
        lambda c: c.connected_accounts.disconnect("desk"),
        *(None, "DELETE /apps/desk/connected_accounts", None, None),
    ),
    "connect_sessions.create": (
        lambda c: c.connect_sessions.create("desk"),
        *(SESSION, "POST /apps/desk/connect_sessions", {}, PARSED_SESSION),
    ),
    "connect_sessions.create to reconnect by redirect": (
        lambda c: c.connect_sessions.create("desk", redirect_url="http://host.test/", connected_account_id=4),
        *(SESSION, "POST /apps/desk/connect_sessions"),
        *({"redirect_url": "http://host.test/", "connected_account_id": 4}, PARSED_SESSION),
    ),
    "connect_sessions.get": (
        lambda c: c.connect_sessions.get("s1", wait=25),
        *(STATE, "GET /connect_sessions/s1?wait=25", None, PARSED_STATE),
    ),
    "connect_sessions.redeem": (
        lambda c: c.connect_sessions.redeem("s1", "code"),
        *(STATE, "POST /connect_sessions/s1/redeem", {"code": "code"}, PARSED_STATE),
    ),
    "connect_sessions.cancel": (
        lambda c: c.connect_sessions.cancel("s1"),
        *(None, "DELETE /connect_sessions/s1", None, None),
    ),
    "files.upload": (
        lambda c: c.files.upload(b'{"a": 1}', name="a.json"),
        FILE | {"expires_at": SESSION["expires_at"]},
        *("POST /files?name=a.json", {"a": 1}, sc.File(**FILE, expires_at=PARSED_SESSION.expires_at)),
    ),
    "files.delete": (lambda c: c.files.delete("file_1"), None, "DELETE /files/file_1", None, None),
    "session_tokens.create": (
        lambda c: c.session_tokens.create(),
        *(TOKEN, "POST /session_tokens", {}, PARSED_TOKEN),
    ),
    "session_tokens.create narrowed": (
        lambda c: c.session_tokens.create(expires_in=60, functions=("a-b",), apps=["a"], origin="http://host.test"),
        *(TOKEN, "POST /session_tokens"),
        {"expires_in": 60, "functions": ["a-b"], "apps": ["a"], "origin": "http://host.test"},
        PARSED_TOKEN,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_method_asks_and_reads_as_the_contract_says(driver: Driver, case: Case) -> None:
    """Verb, path, query and body are those of the contract, and the answer becomes the resource."""
    step, answer, asked, body, expected = case
    transport = driver.memory(lambda request: Response(204) if answer is None else Response.of_json(answer))

    assert expected == driver.run("http://service.test", step, **KNOWN, timeout=5.0, transport=transport)
    (request,) = transport.requests
    assert asked == f"{request.method} {request.url.removeprefix('http://service.test')}"
    assert body == request.json
    if request.method == "GET":
        assert 5.0 + float(request.query.get("wait", 0)) == request.timeout


def test_every_method_has_a_case() -> None:
    """No method of a resource goes untested."""
    client = sc.Client("http://service.test", **KNOWN)
    client.close()
    in_other_tests = {
        "connect_sessions.wait",
        "files.download",
        "functions.call_many",
        "functions.call_pages",
        "functions.items",
    }

    assert set(methods_of(client)) == {name.split(" ")[0] for name in CASES} | in_other_tests


def test_a_call_sends_its_idempotency_key(driver: Driver) -> None:
    """Calls and passthrough requests can be made safe to repeat."""
    transport = driver.memory(lambda request: Response.of_json(RESULT))
    for step in (
        lambda c: c.functions.call("desk-create", {}, idempotency_key="k1"),
        lambda c: c.functions.passthrough("desk", "GET", "/me", idempotency_key="k2"),
    ):
        driver.run("http://service.test", step, **KNOWN, transport=transport)

    assert ["k1", "k2"] == [request.headers["Idempotency-Key"] for request in transport.requests]


def test_methods_show_their_parameters_and_documentation(driver: Driver) -> None:
    """Help, completion and frameworks see each method as it is called: bound, with its names and text, and its kind."""
    transport = driver.memory(lambda request: Response(204))
    functions = driver.client_type("http://service.test", **KNOWN, transport=transport).functions

    assert ["name", "arguments", "connected_account_id", "include", "idempotency_key", "timeout"] == list(
        inspect.signature(functions.call).parameters
    )
    assert "call" == functions.call.__name__
    assert functions.call.__doc__.strip().startswith("Call a function")
    assert (driver.client_type is sc.AsyncClient) == inspect.iscoroutinefunction(functions.call)
    assert not inspect.iscoroutinefunction(functions.list)
