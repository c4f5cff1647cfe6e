"""A release is put in the place of the one before while the service is used, and taken back."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from service_server.rest.gateway import SERVICE_VERSION
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import ROOT, Running, free_port, running
from tests.service_server.cli.keep_release import KEPT
from tests.service_server.cli.worker_processes import have_ended, workers_of
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import note_database, rows
from tests.service_server.going_on import Deed, going_on
from tests.service_server.processes import UNLIMITED, RunningService
from tests.service_server.telemetry.watched_service import Watched

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from service_server.cli import main; main()"]


@frozen
class Installed:
    """A folder in which one release or the other is installed, whose programs import what is there."""

    folder: Path
    database_url: str
    release_before: Path

    @property
    def environment(self) -> dict[str, str]:
        """What programs are given; each release has beside its modules what Python compiles of them."""
        compiled_beside = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
        found = {"PYTHONPATH": str(self.folder / "current"), "SERVICE_DATABASE": self.database_url}
        return {**found, **compiled_beside, **UNLIMITED}

    def use(self, release: str) -> None:
        """Install a release in the place of the other: this working tree (`now`), or the one before it."""
        (self.folder / "next").symlink_to(ROOT if release == "now" else self.release_before)
        (self.folder / "next").replace(self.folder / "current")

    def run(self, *arguments: str, said: str = "") -> str:
        """Run a command of the release in use."""
        return subprocess.run(
            [*COMMAND, *arguments, "--data-dir", str(self.folder / "data")],
            cwd=self.folder,
            env={**os.environ, **self.environment},
            input=said,
            capture_output=True,
            text=True,
            check=True,
        ).stdout


REQUESTS = 20  # on each connection


def load(service: RunningService, titles: list[str]) -> list[tuple[str, Deed]]:
    """Users who list functions, and call queries and mutations, whose tickets are noted."""

    def asking(path: str, *, makes: bool = False) -> Deed:
        def ask(turn: int) -> None:
            with service.api("ann") as api:
                for number in range(turn * REQUESTS, (turn + 1) * REQUESTS):
                    ticket = {"title": f"Ticket {number}", "project_id": "office"}
                    answer = api.get(path) if path == "/functions" else api.post(path, json=ticket if makes else {})
                    assert answer.is_success, answer.text
                    titles.extend([ticket["title"]] * makes)
                    # Without a pause they would take the processors from the workers that are being started.
                    time.sleep(0.02)

        return ask

    called = {"query": asking("/functions/sandbox-list-projects"), "list": asking("/functions")}
    return [*called.items(), ("mutation", asking("/functions/sandbox-create-ticket", makes=True))]


def _version(service: RunningService) -> str:
    """Which release answers a new connection."""
    with service.api("ann") as api:
        return api.get("/apps").headers["service-version"]


def _relieved(program: Running, times: int) -> bool:
    """Whether all workers have been replaced so often."""
    told = program.output()
    assert '"worker.not_relieved"' not in told, told
    return told.count('"worker.all_relieved"') == times


@pytest.fixture
def app() -> Iterator[SandboxApp]:
    """An app of its own, whose tickets are counted."""
    with sandbox_app("http://127.0.0.1/oauth/callback") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def release_before(pytestconfig: pytest.Config) -> Path:
    """The folder of the release before, which says so in its answers; kept, since compiling it takes long."""
    folder = pytestconfig.cache.mkdir("releases") / hashlib.sha256(KEPT.read_bytes()).hexdigest()
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=folder.parent) as begun, tarfile.open(KEPT) as kept:
            made = Path(begun, "release")
            kept.extractall(made, filter="data")
            with (made / "service_server" / "rest" / "gateway.py").open("a") as gateway:
                gateway.write("\nSERVICE_VERSION = 'before'\n")
            made.rename(folder)
    return folder


def test_a_release_is_upgraded_and_taken_back_under_load(
    app: SandboxApp, release_before: Path, tmp_path: Path, database_url: str
) -> None:
    """By systemd's reload: no request fails, no call is lost or made twice, accounts stay, and figures are told."""
    note_database(tmp_path / "data", database_url)
    installed = Installed(tmp_path, database_url, release_before)
    installed.use("before")
    application = json.loads(installed.run("application", "create", "Host", "--json"))
    variables = ("--var", f"base_url={app.url}", "--client-id", "client", "--client-secret-file", "-")
    installed.run("app", "configure", "sandbox", *variables, said="secret")
    metrics = free_port()
    options = ("--data-dir", str(tmp_path / "data"), "--port", str(free_port()), "--workers", "2")
    ports = ("--allow-host", app.url.removeprefix("http://"), "--metrics-port", str(metrics))
    with running([*COMMAND, "serve", *options, *ports], env=installed.environment, cwd=tmp_path) as program:
        url = program.first_json_line("url")["url"]
        program.answers(f"{url}/health")
        service = RunningService(url, tmp_path / "data", program, application["app_key"], application["app_secret"])
        watched = Watched(service, app, f"http://127.0.0.1:{metrics}/metrics")
        connect_by_key(service, "ann", app.api_keys["alice"])
        versions = [_version(service)]
        titles: list[str] = []
        with going_on(*load(service, titles)) as told:
            for times, release in enumerate(("now", "before"), 1):
                relieved = workers_of(service)
                installed.use(release)
                program.process.send_signal(signal.SIGHUP)
                program.wait_until(lambda times=times: _relieved(program, times) or None)
                program.wait_until(lambda relieved=relieved: have_ended(relieved) or None)
                versions.append(_version(service))
                assert {str(pid) for pid in workers_of(service)} == watched.processes()
        with service.api("ann") as api:
            assert api.get("/apps/sandbox").json()["connected_accounts"]

    assert ["before", SERVICE_VERSION, "before"] == versions
    assert [] == told.failures
    assert len(titles) == len(set(titles)) > 0
    finished = "SELECT count(*) FROM calls WHERE function_name = 'sandbox-create-ticket' AND outcome = 'finished'"
    assert [(len(titles),)] == rows(database_url, finished)
