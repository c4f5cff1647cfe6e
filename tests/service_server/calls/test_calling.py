"""Rules 1 to 5 of calling a function, against the real service and the real sandbox app."""

import json
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import code_of, expire_tokens, logged, make_fault, received, refused
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "urgent": True, "labels": ["bug", "hot"]}
FIELDS = {"severity": "high", "page_views": 12, "reproducible": True}


def test_a_mutation_happens_in_the_users_account(
    alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService
) -> None:
    """The arguments arrive typed, with the user's credentials, and the app's answer is relayed and logged (rule 2)."""
    response = alice.post("/functions/sandbox-create-ticket/", json={**TICKET, "fields": FIELDS})
    (request,) = received(sandbox, "/api/v1/tickets")
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
    make_fault(sandbox, "/api/v1/tickets", "server_error", status=503)
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
    (request,) = received(sandbox, "/api/v1/tickets")

    assert "201" == response.json()["network_code"], response.text
    assert {**TICKET, "fields": {"severity": "high"}} == request["body"]


def test_a_failed_onward_call_is_still_executed(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Rule 3: 200 relays the app's own failure; network_code tells."""
    response = alice.post("/functions/sandbox-create-ticket", json=TICKET)

    assert 200 == response.status_code
    assert "422" == response.json()["network_code"]
    assert "fields.severity" == response.json()["output"]["error"]["fields"][0]["field"]


def test_a_source_function_needs_no_arguments(alice: httpx.Client) -> None:
    """Source functions answer an array of objects, with an empty body of any content type."""
    response = alice.post("/functions/sandbox-list-projects/", headers={"Content-Type": "text/plain"})

    assert 200 == response.status_code
    assert {"website", "billing"} <= {project["id"] for project in response.json()["output"]}
    assert "" == response.json()["next_page"]


def all_pages(api: httpx.Client, function: str) -> list[list[dict[str, Any]]]:
    """The outputs of a function's pages."""
    outputs, next_page = [], ""
    while next_page or not outputs:
        body = api.post(f"/functions/{function}", json={"next_page": next_page}).json()
        outputs.append(body["output"])
        next_page = body["next_page"]
    return outputs


def test_pages_lead_through_everything(alice: httpx.Client) -> None:
    """Rule 4: next_page leads to the next page and is empty on the last one."""
    outputs = all_pages(alice, "sandbox-list-tickets")
    seen = [ticket["id"] for output in outputs for ticket in output]

    assert 45 == len(seen) == len(set(seen))
    assert len(outputs) > 1


def test_a_cursor_is_given_when_more_pages_cannot_be_told(alice: httpx.Client) -> None:
    """Rule 5: the app cannot say whether more exist, so the last cursor leads to an empty page without one."""
    outputs = all_pages(alice, "sandbox-list-events")

    assert [] == outputs[-1]
    assert 20 == sum(map(len, outputs))
    assert all(outputs[:-1])


def test_functions_that_do_not_paginate_have_no_next_page(alice: httpx.Client) -> None:
    """Rule 4: the key is absent, and sending it is an unknown parameter."""
    assert "next_page" not in alice.post("/functions/sandbox-list-labels").json()
    response = alice.post("/functions/sandbox-list-labels", json={"next_page": ""})
    assert (400, "unknown_parameter", "next_page") == code_of(response)


def test_next_page_belongs_to_the_call_it_came_from(
    alice: httpx.Client, both: httpx.Client, both_accounts: tuple[int, int]
) -> None:
    """A cursor of other arguments, another function, account or user, and a forged one are refused."""
    cursor = alice.post("/functions/sandbox-list-tickets").json()["next_page"]
    attempts = [
        alice.post("/functions/sandbox-list-tickets", json={"project_id": "website", "next_page": cursor}),
        alice.post("/functions/sandbox-list-events", json={"next_page": cursor}),
        alice.post("/functions/sandbox-list-tickets", json={"next_page": cursor[:-6] + "AAAAAA"}),
        both.post(
            "/functions/sandbox-list-tickets",
            params={"connected_account_id": both_accounts[0]},
            json={"next_page": cursor},
        ),
    ]

    assert cursor
    assert [(400, "bad_cursor", "next_page")] * len(attempts) == [code_of(each) for each in attempts]


def test_an_account_must_be_connected(running_service: RunningService) -> None:
    """Rule 1: without an account nothing is executed, and the button to show is connect."""
    with running_service.api("nobody") as client:
        response = client.post("/functions/sandbox-list-projects", json={})

    assert (400, "not_connected", None) == code_of(response)
    assert "connect" == response.json()["error_details"][0]["action"]


def test_with_several_accounts_one_must_be_chosen(both: httpx.Client, both_accounts: tuple[int, int]) -> None:
    """Never a guess: none chosen is refused, each chosen one is used, a text id is fine."""
    none = both.post("/functions/sandbox-list-projects")
    alices, bobs = (
        both.post("/functions/sandbox-list-projects", params={"connected_account_id": str(account)}).json()["output"]
        for account in both_accounts
    )

    assert (400, "account_required", "connected_account_id") == code_of(none)
    assert "pick_account" == none.json()["error_details"][0]["action"]
    assert "website" in {project["id"] for project in alices}
    assert {"research", "hardware"} == {project["id"] for project in bobs}


def test_another_users_account_cannot_be_used(
    alice: httpx.Client, both_accounts: tuple[int, int], sandbox: SandboxApp
) -> None:
    """An account id of someone else is as unknown as one that does not exist."""
    for account in (both_accounts[1], 999_999):
        response = alice.post("/functions/sandbox-list-projects", params={"connected_account_id": account})
        assert (400, "account_not_found", "connected_account_id") == code_of(response)
    assert [] == received(sandbox, "/api/v1/projects")


def test_wrong_arguments_are_told_at_their_fields(
    alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService
) -> None:
    """Rules 1 and 2: all problems at once, with what was probably meant; nothing is sent, and only a refusal logged."""
    arguments = {"title": None, "urgent": "perhaps", "labels": ["bug", 5], "fields": [], "titel": "x"}
    response = alice.post("/functions/sandbox-create-ticket", json=arguments)
    told = {each["field"]: each for each in response.json()["error_details"]}
    codes = {"title": "type", "urgent": "type", "labels[1]": "type", "fields": "type", "project_id": "required"}

    assert 400 == response.status_code
    assert {**codes, "titel": "unknown_parameter"} == {field: each["code"] for field, each in told.items()}
    assert "did you mean title?" in told["titel"]["message"]
    assert [] == received(sandbox, "/api/v1/tickets")
    assert [] == logged(running_service.data_directory, response.headers["request-id"])
    assert 1 == len(refused(running_service.data_directory, response.headers["request-id"]))


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b'{"title": ', "application/json", 400, "malformed_body"),
        (b'["title"]', "application/json", 400, "malformed_body"),
        (b'{"title": NaN}', "application/json", 400, "malformed_body"),
        (b'{"title": "\\ud800"}', "application/json", 400, "malformed_body"),
        (b"\xff\xfe", "application/json", 400, "malformed_body"),
        (b"[" * 20_000, "application/json", 400, "malformed_body"),
        (b"<ticket/>", "text/xml", 415, "unsupported_media_type"),
        (b"--x", "multipart/form-data; boundary=x", 415, "unsupported_media_type"),
        (b'{"title": "' + b"x" * 1_100_000 + b'"}', "application/json", 413, "body_too_large"),
    ],
)
def test_bad_bodies_are_refused(alice: httpx.Client, content: bytes, content_type: str, status: int, code: str) -> None:
    """Malformed, foreign and oversized bodies get a clear code and lose nothing."""
    response = alice.post("/functions/sandbox-create-ticket", content=content, headers={"Content-Type": content_type})

    assert (status, code, None) == code_of(response)


def test_methods_paths_and_targets_have_limits(alice: httpx.Client) -> None:
    """A wrong verb, an unknown function and an overlong target are told apart."""
    assert (405, "method_not_allowed", None) == code_of(alice.put("/functions/sandbox-list-labels"))
    assert (404, "unknown_function", None) == code_of(alice.post("/functions/sandbox-nothing"))
    assert (404, "unknown_function", None) == code_of(alice.post("/nothing-passthrough-request"))


def test_passthrough_reaches_the_apps_own_api(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Both paths of the passthrough function make the same call, with relative and absolute URLs."""
    relative = alice.post("/sandbox-passthrough-request", json={"method": "GET", "url": "/me"})
    absolute = alice.post(
        "/functions/sandbox-passthrough-request/",
        json={"method": "POST", "url": f"{sandbox.url}/api/v1/tickets", "body": {**TICKET, "fields": FIELDS}},
    )

    assert "200" == relative.json()["network_code"], relative.text
    assert "u-alice" == relative.json()["output"]["id"]
    assert "201" == absolute.json()["network_code"], absolute.text
    assert "next_page" not in relative.json()
    wrong = alice.post("/sandbox-passthrough-request", json={"method": "BREW"}).json()["error_details"]
    assert {("url", "required"), ("method", "enum")} == {(each["field"], each["code"]) for each in wrong}


def test_passthrough_stays_on_the_apps_hosts(alice: httpx.Client) -> None:
    """Foreign and private hosts are refused at the field url."""
    for host in ("evil.example", "127.0.0.1:1", "169.254.169.254", "[::1]", "2130706433"):
        response = alice.post("/sandbox-passthrough-request", json={"method": "GET", "url": f"http://{host}/"})
        assert (400, "host_not_allowed", "url") == code_of(response), host


def test_an_overlong_target_is_refused(running_service: RunningService) -> None:
    """More than 64 KB of path and query is told as such (with a client that sends what browsers would not)."""
    connection = HTTPConnection(running_service.url.removeprefix("http://"), timeout=30)
    connection.request("GET", "/functions?prompt=" + "x" * 70_000, headers=running_service.headers("alice"))
    response = connection.getresponse()

    assert 414 == response.status
    assert "target_too_long" == json.loads(response.read())["error_details"][0]["code"]
    connection.close()


def test_an_expired_token_is_renewed_unnoticed(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """A 401 is answered with a refresh and a repetition; the caller sees only the result."""
    expire_tokens(sandbox)
    response = alice.post("/functions/sandbox-create-ticket", json={**TICKET, "fields": FIELDS})

    assert "201" == response.json()["network_code"]
    assert [401, 201] == [request["status"] for request in received(sandbox, "/api/v1/tickets")]


def test_reads_are_repeated_when_the_app_says_so(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """A 429 with a short Retry-After and a 503 are retried for reads."""
    make_fault(sandbox, "/api/v1/labels", "rate_limited", retry_after=1)
    response = alice.post("/functions/sandbox-list-labels")

    assert "200" == response.json()["network_code"]
    assert [429, 200] == [request["status"] for request in received(sandbox, "/api/v1/labels")]


def test_mutations_are_never_repeated(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """A failed mutation is relayed as it failed."""
    make_fault(sandbox, "/api/v1/tickets", "server_error", status=503)
    response = alice.post("/functions/sandbox-create-ticket", json={**TICKET, "fields": FIELDS})

    assert "503" == response.json()["network_code"]
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


def test_a_broken_answer_counts_as_executed(
    alice: httpx.Client, sandbox: SandboxApp, running_service: RunningService
) -> None:
    """Sent, but no whole answer: 200 with 502 and a reason, and it is logged, since it may have happened."""
    for fault in ("connection_reset", "reset_after_commit", "truncated_body"):
        make_fault(sandbox, "/api/v1/tickets", fault)
        response = alice.post("/functions/sandbox-create-ticket", json={**TICKET, "fields": FIELDS})
        assert (200, "502") == (response.status_code, response.json()["network_code"]), fault
        assert {"error", "reason"} == set(response.json()["output"])
        (row,) = logged(running_service.data_directory, response.headers["request-id"])
        assert "502" == row["network_code"]


def test_malformed_json_is_relayed_as_text(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """What only claims to be JSON does not become an error of ours."""
    make_fault(sandbox, "/api/v1/labels", "malformed_json")
    response = alice.post("/functions/sandbox-list-labels")

    assert "200" == response.json()["network_code"]
    assert isinstance(response.json()["output"], str)


def test_secrets_in_arguments_are_not_logged(alice: httpx.Client, running_service: RunningService) -> None:
    """A field whose name says secret is redacted in the log."""
    body = {"method": "POST", "url": "/tickets", "body": {**TICKET, "password": "hunter2-hunter2"}}
    response = alice.post("/sandbox-passthrough-request", json=body)
    (row,) = logged(running_service.data_directory, response.headers["request-id"])

    assert "hunter2" not in row["arguments"]
    assert "[redacted]" in row["arguments"]


def test_answers_tell_our_share_of_the_time(alice: httpx.Client) -> None:
    """Server-Timing names the service's own time beside the app's."""
    timing = alice.post("/functions/sandbox-list-labels").headers["server-timing"]

    assert ["service", "upstream", "total"] == [part.partition(";")[0].strip() for part in timing.split(",")]
