"""A release is put in the place of the one before while the service is used, and taken back."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field, frozen

from service_server.rest.gateway import SERVICE_VERSION
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import Running, free_port, running
from tests.service_server.cli.keep_release import KEPT, ROOT
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import note_database, rows
from tests.service_server.processes import UNLIMITED, RunningService

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from service_server.cli import main; main()"]


@frozen
class Releases:
    """The release of this working tree (`now`) and the one before it, in a folder each."""

    folder: Path

    @classmethod
    def in_folder(cls, folder: Path) -> "Releases":
        """Both, of which the one before says so in its answers."""
        left_out = shutil.ignore_patterns("__pycache__", "connectors")
        for package in ("service_client", "service_server", "servicejs", "web_assets"):
            shutil.copytree(ROOT / package, folder / "now" / package, copy_function=os.symlink, ignore=left_out)
        # What has been read of them is kept by the folder that they really are in.
        connectors = Path("service_server") / "connectors"
        (folder / "now" / connectors).symlink_to(ROOT / connectors)
        with tarfile.open(KEPT) as kept:
            kept.extractall(folder / "before", filter="data")
        gateway = folder / "before" / "service_server" / "rest" / "gateway.py"
        gateway.write_text(f"{gateway.read_text()}\nSERVICE_VERSION = 'before'\n")
        return cls(folder)


@define
class Installed:
    """A folder in which one release or the other is installed, whose programs import what is there."""

    folder: Path
    database_url: str
    releases: Releases

    @property
    def environment(self) -> dict[str, str]:
        """What programs are given; each release has beside its modules what Python compiles of them."""
        compiled_beside = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
        found = {"PYTHONPATH": str(self.folder / "current"), "SERVICE_DATABASE": self.database_url}
        return {**found, **compiled_beside, **UNLIMITED}

    def use(self, release: str) -> None:
        """Install a release in the place of the other."""
        (self.folder / "next").symlink_to(self.releases.folder / release)
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


@define
class Load:
    """Users who list functions, and call queries and mutations, all the time."""

    service: RunningService
    titles: list[str] = field(factory=list)
    failures: list[str] = field(factory=list)
    _stopped: threading.Event = field(factory=threading.Event)
    _threads: list[threading.Thread] = field(factory=list)

    def __enter__(self) -> "Load":
        self._threads = [threading.Thread(target=self._ask, args=(kind,)) for kind in ("list", "query", "mutation")]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, kind: str) -> None:
        numbers = itertools.count(1)
        while not self._stopped.is_set():
            with self.service.api("ann") as api:  # some requests on each connection
                for number in itertools.islice(numbers, 20):
                    try:
                        if kind == "list":
                            answer = api.get("/functions")
                        elif kind == "query":
                            answer = api.post("/functions/sandbox-list-projects")
                        else:
                            ticket = {"title": f"Ticket {number}", "project_id": "office"}
                            answer = api.post("/functions/sandbox-create-ticket", json=ticket)
                            self.titles += [ticket["title"]] if answer.is_success else []
                        if not answer.is_success:
                            self.failures.append(answer.text)
                    except Exception as failure:
                        self.failures.append(repr(failure))
                    # Without a pause they would take the processors from the workers that are being started.
                    if self._stopped.wait(0.01):
                        break


def _relieved(program: Running, times: int) -> bool:
    """Whether all workers have been replaced so often."""
    told = program.output()
    assert '"worker.not_relieved"' not in told, told
    return told.count('"worker.all_relieved"') == times


def _version(service: RunningService) -> str:
    """Which release answers a new connection."""
    with service.api("ann") as api:
        return api.get("/apps").headers["service-version"]


@pytest.fixture
def app() -> Iterator[SandboxApp]:
    """An app of its own, whose tickets are counted."""
    with sandbox_app("http://127.0.0.1/oauth/callback") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    """Both releases."""
    return Releases.in_folder(tmp_path_factory.mktemp("releases"))


def test_a_release_is_upgraded_and_taken_back_under_load(
    app: SandboxApp, releases: Releases, tmp_path: Path, database_url: str
) -> None:
    """By the reload that systemd does: no request fails, no call is lost or made twice, and accounts stay connected."""
    note_database(tmp_path / "data", database_url)
    installed = Installed(tmp_path, database_url, releases)
    installed.use("before")
    application = json.loads(installed.run("application", "create", "Host", "--json"))
    variables = ("--var", f"base_url={app.url}", "--client-id", "client", "--client-secret-file", "-")
    installed.run("app", "configure", "sandbox", *variables, said="secret")
    options = ("--data-dir", str(tmp_path / "data"), "--port", str(free_port()), "--workers", "2")
    allowed = ("--allow-host", app.url.removeprefix("http://"))
    with running([*COMMAND, "serve", *options, *allowed], env=installed.environment, cwd=tmp_path) as program:
        url = program.first_json_line("url")["url"]
        program.answers(f"{url}/health")
        service = RunningService(url, tmp_path / "data", program, application["app_key"], application["app_secret"])
        connect_by_key(service, "ann", app.api_keys["alice"])
        with service.api("ann") as api, Load(service) as load:
            assert "before" == _version(service)
            for times, (release, version) in enumerate({"now": SERVICE_VERSION, "before": "before"}.items(), 1):
                installed.use(release)
                program.process.send_signal(signal.SIGHUP)
                program.wait_until(lambda times=times: _relieved(program, times) or None)  # type: ignore[misc]
                # A worker that was just told to leave may still take a connection.
                program.wait_until(lambda version=version: version == _version(service) or None)  # type: ignore[misc]
            assert api.get("/apps/sandbox").json()["connected_accounts"]

    assert [] == load.failures
    assert len(load.titles) == len(set(load.titles)) > 0
    finished = "SELECT count(*) FROM calls WHERE function_name = 'sandbox-create-ticket' AND outcome = 'finished'"
    assert [(len(load.titles),)] == rows(database_url, finished)
