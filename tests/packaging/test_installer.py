"""What container image and systemd unit run: a release, installed by its own script, that nobody may write to."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real_apps.running import Running, free_port, running

from .conftest import Released, kept
from .trees import ROOT

INSTALLER = ROOT / "deploy" / "install.sh"
LOCK = ROOT / "requirements-server.lock"
CONTAINERFILE = ROOT / "deploy" / "container" / "Containerfile"
ANYBODY = "10001"

pytestmark = pytest.mark.slow


def variables(folder: Path, **more: str) -> dict[str, str]:
    """What programs of an installation see of the world."""
    return {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": tempfile.gettempdir(), **more}


def as_anybody(folder: Path) -> list[str]:
    """What comes before a command, so that it runs as a user who may write to nothing: where that is possible."""
    command = ["setpriv", f"--reuid={ANYBODY}", f"--regid={ANYBODY}", "--clear-groups"]
    if os.geteuid() or subprocess.run([*command, folder / "bin" / "python", "-V"], capture_output=True).returncode:
        return []
    return command


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of a folder with their sizes and when they were written."""
    found = {path: path.lstat() for path in folder.rglob("*")}
    return {str(path): (status.st_size, status.st_mtime_ns) for path, status in found.items() if not path.is_dir()}


@pytest.fixture(scope="module")
def installed(client: Released, server: Released, pytestconfig: pytest.Config) -> Path:
    """A folder with a release in it, made by the script that the release carries."""

    def make(folder: Path) -> None:
        release = folder / "release"
        release.mkdir()
        for file in (client.wheel, server.wheel, INSTALLER, LOCK):
            shutil.copy(file, release)
        command = ["sh", str(release / INSTALLER.name), str(release), str(folder / "functions")]
        done = subprocess.run(
            command, env={**os.environ, "PYTHON": sys.executable, "PIP_NO_COMPILE": "1"}, capture_output=True, text=True
        )
        assert 0 == done.returncode, done.stdout + done.stderr

    inputs = (client.wheel, server.wheel, INSTALLER, LOCK)
    of = "\n".join([sys.version, *(hashlib.sha256(file.read_bytes()).hexdigest() for file in inputs)])
    return kept(pytestconfig, "installed_release", of, make) / "functions"


@pytest.fixture
def data() -> Iterator[Path]:
    """A data directory that belongs to whom the service runs as."""
    with tempfile.TemporaryDirectory(prefix="functions-data-") as name:
        if not os.geteuid():
            os.chown(name, int(ANYBODY), int(ANYBODY))
        yield Path(name)


@pytest.fixture
def serving(installed: Path, data: Path) -> Iterator[tuple[Running, int]]:
    """The image's own command, with the image's settings but for the folder and the port; and that port."""
    port = free_port()
    settings = dict(re.findall(r"\b(SERVICE_\w+)=(\S+)", CONTAINERFILE.read_text()))
    settings |= {"SERVICE_DATA_DIR": str(data), "SERVICE_PORT": str(port), "SERVICE_HOST": "127.0.0.1"}
    words = [each for name in ("ENTRYPOINT", "CMD") for each in json.loads(instruction(name))]
    given = [f"{name}={value}" for name, value in variables(installed, **settings).items()]
    with running(["env", "-i", *given, *as_anybody(installed), installed / "bin" / words[0], *words[1:]]) as program:
        program.answers(f"http://127.0.0.1:{port}/ready")
        yield program, port


def instruction(name: str) -> str:
    """What the Containerfile says after a word at the beginning of a line."""
    (found,) = re.findall(rf"^{name} (.*)$", CONTAINERFILE.read_text(), re.MULTILINE)
    return str(found)


def healthy(installed: Path, port: int) -> bool:
    """What the image's health check says."""
    (check,) = re.findall(r"^HEALTHCHECK .*\\\n +CMD (\[.*\])$", CONTAINERFILE.read_text(), re.MULTILINE)
    program, *rest = json.loads(check)
    environment = variables(installed, SERVICE_PORT=str(port))
    command = [*as_anybody(installed), installed / "bin" / program, *rest]
    return subprocess.run(command, env=environment, capture_output=True).returncode == 0


def test_it_serves_from_a_folder_that_it_does_not_write_to(
    installed: Path, data: Path, serving: tuple[Running, int]
) -> None:
    """Ready, and healthy by the image's check; with the model, and with all that it keeps in the data directory."""
    before = contents(installed)
    _, port = serving
    checked = subprocess.run(
        [*as_anybody(installed), installed / "bin" / "service-server", "check", "--json", "--data-dir", data],
        env=variables(installed),
        capture_output=True,
        text=True,
    )
    told = {each["about"]: each for each in json.loads(checked.stdout)}

    assert healthy(installed, port)
    assert not healthy(installed, free_port())
    assert "ok" == told["Model"]["state"], told["Model"]
    assert str(installed) in told["Model"]["message"]
    assert {"service.db", "vault.key"} <= {each.name for each in data.iterdir()}
    assert before == contents(installed)


def test_it_holds_what_the_lock_names_and_no_more(installed: Path) -> None:
    """Neither what builds a release nor what tests it gets into an image."""
    listed = subprocess.run(
        [installed / "bin" / "python", "-m", "pip", "list", "--format=json"],
        env=variables(installed),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = {each["name"].lower().replace("_", "-").replace(".", "-") for each in json.loads(listed)}
    locked = set(re.findall(r"^([a-z0-9-]+)==", LOCK.read_text(), re.MULTILINE))

    assert names <= locked | {"integration-functions-service", "service-client", "pip", "setuptools"}
    assert {"integration-functions-service", "service-client", "litestar", "prometheus-client"} <= names
    assert not {"hatchling", "onnx", "pyodide-lock", "pytest", "safetensors"} & names


def test_a_package_with_another_digest_is_refused(
    tmp_path: Path, installed: Path, client: Released, server: Released
) -> None:
    """Nothing is installed that the lock of a release does not know, and what was there before an upgrade stays."""
    before = contents(installed / "lib")
    for file in (client.wheel, server.wheel, INSTALLER):
        shutil.copy(file, tmp_path)
    (tmp_path / LOCK.name).write_text(f"attrs==25.1.0 --hash=sha256:{'0' * 64}\n")
    command = ["sh", str(tmp_path / INSTALLER.name), str(tmp_path), str(installed)]
    done = subprocess.run(command, env={**os.environ, "PYTHON": sys.executable}, capture_output=True, text=True)

    assert 0 != done.returncode
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert [] == list(installed.glob("lib/*/site-packages/attrs-25.1.0.dist-info"))
    assert before.keys() <= contents(installed / "lib").keys()


def test_the_image_installs_by_the_same_script() -> None:
    """What the tests above run is what the image is made by."""
    assert "\nRUN sh /release/install.sh /release /opt/functions\n" in CONTAINERFILE.read_text()
