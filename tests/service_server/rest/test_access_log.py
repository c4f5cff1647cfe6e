"""The access log tells what was asked, and keeps what must not be written down out of it."""

from typing import Any

import httpx
import pytest

from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow


def answered(service: RunningService, request_id: str) -> dict[str, Any]:
    """The line of a request, which may come just after its answer."""
    told, lines = ("request.answered", request_id), service.program.json_lines
    return service.program.wait_until(
        lambda: next((each for each in lines() if told == (each.get("event"), each.get("request_id"))), None)
    )


def test_requests_are_logged_without_their_query(rest_service: RunningService, api: httpx.Client) -> None:
    """Method, path, status and request id are there; prompts, which travel in the query, are not."""
    response = api.get("/functions", params={"prompt": "something private"})
    line = answered(rest_service, response.headers["request-id"])

    assert ("GET", "/functions", 200) == (line["method"], line["path"], line["status"])
    assert "something private" not in rest_service.program.output()


def test_addresses_of_connect_pages_are_not_logged(rest_service: RunningService, api: httpx.Client) -> None:
    """Whoever opens such an address first owns it."""
    session = api.post("/apps/sandbox/connect_sessions", json={}).json()
    api.get(session["url"])
    line = answered(rest_service, api.get(f"/connect_sessions/{session['id']}").headers["request-id"])

    assert "/connect_sessions/…" == line["path"]
    assert session["id"] not in rest_service.program.output()
