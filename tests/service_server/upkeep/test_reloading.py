"""Connector files that change under a running service."""

import shutil
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import frozen

from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.helpline import helpline, replace_text
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

OPEN_CASE = "/functions/helpline-open-case"
PROBLEM = "connectors.problem"
LIST_PROJECTS = "/functions/helpline-list-projects"
SLOW_SECONDS = 4


@frozen
class Site:
    """Two processes of the service on one database that watch one directory of connectors."""

    directory: Path
    processes: tuple[RunningService, RunningService]
    sandbox: SandboxApp

    @property
    def folder(self) -> Path:
        """The folder of the connector that changes."""
        return self.directory / "helpline"

    def until(self, holds: Callable[[httpx.Client], bool]) -> None:
        """Wait until something holds of both processes."""
        for process in self.processes:
            with process.api("ann") as api:
                process.program.wait_until(lambda api=api: holds(api) or None)

    def lines(self, event: str) -> list[dict[str, Any]]:
        """What the first process has logged of a kind of event."""
        return [line for line in self.processes[0].program.json_lines() if event == line.get("event")]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory, running_tickets: SandboxApp) -> Iterator[Site]:
    """The processes, with an empty directory of connectors."""
    folder = tmp_path_factory.mktemp("reloading")
    directory = folder / "connectors"
    directory.mkdir()
    host = running_tickets.url.removeprefix("http://")
    options = ("--connectors", str(directory), "--allow-host", host)
    with service(folder / "data", *options) as first:
        application = {"app_key": first.app_key, "app_secret": first.app_secret}
        with service(folder / "data", *options, application=application) as second:
            yield Site(directory, (first, second), running_tickets)


@pytest.fixture
def site(started: Site) -> Iterator[Site]:
    """The same with one connector, which both processes have taken over."""
    helpline(started.sandbox.url).write(started.directory, "helpline")
    started.until(lambda api: 200 == api.get("/functions/helpline-open-case").status_code)
    yield started
    shutil.rmtree(started.folder, ignore_errors=True)
    started.until(lambda api: 404 == api.get("/apps/helpline").status_code)


def test_an_added_app_is_there_with_all_that_belongs_to_it(site: Site) -> None:
    """In both processes: one id, functions, an icon, a place in lists and predictions; gone and back, the same id."""
    first, second = (process.api("ann") for process in site.processes)
    ask = {"predict_function": "true", "predict_arguments": "true", "prompt": 'open a helpline case "Wet floor"'}
    with first, second:
        app = first.get("/apps/helpline").json()
        icon = httpx.URL(app["icon_url"]).path
        names = [each["name"] for each in first.get("/functions", params={"app": "helpline"}).json()["functions"]]
        (found,) = first.get("/functions", params=ask).json()["functions"]

        assert app["id"] == second.get("/apps/helpline").json()["id"]
        assert ["helpline-list-projects", "helpline-open-case", "helpline-passthrough-request"] == names
        assert 200 == first.get(icon).status_code
        assert "helpline" in [each["name"] for each in second.get("/apps").json()["apps"]]
        assert ("helpline-open-case", "Wet floor") == (found["name"], found["arguments"]["subject"])

        shutil.move(site.folder, site.directory.parent / "away")
        site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
        refused = first.post(OPEN_CASE, json={})
        assert (404, "unknown_function") == (refused.status_code, refused.json()["error_details"][0]["code"])
        remaining = [each["name"] for each in first.get("/functions", params=ask).json()["functions"]]
        assert "helpline-open-case" not in remaining

        shutil.move(site.directory.parent / "away", site.folder)
        site.until(lambda api: 200 == api.get("/apps/helpline").status_code)
        assert app["id"] == first.get("/apps/helpline").json()["id"]


def test_changed_files_take_effect_in_calls_forms_and_icons(site: Site) -> None:
    """What is asked for next is answered by the new files; the icon has another address."""
    account = connect_by_key(site.processes[0], "ann", site.sandbox.api_keys["alice"], app="helpline")
    with site.processes[1].api("ann") as api:
        icon = api.get("/apps/helpline").json()["icon_url"]
        replace_text(site.folder / "icon.svg", "0 0 1 1", "0 0 3 3")
        function = site.folder / "functions" / "open-case.yaml"
        replace_text(function, "title: ${args.subject}", "title: 'Case: ${args.subject}'")
        replace_text(function, "title: Subject", "title: Concern")
        site.until(lambda api: icon != api.get("/apps/helpline").json()["icon_url"])
        answer = api.post(OPEN_CASE, json={"subject": "Door", "project": "documentation"}).json()
        parameters = api.get(OPEN_CASE).json()["parameters"]

        (kept,) = api.get("/apps/helpline").json()["connected_accounts"]

    assert ("201", "Case: Door") == (answer["network_code"], answer["output"]["title"])
    assert "Concern" == parameters["properties"]["subject"]["title"]
    assert account == kept["id"]


def test_an_app_that_goes_while_the_body_of_a_call_comes(site: Site) -> None:
    """The call is the one that its head asked for: it is answered by what there was then, and no defect."""
    first = site.processes[0]
    address = httpx.URL(first.url)
    headers = {**first.headers("dan"), "Content-Type": "application/json", "Content-Length": "2", "Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with socket.create_connection((address.host, address.port or 80), timeout=30) as connection:
        connection.sendall(f"POST {LIST_PROJECTS} HTTP/1.1\r\nHost: {address.host}\r\n{head}\r\n{{".encode())
        shutil.move(site.folder, site.directory.parent / "away")
        site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
        shutil.move(site.directory.parent / "away", site.folder)
        connection.sendall(b"}")
        answer = b"".join(iter(lambda: connection.recv(65_536), b"")).decode()

    assert answer.startswith("HTTP/1.1 400 "), answer
    assert '"code":"not_connected"' in answer


def test_a_call_under_way_ends_on_the_old_definition_and_open_pages_follow(site: Site) -> None:
    """A change or a removal disturbs no call that has been sent; the page of an open session shows the app as it is."""
    first = site.processes[0]
    connect_by_key(first, "bea", site.sandbox.api_keys["bob"], app="helpline")
    with first.api("bea") as api, http(first.url) as browser, ThreadPoolExecutor() as pool:
        session = api.post("/apps/helpline/connect_sessions", json={}).json()
        page = session["url"].removeprefix(first.url)
        assert "Helpline" in browser.get(page).text
        for change in ("changed", "removed"):
            site.sandbox.fault("/api/v1/projects", "slow", seconds=SLOW_SECONDS)
            seen = len(site.sandbox.received("/api/v1/projects"))
            calling = pool.submit(api.post, LIST_PROJECTS, json={})
            first.program.wait_until(lambda seen=seen: len(site.sandbox.received("/api/v1/projects")) > seen or None)
            if change == "changed":
                replace_text(site.folder / "functions" / "list-projects.yaml", "output: items", "output: items[0].id")
                replace_text(site.folder / "connector.yaml", "title: Helpline", "title: Careline")
                site.until(lambda api: "Careline" == api.get("/apps/helpline").json()["title"])
                assert "Careline" in browser.get(page).text
            else:
                shutil.rmtree(site.folder)
                site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
                assert "This app is no longer available." in browser.get(page).text
            assert not calling.done()
            answer = calling.result()

            assert (200, "200") == (answer.status_code, answer.json()["network_code"])
            assert (list if change == "changed" else str) is type(answer.json()["output"])
        assert "failed" == api.get(f"/connect_sessions/{session['id']}").json()["status"]


def test_a_broken_file_keeps_the_last_good_version(site: Site) -> None:
    """A mistake is logged once, with its place; the app stays as it was, one of the service's own too; others go on."""
    file = site.folder / "functions" / "open-case.yaml"
    fixed = "connectors.mended"
    replace_text(file, "\ntitle: Open a case", "\ntitel: Open a case")
    site.until(lambda _: bool(site.lines(PROBLEM)))
    line = file.read_text().splitlines().index("titel: Open a case") + 1
    other = helpline(site.sandbox.url)
    other.connector |= {"name": "beside", "title": "Beside"}
    other.write(site.directory, "beside")
    site.until(lambda api: 200 == api.get("/apps/beside").status_code)
    logged = [each for each in site.lines(PROBLEM) if "unknown key" in each["problem"]]

    assert [(str(file), line, "titel")] == [(each["file"], each["line"], each["key"]) for each in logged]
    assert "did you mean 'title'?" in logged[0]["problem"]
    assert "error" == logged[0]["level"]
    other.connector |= {"name": "sandbox"}
    other.write(site.directory, "sandbox")
    taken = "there is another connector named 'sandbox'"
    site.until(lambda _: any(taken in line["problem"] for line in site.lines(PROBLEM)))
    with site.processes[0].api("ann") as api:
        assert "Open a case" == api.get(OPEN_CASE, params={"include": "meta"}).json()["meta"]["title"]
        assert "Tickets sandbox" == api.get("/apps/sandbox").json()["title"]

    for folder in ("beside", "sandbox"):
        shutil.rmtree(site.directory / folder)
    replace_text(file, "\ntitel: Open a case", "\ntitle: Begin a case")
    site.until(lambda api: "Begin a case" == api.get(OPEN_CASE, params={"include": "meta"}).json()["meta"]["title"])
    site.until(lambda _: 1 == len(site.lines(fixed)))
