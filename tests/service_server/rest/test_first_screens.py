"""What calls of the browser SDK show first: drawn by the service, for who may see it and nobody else."""

import json
from typing import Any

import httpx
import pytest

from service_client.models import sign
from tests.service_server.processes import RunningService, http

from .conftest import ORIGIN, all_pages

USER = "user-1"

pytestmark = pytest.mark.slow


def ask(
    service: RunningService, method: str, arguments: Any = None, origin: str = ORIGIN, **more: str
) -> httpx.Response:
    """Ask for what a call shows first, as a browser sends it; `more` are further fields of the form."""
    fields = {"app_key": service.app_key, "user_id": USER, "hash": sign(USER, service.app_secret)}
    given = arguments if isinstance(arguments, str) else json.dumps({} if arguments is None else arguments)
    fields |= {"method": method, "arguments": given, "locale": "en"} | more
    with http(service.url, {"Origin": origin}) as browser:
        return browser.post("/first_screens", data=fields)


def test_the_marketplace_comes_as_html_with_what_it_was_drawn_from(rest_service: RunningService) -> None:
    """One answer holds the list, its name, and the apps to go on from; it is compressed and kept by nobody."""
    answer = ask(rest_service, "showApps", {"modal": True})

    body = answer.json()
    with rest_service.api(USER) as api:
        assert all_pages(api, "/apps") == body["known"]["apps"]["apps"]
    assert 'id="app-airtable-connect"' in body["html"]
    assert ("Apps", True, None) == (body["label"], body["is_over"], body["session"])
    assert "gzip" == answer.headers["content-encoding"]
    assert "no-store" == answer.headers["cache-control"]
    assert ORIGIN == answer.headers["access-control-allow-origin"]


def test_it_is_drawn_as_is_asked(rest_service: RunningService) -> None:
    """In the user's language, English for a locale that there are no words for; named apps come in their order."""
    for locale, words in (("de", "Verbinden"), ("en", "Search apps"), ("xx", "Search apps")):
        assert words in ask(rest_service, "showApps", locale=locale).json()["html"]
    apps = ask(rest_service, "showApps", {"apps": ["zoom", "airtable"]}).json()["known"]["apps"]["apps"]

    assert ["zoom", "airtable"] == [app["name"] for app in apps]


def test_a_form_whose_app_is_not_connected_offers_that(rest_service: RunningService) -> None:
    """Pressing its button begins a session, which the answer leads to; leaving ends it."""
    arguments = {"functionName": "airtable-list-bases", "params": {}}
    offered = ask(rest_service, "showFunctionUI", arguments).json()
    assert "Connect Airtable first" in offered["html"]
    assert offered["session"] is None

    shown = {**arguments, "popup": "popup-1"}
    opened = ask(rest_service, "showFunctionUI", shown, action="connect", argument="").json()

    session = opened["session"]
    assert session["url"].startswith(rest_service.url)
    assert "Waiting for you to finish" in opened["html"]
    left = ask(rest_service, "showFunctionUI", arguments, leave=session["id"])
    with rest_service.api(USER) as api:
        assert (204, "cancelled") == (left.status_code, api.get(f"/connect_sessions/{session['id']}").json()["status"])


def test_a_window_that_was_blocked_is_a_link(rest_service: RunningService) -> None:
    """Without a window the panel holds the address, which only its user gets; nobody else ends the session."""
    drawn = ask(rest_service, "connectApp", {"appName": "airtable"}).json()
    session = drawn["session"]
    other = {"user_id": "user-2", "hash": sign("user-2", rest_service.app_secret)}

    assert f'href="{session["url"]}"' in drawn["html"]
    assert 404 == ask(rest_service, "connectApp", {"appName": "airtable"}, leave=session["id"], **other).status_code
    with rest_service.api(USER) as api:
        assert "pending" == api.get(f"/connect_sessions/{session['id']}").json()["status"]


def test_who_is_refused(rest_service: RunningService) -> None:
    """Wrong credentials as in every other request, which the page may read; headers; and pages that aren't listed."""
    for wrong in ({"hash": "0" * 64}, {"app_key": "none"}, {"user_id": "other"}, {"token": "none"}):
        answer = ask(rest_service, "showApps", **wrong)
        assert (401, "unauthenticated") == (answer.status_code, answer.json()["error_details"][0]["code"]), wrong
        assert ORIGIN == answer.headers["access-control-allow-origin"]
    with http(rest_service.url, rest_service.headers(USER)) as browser:
        assert 401 == browser.post("/first_screens", data={"method": "showApps", "arguments": "{}"}).status_code
    foreign = ask(rest_service, "connectApp", {"appName": "airtable"}, origin="https://foreign.example")
    assert 403 == foreign.status_code
    assert "access-control-allow-origin" not in foreign.headers


@pytest.mark.parametrize(
    ("method", "arguments", "status"),
    [
        ("showApps", [], 204),
        ("showApps", {"apps": [7]}, 204),
        ("showApps", {"apps": ["unknown"]}, 404),
        ("showApps", {"apps": [f"app{number}" for number in range(51)]}, 204),
        ("connectApp", {}, 204),
        ("connectApp", {"appName": "unknown"}, 404),
        ("showFunctionUI", {"functionName": "airtable-unknown"}, 404),
        ("showFunctionUI", {"functionName": "airtable-list-bases", "params": {"a": "x" * 17_000}}, 204),
        ("getApps", {}, 400),
        *(("showApps", text, 204) for text in ("", "{", "null", "[" * 5000, '"\\ud800"', "NaN")),
    ],
)
def test_what_cannot_be_drawn_is_left_to_the_browser(
    rest_service: RunningService, method: str, arguments: Any, status: int
) -> None:
    """Bad arguments, or whatever stands in their place, unknown names and too much are no failure of the service."""
    assert status == ask(rest_service, method, arguments).status_code
