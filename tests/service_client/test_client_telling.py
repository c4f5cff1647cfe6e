"""What calls tell: their results to the program, versions to the service, and progress to the log."""

import inspect
import logging
import re
from typing import Any

import pytest

import service_client as sc
from service_client.testing import HttpRequest, Response
from tests.service_client.conftest import KNOWN, Driver, methods_of


def test_an_answer_tells_its_request(driver: Driver) -> None:
    """Of a page `request_id`, of a call `replayed` too; they do not make the same answer another one."""
    pages = [{"Request-Id": "r-1"}, {"Request-Id": "r-2"}]
    calls = [{"Request-Id": "r-3"}, {"Request-Id": "r-4", "Idempotency-Replayed": "true"}]

    def handler(request: HttpRequest) -> Response:
        if request.method == "GET":
            return Response.of_json({"apps": [], "cursor": "c" if len(pages) > 1 else ""}, headers=pages.pop(0))
        return Response.of_json({"network_code": "201", "output": {"id": 7}}, headers=calls.pop(0))

    options = {**KNOWN, "transport": driver.memory(handler)}
    listed_pages = driver.run("http://service.test", lambda c: c.apps.list().iter_pages(), **options)
    first, second = [
        driver.run("http://service.test", lambda c: c.functions.call("a-b", idempotency_key="k"), **options)
        for _ in range(2)
    ]

    assert ["r-1", "r-2"] == [page.request_id for page in listed_pages]
    assert [("r-3", False), ("r-4", True)] == [(each.request_id, each.replayed) for each in (first, second)]
    assert first == second


@pytest.mark.parametrize("code", ["200", "204", "301", "404", "502", ""])
def test_everything_but_a_success_raises_for_failure(code: str) -> None:
    """It says which function it was and where the reason stands; a success comes back, to go on with."""
    call = sc.ExecutedCall(network_code=code, output={"error": "x"}, function="a-b")
    if code.startswith("2"):
        assert call is call.raise_for_failure()
        return
    with pytest.raises(sc.OnwardCallError, match=r"a-b was executed.*\.result\.output") as caught:
        call.raise_for_failure()
    assert call is caught.value.result


def test_every_method_takes_a_timeout(driver: Driver) -> None:
    """The seconds given to one method are those of its requests; only a wait's are those of the whole wait."""
    seen: list[float] = []

    def handler(request: HttpRequest) -> Response:
        seen.append(request.timeout)
        raise sc.ServiceTimeoutError("late")

    client = driver.client_type("http://service.test", **KNOWN, transport=driver.memory(handler))
    methods = methods_of(client)
    del methods["connect_sessions.wait"]
    assert len(methods) > 12
    sets: dict[str, object] = {"arguments": [{}], "file": b""}  # what is needed elsewhere is a text
    for name, method in methods.items():
        needed = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
        with pytest.raises(sc.ServiceTimeoutError):
            driver.finish(method(*[sets.get(each.name, "x") for each in needed], timeout=3.0))
        assert 3.0 == seen.pop(), name


@pytest.mark.parametrize(
    "options",
    [{"app_key": "key", "user_id": "private-user", "secret": "private-secret"}, {"token": "private-token"}],
    ids=["secret", "token"],
)
def test_the_log_tells_requests_and_no_secret(
    driver: Driver, caplog: pytest.LogCaptureFixture, options: dict[str, Any]
) -> None:
    """At DEBUG the logger `service_client` tells verb, address, status and request; nothing private is among it."""
    answers = [
        Response.of_json({"error": "private-answer"}, 429, {"Retry-After": "2", "Request-Id": "r-1"}),
        Response.of_json({"network_code": "200", "output": "private-output"}, headers={"Request-Id": "r-2"}),
    ]
    transport = driver.memory(lambda request: answers.pop(0))
    with caplog.at_level(logging.DEBUG, logger="service_client"):
        driver.run(
            "http://service.test/api",
            lambda c: c.functions.call(
                "desk-create",
                {"title": "private-title"},
                connected_account_id="private-4",
                idempotency_key="private-key",
            ),
            **options,
            transport=transport,
        )

    messages = [record.getMessage() for record in caplog.records if record.name == "service_client"]
    assert messages == [
        "POST http://service.test/api/functions/desk-create: HTTP 429, request r-1",
        "waiting 2.0 seconds before the next request",
        "POST http://service.test/api/functions/desk-create: HTTP 200, request r-2",
    ]
    shown = " ".join(str(vars(record)) for record in caplog.records if record.name == "service_client")
    hashed = sc.sign("private-user", "private-secret")
    assert not re.search(rf"private-(secret|token|title|output|answer|key|user|4)|{hashed}", shown)


def test_the_log_tells_of_requests_without_an_answer(driver: Driver, caplog: pytest.LogCaptureFixture) -> None:
    """What failed is told by its kind; the prompt in the query stays out."""

    def handler(request: HttpRequest) -> Response:
        raise sc.ServiceTimeoutError("late")

    with caplog.at_level(logging.DEBUG, logger="service_client"), pytest.raises(sc.ServiceTimeoutError):
        driver.run(
            "http://service.test", lambda c: c.functions.predict("private"), **KNOWN, transport=driver.memory(handler)
        )

    messages = [record.getMessage() for record in caplog.records if record.name == "service_client"]
    assert ["GET http://service.test/functions: ServiceTimeoutError"] == messages
