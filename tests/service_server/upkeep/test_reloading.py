"""Connector files that change under a running service."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import frozen

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import make_fault, received
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
                process.program.wait_until(lambda api=api: holds(api) or None)  # type: ignore[misc]

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


def description_of(api: httpx.Client) -> str:
    """The description of the function that opens cases."""
    description: str = api.get(OPEN_CASE).json()["description"]
    return description


def test_an_added_app_is_there_with_all_that_belongs_to_it(site: Site) -> None:
    """Within seconds both processes list it, under one id, with its functions, its icon, and a place in the order."""
    first, second = (process.api("ann") for process in site.processes)
    with first, second:
        app = first.get("/apps/helpline").json()
        icon = httpx.URL(app["icon_url"]).path
        names = [each["name"] for each in first.get("/functions", params={"app": "helpline"}).json()["functions"]]

        assert app["id"] == second.get("/apps/helpline").json()["id"]
        assert ["helpline-list-projects", "helpline-open-case", "helpline-passthrough-request"] == names
        assert 200 == first.get(icon).status_code
        assert "helpline" in [each["name"] for each in second.get("/apps").json()["apps"]]


def test_an_app_that_comes_back_has_its_id_again(site: Site) -> None:
    """An app's id stays the name's own while its folder is away."""
    with site.processes[0].api("ann") as api:
        before = api.get("/apps/helpline").json()["id"]
        shutil.move(site.folder, site.directory.parent / "away")
        site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
        assert (404, "unknown_function") == error_of(api.post(OPEN_CASE, json={}))
        shutil.move(site.directory.parent / "away", site.folder)
        site.until(lambda api: 200 == api.get("/apps/helpline").status_code)

        assert before == api.get("/apps/helpline").json()["id"]


def error_of(response: httpx.Response) -> tuple[int, str]:
    """Status and code of an error."""
    return response.status_code, response.json()["error_details"][0]["code"]


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

    assert ("201", "Case: Door") == (answer["network_code"], answer["output"]["title"])
    assert "Concern" == parameters["properties"]["subject"]["title"]
    assert account == connected(site)[0]["id"]


def connected(site: Site) -> list[dict[str, Any]]:
    """The accounts that Ann has connected."""
    with site.processes[0].api("ann") as api:
        accounts: list[dict[str, Any]] = api.get("/apps/helpline").json()["connected_accounts"]
    return accounts


def test_a_call_under_way_ends_on_the_old_definition(site: Site) -> None:
    """Neither a change nor a removal disturbs a call whose request has been sent: its answer is shaped as before."""
    connect_by_key(site.processes[0], "bea", site.sandbox.api_keys["bob"], app="helpline")
    for change in ("changed", "removed"):
        make_fault(site.sandbox, "/api/v1/projects", "slow", seconds=SLOW_SECONDS)
        seen = len(received(site.sandbox, "/api/v1/projects"))
        with site.processes[0].api("bea") as api, ThreadPoolExecutor() as pool:
            calling = pool.submit(api.post, LIST_PROJECTS, json={})
            site.processes[0].program.wait_until(
                lambda seen=seen: len(received(site.sandbox, "/api/v1/projects")) > seen or None
            )
            if change == "changed":
                replace_text(site.folder / "functions" / "list-projects.yaml", "output: items", "output: items[0].id")
                replace_text(site.folder / "connector.yaml", "title: Helpline", "title: Careline")
                site.until(lambda api: "Careline" == api.get("/apps/helpline").json()["title"])
            else:
                shutil.rmtree(site.folder)
                site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
            answer = calling.result()

        assert (200, "200") == (answer.status_code, answer.json()["network_code"])
        assert (list if change == "changed" else str) is type(answer.json()["output"])


def test_a_broken_file_keeps_the_last_good_version(site: Site) -> None:
    """A mistake is logged with file, line and key, once; the app stays as it was, and others go on changing."""
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
    with site.processes[0].api("ann") as api:
        assert "Open a case" == api.get(OPEN_CASE, params={"include": "meta"}).json()["meta"]["title"]

    shutil.rmtree(site.directory / "beside")
    replace_text(file, "\ntitel: Open a case", "\ntitle: Begin a case")
    site.until(lambda api: "Begin a case" == api.get(OPEN_CASE, params={"include": "meta"}).json()["meta"]["title"])
    site.until(lambda _: 1 == len(site.lines(fixed)))


def test_an_app_of_the_service_itself_is_not_replaced(site: Site) -> None:
    """A folder with a name that the service has already is a problem, and the service's own app stays."""
    shutil.copytree(site.folder, site.directory / "sandbox")
    replace_text(site.directory / "sandbox" / "connector.yaml", "name: helpline", "name: sandbox")
    message = "there is another connector named 'sandbox'"
    site.until(
        lambda _: any(
            message in line["problem"] for line in site.processes[0].program.json_lines() if "problem" in line
        )
    )
    shutil.rmtree(site.directory / "sandbox")
    with site.processes[0].api("ann") as api:
        assert "Tickets sandbox" == api.get("/apps/sandbox").json()["title"]


def test_an_open_connect_session_follows(site: Site) -> None:
    """A page of a session that is still open shows the app as it is now, and says when it is gone."""
    first = site.processes[0]
    with first.api("cleo") as api, http(first.url) as browser:
        session = api.post("/apps/helpline/connect_sessions", json={}).json()
        page = session["url"].removeprefix(first.url)
        assert "Helpline" in browser.get(page).text
        replace_text(site.folder / "connector.yaml", "title: Helpline", "title: Careline")
        site.until(lambda api: "Careline" == api.get("/apps/helpline").json()["title"])
        assert "Careline" in browser.get(page).text
        shutil.rmtree(site.folder)
        site.until(lambda api: 404 == api.get("/apps/helpline").status_code)

        assert "This app is no longer available." in browser.get(page).text
        assert "failed" == api.get(f"/connect_sessions/{session['id']}").json()["status"]


def test_prediction_follows(site: Site) -> None:
    """A prompt finds what has been added, and no longer what has been removed."""
    ask = {"predict_function": "true", "predict_arguments": "true", "prompt": 'open a helpline case "Wet floor"'}
    with site.processes[0].api("ann") as api:
        (found,) = api.get("/functions", params=ask).json()["functions"]
        assert ("helpline-open-case", "Wet floor") == (found["name"], found["arguments"]["subject"])
        shutil.rmtree(site.folder)
        site.until(lambda api: 404 == api.get("/apps/helpline").status_code)
        remaining = [each["name"] for each in api.get("/functions", params=ask).json()["functions"]]

    assert "helpline-open-case" not in remaining
