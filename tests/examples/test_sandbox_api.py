"""The sandbox app's REST API."""

from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TICKET = {"title": "Printer on fire", "project_id": "documentation"}


def problems(response: httpx.Response) -> dict[str, str]:
    """Field → code of a 422."""
    assert 422 == response.status_code
    return {problem["field"]: problem["code"] for problem in response.json()["error"]["fields"]}


def test_credentials_decide_whose_data_is_seen(alice: httpx.Client, bob: httpx.Client) -> None:
    """Each user sees the projects of their own workspace only."""
    assert ["u-alice", "u-bob"] == [client.get("/api/v1/me").json()["id"] for client in (alice, bob)]
    assert ["research", "hardware"] == [item["id"] for item in bob.get("/api/v1/projects").json()["items"]]
    assert 404 == bob.get("/api/v1/projects/website").status_code
    assert 404 == bob.get("/api/v1/tickets/1045").status_code
    assert 200 == alice.get("/api/v1/tickets/1045").status_code


@pytest.mark.parametrize(
    "headers", [{}, {"x-api-key": "wrong"}, {"authorization": "Bearer wrong"}, {"authorization": "Basic YTpi"}]
)
def test_no_living_credential_is_401(visitor: httpx.Client, headers: dict[str, str]) -> None:
    """A request without a living credential is refused with a challenge."""
    response = visitor.get("/api/v1/tickets", headers=headers)

    assert 401 == response.status_code
    assert "unauthorized" == response.json()["error"]["code"]
    assert 'error="invalid_token"' in response.headers["www-authenticate"]


def test_filters_and_searches_narrow_lists(alice: httpx.Client) -> None:
    """Tickets are listed by project and status; projects and members by a part of the name, in any case."""
    found = alice.get("/api/v1/tickets", params={"project_id": "billing", "status": "open"}).json()["items"]
    projects = alice.get("/api/v1/projects", params={"query": "MOB"}).json()["items"]
    users = alice.get("/api/v1/users", params={"query": "costa"}).json()["items"]

    assert {("billing", "open")} == {(item["project_id"], item["status"]) for item in found}
    assert (["mobile-app"], ["u-carla"]) == ([item["id"] for item in projects], [item["id"] for item in users])


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"limit": "0"}, "bad_request"),
        ({"limit": "101"}, "bad_request"),
        ({"limit": "ten"}, "bad_request"),
        ({"limit": ["1", "2"]}, "bad_request"),
        ({"cursor": "nonsense"}, "invalid_cursor"),
        ({"status": "lost"}, "bad_request"),
    ],
)
def test_bad_list_parameters_are_refused(alice: httpx.Client, query: dict[str, Any], code: str) -> None:
    """A wrong limit, cursor or filter is a 400, not a guess."""
    response = alice.get("/api/v1/tickets", params=query)

    assert (400, code) == (response.status_code, response.json()["error"]["code"])


def test_cursor_belongs_to_its_filters(alice: httpx.Client) -> None:
    """A cursor of one list is refused in another."""
    cursor = alice.get("/api/v1/tickets", params={"limit": 1}).json()["next_cursor"]
    response = alice.get("/api/v1/tickets", params={"limit": 1, "cursor": cursor, "project_id": "website"})

    assert "invalid_cursor" == response.json()["error"]["code"]


def test_ticket_life(alice: httpx.Client) -> None:
    """A ticket can be created, read, changed and deleted, and each change leaves an event."""
    body = {
        "title": "  Cart is empty  ",
        "project_id": "website",
        "urgent": True,
        "labels": ["bug", "shop", "bug"],
        "assignee_id": "u-carla",
        "due_date": "2026-12-31",
        "fields": {"severity": "high", "page_views": 12.5, "reproducible": False},
    }
    created = alice.post("/api/v1/tickets", json=body)
    ticket = created.json()

    assert 201 == created.status_code
    assert body | {"title": "Cart is empty", "labels": ["bug", "shop"]} == {name: ticket[name] for name in body}
    assert {"id": "u-alice", "name": "Alice Andersson"} == ticket["created_by"]
    path = created.headers["location"]
    assert ticket == alice.get(path).json()
    assert "shop" in [label["id"] for label in alice.get("/api/v1/labels").json()]

    changes = {"status": "closed", "urgent": False, "fields": {"severity": "low", "page_views": None}}
    changed = alice.patch(path, json=changes).json()
    assert ("closed", False) == (changed["status"], changed["urgent"])
    assert {"severity": "low", "reproducible": False} == changed["fields"]
    assert ticket["title"] == changed["title"]
    assert {"project_id": "unknown"} == problems(alice.patch(path, json={"project_id": "billing"}))

    deleted = alice.delete(path)
    assert (204, b"") == (deleted.status_code, deleted.content)
    assert 404 == alice.get(path).status_code
    events = alice.get("/api/v1/events", params={"page": 3}).json()
    assert ["ticket.created", "ticket.changed", "ticket.deleted"] == [event["type"] for event in events]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, {"title": "required", "project_id": "required"}),
        (TICKET | {"title": " "}, {"title": "required"}),
        (TICKET | {"title": 5}, {"title": "type"}),
        (TICKET | {"title": "x" * 201}, {"title": "too_long"}),
        (TICKET | {"urgent": "yes"}, {"urgent": "type"}),
        (TICKET | {"labels": "bug"}, {"labels": "type"}),
        (TICKET | {"labels": [""]}, {"labels": "too_long"}),
        (TICKET | {"project_id": "nowhere"}, {"project_id": "not_found"}),
        (TICKET | {"assignee_id": "u-bob"}, {"assignee_id": "not_found"}),
        (TICKET | {"due_date": "31.12.2026"}, {"due_date": "format"}),
        (TICKET | {"due_date": "2026-02-30"}, {"due_date": "format"}),
        (TICKET | {"colour": "red"}, {"colour": "unknown"}),
        (TICKET | {"fields": []}, {"fields": "type"}),
        (TICKET | {"fields": {"severity": "low"}}, {"fields.severity": "unknown"}),
        (TICKET | {"project_id": "website"}, {"fields.severity": "required"}),
        (TICKET | {"project_id": "website", "fields": {"severity": None}}, {"fields.severity": "type"}),
        (TICKET | {"project_id": "website", "fields": {"severity": "worst"}}, {"fields.severity": "enum"}),
        (TICKET | {"project_id": "operations", "fields": {"cost_center": " "}}, {"fields.cost_center": "required"}),
        (
            TICKET | {"project_id": "billing", "fields": {"amount": "12"}},
            {"fields.amount": "type", "fields.invoice_number": "required"},
        ),
    ],
)
def test_every_wrong_field_is_named(alice: httpx.Client, body: dict[str, Any], expected: dict[str, str]) -> None:
    """A body with wrong fields is refused with each field's code, and nothing is created."""
    response = alice.post("/api/v1/tickets", json=body)

    assert expected == problems(response)
    assert 404 == alice.get("/api/v1/tickets/1046").status_code


def test_custom_fields_differ_per_project(alice: httpx.Client) -> None:
    """Each project names its own fields with type, need and options."""
    fields = alice.get("/api/v1/projects/mobile-app/custom-fields").json()

    assert [
        ("platform", "enum", True, ["ios", "android"]),
        ("app_version", "string", True, []),
        ("crash", "boolean", False, []),
    ] == [(field["key"], field["type"], field["required"], field["options"]) for field in fields]
    assert [] == alice.get("/api/v1/projects/documentation/custom-fields").json()


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, "malformed_json"),
        (b"[" * 100_000, "application/json", 400, "malformed_json"),
        (b'{"title": NaN}', "application/json", 400, "malformed_json"),
        (b"\xff", "application/json", 400, "malformed_json"),
        (rb'{"title": "\ud800"}', "application/json", 400, "malformed_json"),
        (b"[]", "application/json", 400, "bad_request"),
        (b"title=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b'"' + b"x" * 1024 * 1024 + b'"', "application/json", 413, "body_too_large"),
    ],
)
def test_bad_bodies_are_refused(alice: httpx.Client, content: bytes, content_type: str, status: int, code: str) -> None:
    """What is no JSON object of bearable size gets a clear refusal."""
    response = alice.post("/api/v1/tickets", content=content, headers={"content-type": content_type})

    assert (status, code) == (response.status_code, response.json()["error"]["code"])


def test_wrong_path_and_verb(alice: httpx.Client) -> None:
    """An unknown path is 404; a known one with another verb is 405 and names the right ones."""
    wrong_verb = alice.put("/api/v1/tickets/1001", json={})

    assert 404 == alice.get("/api/v1/nothing").status_code
    assert (405, "GET, PATCH, DELETE") == (wrong_verb.status_code, wrong_verb.headers["allow"])


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["title", "project_id", "urgent", "labels", "assignee_id", "due_date", "fields"])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.dictionaries(names | st.text(), json_values, max_size=6))
def test_no_body_breaks_the_app(alice: httpx.Client, body: dict[str, Any]) -> None:
    """Whatever JSON comes, the answer is a created ticket or a clear refusal."""
    response = alice.post("/api/v1/tickets", json=body)

    assert response.status_code in {201, 422}
