"""
Installed from the released files alone, far from any source tree and without Node, everything works.

The service is installed as container image and systemd unit have it: by the release's own script, where nobody writes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.real_apps.running import Running, free_port, running

from .conftest import Environment, Released
from .trees import ROOT

pytestmark = pytest.mark.slow

INSTALLER = ROOT / "deploy" / "install.sh"
LOCK = ROOT / "requirements-server.lock"
CONTAINERFILE = (ROOT / "deploy" / "container" / "Containerfile").read_text()
ANYBODY = "10001"
OUR_OWN = {"integration-functions-service", "service-client"}
IMPORT_EVERYTHING = """
import importlib, json, pkgutil, shutil, sys
from importlib.metadata import distributions

assert shutil.which("node") is None
RUN_BY_OTHERS = ("__main__", "service_server.store.migrations.env")  # by Python, by Alembic
EXTRAS = ("tools.langchain", "tools.llama_index", "tools.openai_agents", "tools.pydantic_ai")  # of the client
EXTRAS += ("predict.encoder.graph",)  # builds the model, which is packed already
names = []
for package in sys.argv[1:]:
    names.append(package)
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not module.name.endswith(RUN_BY_OTHERS + EXTRAS):
            importlib.import_module(module.name)
            names.append(module.name)
files = [str(module.__file__) for name, module in sys.modules.items() if name in names]
outside = [file for file in files if not file.startswith(sys.prefix)]
installed = [each.name.lower().replace("_", "-").replace(".", "-") for each in distributions()]
print(json.dumps({"names": names, "outside": outside, "installed": installed}))
"""


def imported(environment: Environment, *packages: str) -> tuple[set[str], set[str]]:
    """Import every module of packages in an environment, all of them from there; their names, and what is installed."""
    found: dict[str, Any] = json.loads(environment.run("python", "-I", "-c", IMPORT_EVERYTHING, *packages))
    assert [] == found["outside"]
    return set(found["names"]), set(found["installed"])


def test_the_client_alone_imports(client_environment: Environment) -> None:
    """Every module of the client imports where nothing is installed but what it asked for."""
    names, installed = imported(client_environment, "service_client")

    assert {"service_client.transports.fetch", "service_client.testing.fake_service"} <= names
    assert {"attrs", "cattrs", "httpx", "service-client"} <= installed
    assert not {"integration-functions-service", "litestar", "numpy", "babel"} & installed


def test_every_module_of_the_server_imports(server_environment: Environment) -> None:
    """Every module imports where what the lock names is installed, and no more; the script saw no versions clash."""
    names, installed = imported(server_environment, "service_server", "servicejs", "web_assets")
    locked = set(re.findall(r"^([a-z0-9-]+)==", LOCK.read_text(), re.MULTILINE))

    assert {"service_server.app", "service_server.predict.reader.places", "servicejs.service_js"} <= names
    assert installed <= locked | OUR_OWN | {"pip", "setuptools"}
    assert OUR_OWN | {"litestar", "prometheus-client"} <= installed
    assert not {"hatchling", "onnx", "pyodide-lock", "pytest", "safetensors"} & installed


def test_the_command_finds_what_is_packed(server_environment: Environment) -> None:
    """The connectors, the model without a further step (words alone don't find the function), and other languages."""
    listed = json.loads(server_environment.run("service-server", "connector", "list", "--json"))
    asked = ("service-server", "predict", "who pushed to acme/web lately?")

    assert {"sandbox", "github"} <= {app["name"] for app in listed}
    assert "github-list-commits" in server_environment.run(*asked).splitlines()[1]
    assert "github-list-commits" not in server_environment.run(*asked, "--without-model").splitlines()[1]
    asked_in_german = ("service-server", "predict", "zeig mir die Commits in acme/web")
    assert "-list-commits" in server_environment.run(*asked_in_german).splitlines()[1]


def variables(environment: Environment, **more: str) -> dict[str, str]:
    """What programs of an image see of the world."""
    path = f"{environment.folder / 'bin'}:/usr/bin:/bin"
    return {"PATH": path, "LANG": "C.UTF-8", "HOME": tempfile.gettempdir(), **more}


def as_anybody(environment: Environment) -> list[str]:
    """What comes before a command, so that it runs as a user who may write to nothing: where that is possible."""
    command = ["setpriv", f"--reuid={ANYBODY}", f"--regid={ANYBODY}", "--clear-groups"]
    if os.geteuid() or subprocess.run([*command, environment.program("python"), "-V"], capture_output=True).returncode:
        return []
    return command


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of a folder with their sizes and when they were written."""
    found = {path: path.lstat() for path in folder.rglob("*")}
    return {str(path): (status.st_size, status.st_mtime_ns) for path, status in found.items() if not path.is_dir()}


@pytest.fixture
def data() -> Iterator[Path]:
    """A data directory that belongs to whom the service runs as."""
    with tempfile.TemporaryDirectory(prefix="functions-data-") as name:
        if not os.geteuid():
            os.chown(name, int(ANYBODY), int(ANYBODY))
        yield Path(name)


@pytest.fixture
def serving(server_environment: Environment, data: Path) -> Iterator[tuple[Running, int]]:
    """The image's own command, with the image's settings but for the folder and the port; and that port."""
    port = free_port()
    settings = dict(re.findall(r"\b(SERVICE_\w+)=(\S+)", CONTAINERFILE))
    settings |= {"SERVICE_DATA_DIR": str(data), "SERVICE_PORT": str(port), "SERVICE_HOST": "127.0.0.1"}
    program, *rest = [each for name in ("ENTRYPOINT", "CMD") for each in json.loads(instruction(name))]
    given = [f"{name}={value}" for name, value in variables(server_environment, **settings).items()]
    command = ["env", "-i", *given, *as_anybody(server_environment), server_environment.program(program), *rest]
    with running(command) as started:
        started.answers(f"http://127.0.0.1:{port}/ready")
        yield started, port


def instruction(name: str) -> str:
    """What the Containerfile says after a word at the beginning of a line."""
    (found,) = re.findall(rf"^{name} (.*)$", CONTAINERFILE, re.MULTILINE)
    return str(found)


def healthy(environment: Environment, port: int) -> bool:
    """What the image's health check says."""
    (check,) = re.findall(r"^HEALTHCHECK .*\\\n +CMD (\[.*\])$", CONTAINERFILE, re.MULTILINE)
    program, *rest = json.loads(check)
    command = [*as_anybody(environment), environment.program(program), *rest]
    return not subprocess.run(
        command, env=variables(environment, SERVICE_PORT=str(port)), capture_output=True
    ).returncode


def test_it_serves_from_a_folder_that_it_does_not_write_to(
    server_environment: Environment, data: Path, serving: tuple[Running, int]
) -> None:
    """Ready, and healthy by the image's check; with the model, and with all that it keeps in the data directory."""
    before = contents(server_environment.folder)
    _, port = serving
    program = server_environment.program("service-server")
    checked = subprocess.run(
        [*as_anybody(server_environment), program, "check", "--json", "--data-dir", data],
        env=variables(server_environment),
        capture_output=True,
        text=True,
    )
    told = {each["about"]: each for each in json.loads(checked.stdout)}

    assert healthy(server_environment, port)
    assert not healthy(server_environment, free_port())
    assert "ok" == told["Model"]["state"], told["Model"]
    assert str(server_environment.folder) in told["Model"]["message"]
    assert {"service.db", "vault.key"} <= {each.name for each in data.iterdir()}
    assert before == contents(server_environment.folder)


def test_a_package_with_another_digest_is_refused(
    tmp_path: Path, server_environment: Environment, client: Released, server: Released
) -> None:
    """Nothing is installed that the lock of a release does not know, and what was there before an upgrade stays."""
    folder = server_environment.folder
    before = contents(folder / "lib")
    for file in (client.wheel, server.wheel, INSTALLER):
        shutil.copy(file, tmp_path)
    (tmp_path / LOCK.name).write_text(f"attrs==25.1.0 --hash=sha256:{'0' * 64}\n")
    command = ["sh", str(tmp_path / INSTALLER.name), str(tmp_path), str(folder)]
    done = subprocess.run(command, env={**os.environ, "PYTHON": sys.executable}, capture_output=True, text=True)

    assert 0 != done.returncode
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert [] == list(folder.glob("lib/*/site-packages/attrs-25.1.0.dist-info"))
    assert before.keys() <= contents(folder / "lib").keys()


def test_the_image_installs_by_the_same_script() -> None:
    """What the tests above run is what the image is made by."""
    assert "\nRUN sh /release/install.sh /release /opt/functions\n" in CONTAINERFILE
