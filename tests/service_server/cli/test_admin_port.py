"""`serve --admin-port`: the console and the admin API on an address of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from attrs import frozen

from tests.real_apps.running import free_port
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator
from tests.service_server.processes import RunningService, command, http, service

pytestmark = pytest.mark.slow

OPERATORS = ["/console", "//console", "/console/calls", "/console/x", "/admin/applications", "//admin/keys"]
USERS = ["/apps", "/functions", "/files", "/mcp", "/servicejs/v1/servicejs.js", "/oauth/callback", "/connect/x", "/"]
BOTH = ["/health", "/ready", "/openapi.json", "/assets/styles/console.css"]


@frozen
class Split:
    """Two workers with two addresses, asked with a key of an owner."""

    service: RunningService
    public: httpx.Client
    operators: httpx.Client


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Split]:
    """They serve."""
    folder, port = tmp_path_factory.mktemp("split"), free_port()
    with service(folder, "--admin-port", str(port), "--workers", "2") as running:
        made = json.loads(command(folder, "admin-key", "create", "tests", "--role", "owner", "--json"))
        key = {"Authorization": f"Bearer {made['key']}"}
        with http(running.url, key) as public, http(f"http://127.0.0.1:{port}", key) as operators:
            yield Split(running, public, operators)


def test_each_address_has_its_own(split: Split) -> None:
    """The other's paths are as unknown as any; probes, styles and the description are at both."""
    unknown = split.public.get("/nothing/here").json()["error_details"]
    for path in OPERATORS:
        for method in ("GET", "POST", "DELETE"):
            answer = split.public.request(method, path)
            assert (404, unknown) == (answer.status_code, answer.json()["error_details"]), path
            assert "set-cookie" not in answer.headers
        assert "nothing at this path" not in split.operators.get(path).text or "//" in path
    for path in USERS:
        answer = split.operators.get(path)
        assert (404, "not_found") == (answer.status_code, answer.json()["error_details"][0]["code"]), path
    for path in BOTH:
        assert [200, 200] == [client.get(path).status_code for client in (split.public, split.operators)], path
    described = [client.get("/openapi.json").json()["paths"] for client in (split.public, split.operators)]
    assert [False, True] == [any(path.startswith("/admin/") for path in paths) for paths in described]
    assert "/apps" in described[0]


def test_both_sides_work_at_their_address(split: Split) -> None:
    """The console lets operators in, and the admin API takes its keys; users call at theirs."""
    add_operator(split.service, "ada")
    browser = OperatorBrowser(split.operators)

    assert 303 == browser.sign_in("ada").status_code
    assert "<h1>Overview</h1>" in browser.page("/console")
    assert 1 == len(split.operators.get("/admin/applications").json()["data"])
    with split.service.api("ann") as api:
        assert 200 == api.get("/apps").status_code


def test_one_port_for_users_and_operators_is_refused(tmp_path: Path) -> None:
    """Only one of them would be heard there; which options choose another port is said."""
    port = free_port()
    said = f"port {port} of 127.0.0.1: Address already in use. Choose others with --admin-port and --admin-host"
    with pytest.raises(Exception, match=said), service(tmp_path, "--admin-port", str(port), port=port):
        pass
