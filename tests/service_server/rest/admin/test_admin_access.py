"""Who gets at the admin API, route by route."""

import re
from typing import Any

import pytest
from litestar.handlers import HTTPRouteHandler

from service_server.administration.permissions import PERMISSIONS, Permission
from service_server.rest.admin import ADMIN_ROUTES
from service_server.rest.admin_access import permission_of
from tests.service_server.databases import rows
from tests.service_server.processes import command, http
from tests.service_server.rest.admin.conftest import AdminWorld
from tests.service_server.rest.conftest import code_of

pytestmark = pytest.mark.slow

NAMES = {
    "application_id:int": "1",
    "app_name:str": "sandbox",
    "call_id:str": "0" * 32,
    "connected_account_id:int": "987654",
    "endpoint_id:str": "whe_" + "0" * 24,
    "delivery_id:int": "1",
    "fingerprint:str": "0" * 16,
    "key_id:str": "0" * 16,
}
CHANGED = ("applications", "application_brands", "app_configurations", "operators", "admin_keys", "webhook_endpoints")


def request_of(handler: HTTPRouteHandler) -> tuple[str, str]:
    """The method of a route, and an address that it answers."""
    (path,), (method,) = handler.paths, handler.http_methods - {"OPTIONS", "HEAD"}
    return method, re.sub(r"{([^}]+)}", lambda found: NAMES[found[1]], path)


def state_of(admin: AdminWorld) -> dict[str, list[Any]]:
    """What operators can change; when a key was used is not that."""
    data = admin.service.data_directory
    tables = {table: rows(data, f"SELECT * FROM {table}") for table in CHANGED if table != "admin_keys"}
    return {**tables, "admin_keys": rows(data, "SELECT id, role, removed_at FROM admin_keys")}


def test_each_route_states_its_permission() -> None:
    """A route without one fails here, and so does a change for which seeing is enough."""
    for handler in ADMIN_ROUTES:
        permission = permission_of(handler)
        assert (request_of(handler)[0] == "GET") or permission not in (Permission.SEE, Permission.SEE_CONTENTS)
        assert [{"AdminKey": []}] == handler.security


@pytest.mark.parametrize("role", ["viewer", "developer"])
def test_a_role_does_what_it_may_and_nothing_else(admin: AdminWorld, role: str) -> None:
    """Route by route: what is not allowed is refused before anything is looked at, and nothing changes."""
    before, refused = state_of(admin), 0
    for handler in ADMIN_ROUTES:
        method, path = request_of(handler)
        if permission_of(handler) in PERMISSIONS[role]:
            if method == "GET":
                assert admin.clients[role].get(path).status_code in (200, 400, 404), path
            continue
        answer = admin.clients[role].request(method, path, params={"name": "ada", "origin": "null", "application": 1})
        assert (403, "forbidden") == code_of(answer), path
        refused += 1

    assert refused >= {"viewer": 20, "developer": 8}[role]
    assert before == state_of(admin)


def test_without_a_right_key_nothing_is_answered(admin: AdminWorld) -> None:
    """Missing or wrong, another scheme, an application's credentials or a cookie: all are answered the same."""
    right = admin.keys["owner"]
    wrong: list[dict[str, str]] = [
        {},
        {"Authorization": f"Bearer {right[:-1]}"},
        {"Authorization": f"Bearer {right}x"},
        {"Authorization": f"Basic {right}"},
        {"Authorization": right},
        admin.service.headers("ann"),
        {"Cookie": f"console={right}"},
    ]
    with http(admin.service.url) as nobody:
        for headers in wrong:
            assert (401, "unauthenticated") == code_of(nobody.get("/admin/applications", headers=headers)), headers
        for handler in ADMIN_ROUTES:
            method, path = request_of(handler)
            assert (401, "unauthenticated") == code_of(nobody.request(method, path)), path


def test_wrong_keys_are_slowed_down_and_right_ones_are_not(admin: AdminWorld) -> None:
    """After some wrong ones an address has to wait with the next; who has a right key is not held up."""
    with http(admin.service.url, {"X-Forwarded-For": "203.0.113.99"}) as guessing:
        guesses = [guessing.get("/admin/audit", headers={"Authorization": f"Bearer {n}"}) for n in range(40)]
        waiting = next(each for each in guesses if each.status_code == 429)
        right = guessing.get("/admin/audit", headers={"Authorization": f"Bearer {admin.keys['owner']}"})

    assert "rate_limited" == code_of(waiting)[1]
    assert int(waiting.headers["retry-after"]) >= 1
    assert {401, 429} == {each.status_code for each in guesses}
    assert 200 == right.status_code


def test_no_page_of_any_origin_may_use_it(admin: AdminWorld) -> None:
    """No preflight is granted, and no answer may be read, also where an application allows the origin."""
    origin = {"Origin": "https://pages.example"}
    made = admin.made("/admin/applications", {"name": "Pages", "origins": ["https://pages.example"]})
    asked = {**origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    with http(admin.service.url) as page:
        allowed = page.options("/apps", headers=asked)
    answers = [
        admin.owner.options("/admin/applications", headers=asked),
        admin.owner.get("/admin/applications", headers=origin),
    ]

    assert made["application"]["allowed_origins"] == ["https://pages.example"]
    assert "access-control-allow-methods" in allowed.headers
    assert [] == [name for each in answers for name in each.headers if name.startswith("access-control")]
    assert "no-store" == answers[1].headers["cache-control"]


def test_a_removed_key_opens_nothing(admin: AdminWorld) -> None:
    """From the next request on, whoever removed it."""
    made = admin.made("/admin/keys", {"name": "short-lived", "role": "owner", "days": 1})
    with http(admin.service.url, {"Authorization": f"Bearer {made['text']}"}) as client:
        assert 200 == client.get("/admin/keys").status_code
        assert 204 == client.delete(f"/admin/keys/{made['key']['id']}").status_code
        assert (401, "unauthenticated") == code_of(client.get("/admin/keys"))
    listed = command(admin.service.data_directory, "admin-key", "list", "--json")

    assert made["key"]["id"] not in listed
    assert "allowed" in listed
    assert made["text"] not in admin.service.program.output()
