"""A release as it would be published, and environments that hold its packages."""

import fcntl
import hashlib
import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from servicejs.bundle.build import build as build_bundle

from .trees import ROOT, build, digest_of_tree


@frozen
class Released:
    """A distribution's two files, and the wheel that is made of the source archive."""

    wheel: Path
    sdist: Path
    wheel_of_sdist: Path

    @classmethod
    def in_folder(cls, folder: Path, name: str) -> "Released":
        """What was built of a distribution into a folder, and once more into the one beside it."""
        (wheel,) = folder.glob(f"{name}-*.whl")
        (sdist,) = folder.glob(f"{name}-*.tar.gz")
        return cls(wheel, sdist, folder.parent / "again" / wheel.name)


@frozen
class Environment:
    """A virtual environment that holds released packages, far from any source tree, where there is no Node."""

    folder: Path
    elsewhere: Path

    def program(self, name: str) -> Path:
        """Where one of its programs is."""
        return self.folder / "bin" / name

    @property
    def variables(self) -> dict[str, str]:
        """What its programs see of the world, and where they share what they have read of the connectors."""
        kept = self.elsewhere / "kept"
        kept.mkdir(exist_ok=True)
        own = {"PATH": str(self.folder / "bin"), "LANG": "C.UTF-8", "HOME": str(self.elsewhere)}
        return {**own, "SERVICE_CACHE_DIR": str(kept)}

    def run(self, *arguments: str | Path) -> str:
        """Run one of its programs and return what it prints; a failure fails the test with what it said."""
        done = subprocess.run(
            [self.program(str(arguments[0])), *arguments[1:]],
            cwd=self.elsewhere,
            env=self.variables,
            capture_output=True,
            text=True,
        )
        assert 0 == done.returncode, f"{arguments}:\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture(scope="session")
def client(pytestconfig: pytest.Config) -> Released:
    """The distribution of the client."""
    return Released.in_folder(release(pytestconfig), "service_client")


@pytest.fixture(scope="session")
def server(pytestconfig: pytest.Config) -> Released:
    """The distribution of the server."""
    return Released.in_folder(release(pytestconfig), "integration_functions_service")


@pytest.fixture(scope="session")
def client_environment(
    client: Released, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """An environment with nothing but the client and what it brings along, in the versions that the lock names."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    dev = runpy.run_path(str(ROOT / "dev"))
    constraints = elsewhere / "constraints.txt"
    constraints.write_text(dev["subset_of_lock"]((ROOT / "requirements.lock").read_text()))

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        pip, *install = dev["PIP_INSTALL"][1:]
        command = [sys.executable, "-m", pip, "--python", folder / "bin" / "python", *install]
        subprocess.run([*command, "--constraint", constraints, client.wheel], check=True, cwd=elsewhere)

    folder = kept(pytestconfig, "client_environment", "", digest_of(constraints, client.wheel), make)
    return Environment(folder, elsewhere)


@pytest.fixture(scope="session")
def server_environment(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with a release of the service in it, made by the script that the release carries."""
    files = release(pytestconfig)
    installer, lock = files / "install.sh", files / "requirements-server.lock"

    def make(folder: Path) -> None:
        done = subprocess.run(
            ["sh", installer, files, folder],
            env={**os.environ, "PYTHON": sys.executable, "PIP_NO_COMPILE": "1"},
            capture_output=True,
            text=True,
        )
        assert 0 == done.returncode, done.stdout + done.stderr

    wheels = digest_of(*sorted(files.glob("*.whl")))
    folder = kept(pytestconfig, "server_environment", digest_of(installer, lock), wheels, make)
    return Environment(folder, tmp_path_factory.mktemp("elsewhere"))


def release(config: pytest.Config) -> Path:
    """The files of a release's dry run, its bundle compressed for development, and beside them wheels of its sdists."""

    def make(folder: Path) -> None:
        command = [sys.executable, "-m", "releasing", "--dry-run", "--quickly", "--out", str(folder / "release")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert 0 == done.returncode, done.stdout + done.stderr
        assert str(folder / "release") == done.stdout.splitlines()[-1]
        for sdist in (folder / "release").glob("*.tar.gz"):
            build_again(sdist, folder / "again")

    build_bundle(force=False, progress=print)
    return kept(config, "released", "", digest_of_tree(), make) / "release"


def build_again(sdist: Path, out: Path) -> None:
    """Build the wheel of a source archive, where there is nothing on the path."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        rebuilt = build(unpacked, out, "wheel", path=folder)
    assert 0 == rebuilt.returncode, rebuilt.stderr


def digest_of(*files: Path) -> str:
    """A digest of some files, and of the Python that they are for."""
    digest = hashlib.sha256(sys.version.encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def kept(config: pytest.Config, name: str, base: str, of: str, make: Callable[[Path], None]) -> Path:
    """
    Return a folder that `make` filled, this time or, `of` the very same, an earlier one.

    It takes minutes, and tests of several workers and stages need it. Until this run ends nobody makes it again. Where
    a `base` is the same, `make` upgrades what is there.
    """
    assert config.cache is not None
    folder = config.cache.mkdir("packaging") / name
    stamp = folder.with_suffix(".made_of")
    lock = folder.with_suffix(".lock").open("w")
    config.add_cleanup(lock.close)

    def made_of() -> list[str]:
        return stamp.read_text().split() if stamp.exists() and folder.exists() else []

    fcntl.flock(lock, fcntl.LOCK_SH)
    while made_of() != (wanted := [*filter(None, [base]), of]):
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for all who use what is there
        if made_of() != wanted:
            if not base or made_of()[:1] != [base]:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
            stamp.unlink(missing_ok=True)
            try:
                make(folder)
            except BaseException:
                lock.close()  # else the next who needs it would wait for us for ever
                raise
            stamp.write_text(" ".join(wanted))
        fcntl.flock(lock, fcntl.LOCK_SH)
    return folder
