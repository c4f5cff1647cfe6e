"""What the roles may do in the console, route by route; operators, keys and the audit trail in it."""

import re
from collections.abc import Iterator

import pytest
from litestar.handlers import HTTPRouteHandler

from service_server.administration.permissions import PERMISSIONS, Permission
from service_server.console import CONSOLE_ROUTES
from service_server.console.guard import permission_of
from service_server.console.openid import OPENID_ROUTES
from service_server.console.sessions import end_sessions
from service_server.console.sign_in import show_entrance, sign_in, sign_out
from tests.service_server.console.operator_browser import PASSWORD, OperatorBrowser, browser, hidden, shown, table_rows
from tests.service_server.console.test_console_calls import a_call, record
from tests.service_server.databases import rows
from tests.service_server.processes import RunningService

ROUTES = [(handler, method) for handler in CONSOLE_ROUTES for method in sorted(handler.http_methods)]
NAMES = {"application_id:int": "1", "app_name:str": "sandbox", "call_id:str": "00", "act:str": "test"}
CHANGED = ("applications", "application_brands", "app_configurations", "operators", "admin_keys", "webhook_endpoints")


def named(handler: HTTPRouteHandler) -> str:
    """An address that a route answers."""
    (path,) = handler.paths
    return re.sub(r"{([^}]+)}", lambda found: NAMES.get(found[1], "x"), path)


@pytest.fixture(scope="module")
def viewers(console_service: RunningService, operator: OperatorBrowser) -> Iterator[dict[str, OperatorBrowser]]:
    """Browsers of a developer, a viewer, and a viewer who sees contents; all are signed in."""
    browsers = {}
    for name, contents in (("developer", {}), ("viewer", {}), ("allowed", {"sees_contents": "on"})):
        operator.add(name, "viewer" if contents else name, **contents)
        browsers[name] = browser(console_service)
        assert 303 == browsers[name].sign_in(name).status_code
    yield browsers
    for each in browsers.values():
        each.http.close()


def test_each_route_states_its_permission() -> None:
    """A route without one fails here, and so does a change for which seeing is enough; signing in is open to all."""
    stated = {handler: permission_of(handler) for handler in CONSOLE_ROUTES}
    changing = [
        each
        for each in CONSOLE_ROUTES
        if each.http_methods != {"GET"} and each not in (sign_in, sign_out, end_sessions)
    ]

    assert [show_entrance, sign_in, *OPENID_ROUTES] == [
        handler for handler, permission in stated.items() if permission is None
    ]
    assert {Permission.SEE, Permission.SEE_CONTENTS}.isdisjoint(stated[each] for each in changing)


def test_pages_and_actions_need_an_operator(stranger: OperatorBrowser) -> None:
    """Without a session every page leads to the sign-in page and back, without its query; a form changes nothing."""
    for handler, method in ROUTES:
        if permission_of(handler) is None:
            continue
        path, token = named(handler), {"token": "x"} if method == "POST" else None
        answer = stranger.http.request(method, path, params={"prompt": "private"}, data=token)
        leads_to = f"/console?next={path}" if method == "GET" else "/console?unsent=1"
        if path == "/console/sign-out":
            leads_to = "/console"
        assert (303, leads_to) == (answer.status_code, answer.headers["location"])
    assert "/console/calls" == hidden(stranger.page("/console?next=/console/calls"), "next")
    assert "You were signed out, so nothing was changed." in stranger.page("/console?unsent=1")
    assert "signed out" not in stranger.page("/console")


def test_actions_need_the_token_of_the_session(operator: OperatorBrowser) -> None:
    """A form that another site could have made is refused with a page, before anything is looked at."""
    changing = [handler for handler, method in ROUTES if method == "POST" and permission_of(handler) is not None]
    assert len(changing) > 20
    for handler in changing:
        for token in ({}, {"token": "0" * 64}):
            answer = operator.http.post(named(handler), data={"name": "Forged", **token})
            assert (403, True) == (answer.status_code, "This form is out of date" in answer.text), handler


@pytest.mark.parametrize("role", ["viewer", "developer"])
def test_a_role_does_what_it_may_and_nothing_else(
    viewers: dict[str, OperatorBrowser], console_service: RunningService, role: str
) -> None:
    """Route by route, also with the right token: what is not allowed is refused before anything is looked at."""
    visitor = viewers[role]
    token = hidden(visitor.page("/console"), "token")
    tables = {table: rows(console_service.data_directory, f"SELECT * FROM {table}") for table in CHANGED}
    refused = 0
    for handler, method in ROUTES:
        permission = permission_of(handler)
        if handler is sign_out or permission is None:
            continue
        if permission in PERMISSIONS[role]:
            if method == "GET":
                assert visitor.get(named(handler)).status_code in (200, 404), handler
            continue
        answer = visitor.http.request(method, named(handler), data={"token": token} if method == "POST" else None)
        assert (403, True) == (answer.status_code, "Your role doesn’t allow this" in answer.text), handler
        refused += 1

    assert refused >= {"viewer": 15, "developer": 5}[role]
    assert tables == {table: rows(console_service.data_directory, f"SELECT * FROM {table}") for table in CHANGED}


def test_a_viewer_is_offered_no_change(viewers: dict[str, OperatorBrowser]) -> None:
    """Pages have no forms but those that filter or sign out, and no way to pages that are not theirs."""
    paths = ("applications", "applications/1", "apps/sandbox", "webhooks", "calls", "prediction")
    for path in ("/console", *(f"/console/{each}" for each in paths)):
        page = viewers["viewer"].page(path)
        assert ["/console/sign-out"] == re.findall(r'<form method="post" action="([^"]+)"', page), path
        assert "/console/operators" not in page


async def test_contents_are_seen_by_those_who_may(
    viewers: dict[str, OperatorBrowser], console_service: RunningService, operator: OperatorBrowser
) -> None:
    """A viewer finds neither arguments nor outputs unless allowed to; that someone read them is in the audit trail."""
    logged = a_call(arguments={"title": "hush-in"}, output={"said": "hush-out"})
    await record(console_service, logged)
    call = logged.id
    seen = {
        name: "hush-in" in page and "hush-out" in page
        for name, visitor in {**viewers, "owner": operator}.items()
        if (page := visitor.page(f"/console/calls/{call}"))
    }
    trail = operator.page(f"/console/audit?act=call.read&subject={call}")

    assert {"developer": True, "viewer": False, "allowed": True, "owner": True} == seen
    assert "hush" not in viewers["viewer"].page(f"/console/calls/{call}")
    assert {"ada", "allowed", "developer"} == {
        name for row in table_rows(trail) for name in re.findall(r"<bdi>(\w+)</bdi></a></td>\s*<td>Console", row)
    }


def test_operators_come_and_go(stranger: OperatorBrowser, operator: OperatorBrowser) -> None:
    """Added with a role, given another one and a new password, removed: each at once, and each in the audit trail."""
    path = "/console/operators"
    page = operator.page(path)
    assert 303 == operator.submit(page, path, name="grete", password=PASSWORD, role="viewer").status_code
    known = {"token": hidden(page, "token"), "name": "grete"}
    stranger.sign_in("grete")
    assert 403 == stranger.get("/console/audit").status_code
    changed = operator.http.post(f"{path}/role", data={**known, "role": "owner"})
    assert "done=operator-role" in changed.headers["location"]
    assert "operator.role_set" in stranger.page("/console/audit?subject=grete")
    operator.http.post(f"{path}/password", data={**known, "password": "another one"})
    assert 303 == stranger.get("/console/audit").status_code
    assert 303 == stranger.sign_in("grete", "another one").status_code
    operator.http.post(f"{path}/remove", data=known)
    assert 303 == stranger.get("/console/calls").status_code
    refused = operator.http.post(f"{path}/remove", data=known)
    assert (422, True) == (refused.status_code, "There is no operator grete" in refused.text)
    trail = operator.page("/console/audit?subject=grete&actor=ada")
    assert ["operator.removed", "operator.password_set", "operator.role_set", "operator.added"] == [
        act for row in table_rows(trail) for act in re.findall(r"<code>(operator\.\w+)</code>", row)
    ]
    assert PASSWORD not in trail


def test_keys_come_and_go(operator: OperatorBrowser) -> None:
    """A key is shown once, on the page that makes it, and is gone once it is removed."""
    path = "/console/operators"
    page = operator.page(path)
    text = shown(operator.submit(page, f"{path}/keys", name="robot", role="viewer", days="30").text, "admin-key")
    listed = operator.page(path)
    assert text.startswith("ifs_admin_")
    assert text not in listed
    assert "robot" in listed
    assert 422 == operator.submit(page, f"{path}/keys", name="robot", role="viewer", days="soon").status_code
    number = text.split("_")[2]
    removed = operator.http.post(f"{path}/keys/remove", data={"token": hidden(page, "token"), "key": number})
    assert "done=key-removed" in removed.headers["location"]
    assert f"<code>{number}</code>" not in operator.page(path)
