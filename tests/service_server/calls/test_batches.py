"""Batches: one function with many sets of arguments, each of which is a call of its own."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from service_client import AsyncClient, CallRefusedError, Client, ExecutedCall, InvalidArgumentError
from service_server.rest.batches import as_line
from tests.examples.processes import SandboxApp
from tests.service_server.calls.log_and_errors import code_of, logged
from tests.service_server.clients import Clients, everything
from tests.service_server.processes import RunningService, service

pytestmark = pytest.mark.slow

PATH = "/functions/sandbox-create-ticket/batch"
TICKETS = "/api/v1/tickets"


def tickets(count: int) -> list[dict[str, Any]]:
    """Sets of arguments that can be told from each other."""
    return [{"title": f"Ticket {number}", "project_id": "documentation"} for number in range(count)]


def lines_of(response: httpx.Response) -> list[dict[str, Any]]:
    """The lines of an answer."""
    assert (200, "application/x-ndjson") == (response.status_code, response.headers["content-type"])
    return [json.loads(line) for line in response.text.splitlines()]


def test_each_set_is_a_call_and_a_refused_one_ends_no_other(
    alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService
) -> None:
    """Lines come in the order of the sets; each executed one is in the log and in the app, once."""
    sets: list[Any] = tickets(30)
    sets[3], sets[20] = {"title": 7}, "no object"
    response = alice.post(PATH, json={"arguments": sets})
    lines = lines_of(response)
    told = [line["error_details"][0]["code"] if line["status"] == 400 else line["output"]["title"] for line in lines]
    expected = [f"Ticket {number}" for number in range(30)]
    expected[3], expected[20] = "required", "type"

    assert list(range(30)) == [line["index"] for line in lines]
    assert expected == told
    assert {"201"} == {line["network_code"] for line in lines if line["status"] == 200}
    assert 28 == len(sandbox.received(TICKETS))
    assert 28 == len(logged(running_service.data_directory, response.headers["request-id"]))


def test_an_answer_over_several_lines_is_one_line() -> None:
    """Apps may write their JSON for people."""
    line = as_line(2, 200, {"replayed": True}, b'{"network_code":"200","output":{\r\n  "a": "b\\nc"\n}}')
    expected = {"index": 2, "status": 200, "replayed": True, "network_code": "200", "output": {"a": "b\nc"}}

    assert 1 == len(line.splitlines())
    assert expected == json.loads(line)


def test_a_repeated_batch_is_answered_without_happening_again(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Each set has a key of its own; a set that is another one by now is refused."""
    headers = {"Idempotency-Key": "batch"}
    first = lines_of(alice.post(PATH, json={"arguments": tickets(4)}, headers=headers))
    changed = [*tickets(3), {"title": "Other", "project_id": "documentation"}]
    second = lines_of(alice.post(PATH, json={"arguments": changed}, headers=headers))

    assert [{**line, "replayed": True} for line in first[:3]] == second[:3]
    assert (409, "idempotency_conflict") == (second[3]["status"], second[3]["error_details"][0]["code"])
    assert 4 == len(sandbox.received(TICKETS))


def test_a_caller_who_leaves(alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService) -> None:
    """What was begun ends, in the app as in the log; the rest is not begun."""
    with alice.stream("POST", PATH, json={"arguments": tickets(100)}) as response:
        assert json.loads(next(response.iter_lines()))["index"] == 0
    before, sent = -1, 0
    while before != sent:
        time.sleep(1)
        before, sent = sent, len(sandbox.received(TICKETS))
    rows = logged(running_service.data_directory, response.headers["request-id"])

    assert 1 <= sent < 100
    assert sent == len(rows)
    assert {"finished"} == {row["outcome"] for row in rows}


def test_what_is_no_batch(alice: httpx.Client) -> None:
    """It is refused as a whole, as is one of an unknown function or with a key that is too long."""
    wrong: list[tuple[Any, tuple[Any, ...]]] = [
        ({}, (400, "required", "arguments")),
        *(({"arguments": each}, (400, "type", "arguments")) for each in ([], [{}] * 101, {})),
        ({"arguments": [{}], "title": "A"}, (400, "unknown_parameter", "title")),
        ({"arguments": [{"title": "x" * 1_100_000}]}, (413, "body_too_large", None)),
    ]
    for body, expected in wrong:
        assert expected == code_of(alice.post(PATH, json=body))
    long = alice.post(PATH, json={"arguments": [{}]}, headers={"Idempotency-Key": "k" * 253})
    assert (400, "format", None) == code_of(long)
    assert 404 == alice.post("/functions/sandbox-nothing/batch", json={"arguments": [{}]}).status_code


def test_every_set_counts_towards_the_limits(tmp_path: Path) -> None:
    """Those for which there is no room soon are told when to come back; with one call at a time a batch gets on."""
    limits = {"SERVICE_RATE_LIMIT_PER_MINUTE": "1", "SERVICE_CALLS_AT_ONCE": "1"}
    with service(tmp_path, env=limits) as limited, limited.api("alice") as api:
        lines = lines_of(api.post(PATH, json={"arguments": tickets(3)}))
    with service(tmp_path / "other", env={"SERVICE_CALLS_AT_ONCE": "1"}) as narrow, narrow.api("alice") as api:
        one_by_one = lines_of(api.post(PATH, json={"arguments": tickets(20)}))

    codes = [(line["status"], line["error_details"][0]["code"]) for line in lines]
    assert [(400, "not_connected"), (429, "rate_limited"), (429, "rate_limited")] == codes
    assert all(30 < line["retry_after"] <= 60 for line in lines[1:])
    assert {"not_connected"} == {line["error_details"][0]["code"] for line in one_by_one}


@pytest.mark.parametrize("kind", [Client, AsyncClient])
async def test_call_many(kind: Any, alice: httpx.Client, running_service: RunningService, sandbox: SandboxApp) -> None:
    """Both clients yield what came of each set, in several requests, and send no more than is asked for."""
    assert alice
    clients = Clients(kind, running_service.url, running_service.app_key, running_service.app_secret)
    sets = [*tickets(4), {"title": 7}]
    async with clients.of("alice") as client:
        key = f"many of {kind.__name__}"
        many = {"at_a_time": 2, "idempotency_key": key}
        outcomes = await everything(client.functions.call_many("sandbox-create-ticket", sets, **many))
        again = await everything(client.functions.call_many("sandbox-create-ticket", sets, **many))
        assert [] == await everything(client.functions.call_many("sandbox-create-ticket", []))
        with pytest.raises(InvalidArgumentError):
            await everything(client.functions.call_many("sandbox-create-ticket", sets, at_a_time=101))
        with pytest.raises(InvalidArgumentError):
            await everything(client.functions.call_many("sandbox-create-ticket", [*sets, "title"]))

    assert [f"Ticket {number}" for number in range(4)] == [each.output["title"] for each in outcomes[:4]]
    assert [True] * 4 == [isinstance(each, ExecutedCall) and each.replayed for each in again[:4]]
    assert isinstance(outcomes[4], CallRefusedError)
    assert 4 == len(sandbox.received(TICKETS))
