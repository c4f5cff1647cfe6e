"""Calling a function, against the real service and the real sandbox app."""

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.log_and_errors import code_of, logged, refused
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "urgent": True, "labels": ["bug", "hot"]}
FIELDS = {"severity": "high", "page_views": 12, "reproducible": True}


def test_a_mutation_happens_in_the_users_account(
    alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService
) -> None:
    """The arguments arrive typed, with the user's credentials, and the app's answer is relayed and logged."""
    response = alice.post("/functions/sandbox-create-ticket/", json={**TICKET, "fields": FIELDS})
    (request,) = sandbox.received("/api/v1/tickets")
    (row,) = logged(running_service.data_directory, response.headers["request-id"])

    assert 200 == response.status_code
    assert {"network_code", "output"} == set(response.json())
    assert "201" == response.json()["network_code"]
    assert "Printer on fire" == response.json()["output"]["title"]
    assert {**TICKET, "fields": FIELDS} == request["body"]
    assert {"kind": "oauth", "user": "alice"} == request["auth"]
    assert ("finished", "201") == (row["outcome"], row["network_code"])
    assert "Printer on fire" == json.loads(row["arguments"])["title"] == json.loads(row["output"])["title"]
    assert [] == refused(running_service.data_directory, response.headers["request-id"])


def test_what_came_of_a_call_is_told_where_it_is_asked_for(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """With `include=outcome` the function's words come along, also in a batch; of a refusal of the app they don't."""
    path, asked = "/functions/sandbox-create-ticket", {"include": "outcome"}
    ticket = {**TICKET, "fields": FIELDS}
    result = alice.post(path, json=ticket, params=asked).json()
    (line,) = alice.post(f"{path}/batch", json={"arguments": [ticket]}, params=asked).text.splitlines()
    sandbox.fault("/api/v1/tickets", "server_error", status=503)
    refusal = alice.post(path, json=ticket, params=asked).json()
    wrong = alice.post(path, json=ticket, params={"include": "meta"})

    assert f"Ticket {result['output']['id']} created" == result["outcome"]["title"]
    assert {"title": "Title", "value": "Printer on fire"} in result["outcome"]["facts"]
    assert "link" not in result["outcome"]
    assert json.loads(line)["outcome"]["title"].startswith("Ticket ")
    assert ("503", None) == (refusal["network_code"], refusal.get("outcome"))
    assert (400, "enum", "include") == code_of(wrong)


def test_the_same_call_as_a_form(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """A form-encoded body makes the same call: booleans, lists, objects and numbers by the schema."""
    form = "title=Printer+on+fire&project_id=website&urgent=true&labels=bug&labels=hot"
    form += "&fields[severity]=high"
    response = alice.post(
        "/functions/sandbox-create-ticket", content=form, headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    (request,) = sandbox.received("/api/v1/tickets")

    assert "201" == response.json()["network_code"], response.text
    assert {**TICKET, "fields": {"severity": "high"}} == request["body"]


def test_a_source_function_needs_no_arguments(alice: httpx.Client) -> None:
    """An empty body of any content type does; Server-Timing names the service's own time beside the app's."""
    response = alice.post("/functions/sandbox-list-projects/", headers={"Content-Type": "text/plain"})
    timing = response.headers["server-timing"].split(",")

    assert 200 == response.status_code
    assert {"website", "billing"} <= {project["id"] for project in response.json()["output"]}
    assert ["service", "upstream", "total"] == [part.partition(";")[0].strip() for part in timing]


def test_pages_end(alice: httpx.Client) -> None:
    """Where the app can't say whether more exist, the last cursor leads to an empty page; others have no cursor."""
    pages, next_page = [], ""
    while next_page or not pages:
        body = alice.post("/functions/sandbox-list-events", json={"next_page": next_page}).json()
        pages, next_page = [*pages, body["output"]], body["next_page"]
    *full, empty = pages

    assert ([], True, 20) == (empty, all(full), sum(map(len, full)))
    assert "next_page" not in alice.post("/functions/sandbox-list-labels").json()


def test_bad_bodies_are_refused(alice: httpx.Client) -> None:
    """Malformed, foreign and oversized bodies get a clear code and lose nothing."""
    malformed = [b'{"title": ', b'["title"]', b'{"title": NaN}', b'{"title": "\\ud800"}', b"\xff\xfe", b"[" * 20_000]
    bodies = [(content, "application/json", 400, "malformed_body") for content in malformed]
    bodies += [
        (b"<ticket/>", "text/xml", 415, "unsupported_media_type"),
        (b"--x", "multipart/form-data; boundary=x", 415, "unsupported_media_type"),
        (b'{"title": "' + b"x" * 1_100_000 + b'"}', "application/json", 413, "body_too_large"),
    ]
    for content, kind, status, code in bodies:
        response = alice.post("/functions/sandbox-create-ticket", content=content, headers={"Content-Type": kind})
        assert (status, code, None) == code_of(response), content[:20]
    assert "The body is larger than 1,048,576 bytes. Files are uploaded by POST /files." == response.json()["error"]


def test_methods_and_paths_have_limits(alice: httpx.Client) -> None:
    """A wrong verb and an unknown function are told apart."""
    assert (405, "method_not_allowed", None) == code_of(alice.put("/functions/sandbox-list-labels"))
    assert (404, "unknown_function", None) == code_of(alice.post("/functions/sandbox-nothing"))
    assert (404, "unknown_function", None) == code_of(alice.post("/nothing-passthrough-request"))


def test_calls_with_one_key_at_the_same_time_happen_once(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """While the first is under way the others wait for its result."""
    assert alice
    sandbox.fault("/api/v1/tickets", "slow", seconds=1)
    ticket = {"title": "Once only", "project_id": "documentation"}

    def call(_: int) -> object:
        with running_service.api("alice", **{"Idempotency-Key": "race"}) as client:
            return client.post("/functions/sandbox-create-ticket", json=ticket).json()

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(call, range(8))

    assert 1 == len(sandbox.received("/api/v1/tickets"))
    assert [first] * 7 == others


def test_passthrough_reaches_the_apps_own_api(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Both paths of the passthrough function make the same call, with relative and absolute URLs."""
    own, path = {"method": "GET", "url": "/me"}, "/sandbox-passthrough-request"
    create = {"method": "POST", "url": f"{sandbox.url}/api/v1/tickets", "body": {**TICKET, "fields": FIELDS}}
    relative = alice.post(path, json=own).json()
    absolute = alice.post(f"/functions{path}/", json=create).json()
    wrong = alice.post(path, json={"method": "BREW"}).json()["error_details"]

    assert ("200", "u-alice") == (relative["network_code"], relative["output"]["id"])
    assert "201" == absolute["network_code"]
    assert "next_page" not in relative
    assert {("url", "required"), ("method", "enum")} == {(each["field"], each["code"]) for each in wrong}
