"""The emulators that we write take what their vendors' types declare, and nothing else."""

import base64
import json
import re
from typing import Any

import pytest

from tests.connectors.descriptions.description import Judge
from tests.connectors.descriptions.registered import registered
from tests.connectors.descriptions.sent import Sent
from tests.emulators.confluence.app import API_TOKEN, EMAIL, Confluence
from tests.emulators.hubspot.app import TOKEN, HubSpot
from tests.emulators.strict import Emulator, answer

HUBSPOT = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
ADA = {"email": "ada@example.com"}


def ask(method: str, target: str, body: Any = None, app: Emulator | None = None, **headers: str) -> int:
    """Ask an emulator, HubSpot's unless another is given; the status of its answer."""
    content = b"" if body is None else json.dumps(body).encode()
    return answer(app or HubSpot(), method, target, {**HUBSPOT, **headers}, content).status


@pytest.mark.parametrize(
    ("status", "method", "target", "body"),
    [
        (201, "POST", "/crm/v3/objects/contacts", {"properties": ADA}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "no_such_property": "x"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "own_shoe_size": 44}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "own_shoe_size": "large"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "own_colour": "green"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "own_birthday": "10.12.1990"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "own_last_visit": "2026-12-01T09:00"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "createdate": "2026-12-01"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {**ADA, "hubspot_owner_id": "1"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": {"phone": "1"}}),
        (400, "POST", "/crm/v3/objects/contacts", {"properties": ADA, "owner": "71"}),
        (400, "POST", "/crm/v3/objects/contacts", {}),
        (400, "POST", "/crm/v3/objects/notes", {"properties": {"hs_note_body": "x"}}),
        (400, "POST", "/crm/v3/objects/deals", {"properties": {"dealname": "x", "dealstage": "qualified"}}),
        (400, "POST", "/crm/v3/objects/contacts/search", {"limit": 201}),
        (400, "POST", "/crm/v3/objects/contacts/search", {"sorts": [{"propertyName": "hs_lastmodifieddate"}]}),
        (200, "GET", "/crm/v3/objects/contacts?limit=100", None),
        (400, "GET", "/crm/v3/objects/contacts?limit=101", None),
        (400, "GET", "/crm/v3/objects/contacts?size=10", None),
        (404, "GET", "/crm/v3/objects/contacts/1", None),
        (404, "GET", "/crm/v3/contact", None),
        (405, "PUT", "/crm/v3/objects/contacts", {"properties": ADA}),
        (400, "PUT", "/crm/v3/lists/31/memberships/add", ["501"]),
    ],
)
def test_hubspot_refuses(status: int, method: str, target: str, body: Any) -> None:
    """What HubSpot doesn't know, or has otherwise, is refused."""
    assert status == ask(method, target, body)


def test_nobody_is_let_in_without_a_token() -> None:
    """A wrong token is refused wherever it is sent."""
    assert 401 == ask("GET", "/crm/v3/owners/", authorization="Bearer x")


@pytest.mark.parametrize(
    ("status", "method", "target", "body"),
    [
        (200, "POST", "/wiki/api/v2/pages", {"spaceId": "65537", "title": "A"}),
        (400, "POST", "/wiki/api/v2/pages", {"spaceId": 65537, "title": "A"}),
        (400, "POST", "/wiki/api/v2/pages", {"spaceId": "65537"}),
        (404, "POST", "/wiki/api/v2/pages", {"spaceId": "1", "title": "A"}),
        (400, "POST", "/wiki/api/v2/pages", {"spaceId": "65537", "title": "A", "parent": "1"}),
        (400, "GET", "/wiki/api/v2/spaces?limit=251", None),
        (400, "GET", "/wiki/api/v2/pages?sort=-created", None),
        (400, "GET", "/wiki/rest/api/search?cql=title%20~", None),
        (400, "POST", "/wiki/rest/api/content/1/label", [{"prefix": "global", "name": "a"}]),  # without its header
        (404, "GET", "/wiki/api/v2/page/1", None),
    ],
)
def test_confluence_refuses(status: int, method: str, target: str, body: Any) -> None:
    """What Confluence doesn't know, or has otherwise, is refused."""
    known = base64.b64encode(f"{EMAIL}:{API_TOKEN}".encode()).decode()

    assert status == ask(method, target, body, Confluence(), authorization=f"Basic {known}")


APPS: dict[str, tuple[Emulator, str]] = {
    "hubspot": (HubSpot(), "https://api.hubapi.com"),
    "confluence": (Confluence(), "https://acme.atlassian.net"),
}
REQUIRED = {"/wiki/rest/api/search": {"cql": "x"}}  # without it a judge has nothing to say of the other names
UNDECLARED = {"/account-info/v3/details"}  # in documentation alone


def _judge(app: str) -> Judge:
    check = registered()[app].check
    assert check is not None
    try:
        return check.read()
    except FileNotFoundError:
        pytest.skip(f"the description of {app} isn't fetched: run python -m tests.connectors.vendors")


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_all_that_is_taken_is_declared(app: str) -> None:
    """Each path with its method, and each name in its query, is in the vendor's types."""
    judge, (emulator, base) = _judge(app), APPS[app]

    def is_declared(method: str, path: str, name: str = "") -> bool:
        def faults(value: str) -> list[str]:
            query = {**REQUIRED.get(path, {}), **({name: value} if name else {})}
            asked = Sent(method, base + path, tuple(query.items()), "", (), b"", None)
            return [each for each in judge.faults(asked) if "there is no" in each or (name and name in each)]

        return not faults("1") or not faults("true")

    undeclared = set()
    for route in emulator.routes():
        kind = "deals" if "pipelines" in route.path else "contacts"
        path = re.sub(r"\{\w+\}", "1", route.path.replace("{kind}", kind).replace("{to}", "companies"))
        if not is_declared(route.method, path):
            undeclared.add(path)
            continue
        undeclared |= {
            f"{route.method} {path} {name}" for name in route.query if not is_declared(route.method, path, name)
        }

        assert not is_declared(route.method, f"{path}/misspelt/misspelt")
        assert not is_declared(route.method, path, "misspelt_name")

    assert undeclared <= UNDECLARED
