"""A release as it would be published, and environments that hold its packages."""

import fcntl
import hashlib
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
        """What its programs see of the world."""
        return {"PATH": str(self.folder / "bin"), "LANG": "C.UTF-8", "HOME": str(self.elsewhere)}

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
    """An environment with nothing but the client and what it brings along."""
    return install("client_environment", [client.wheel], pytestconfig, tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="session")
def server_environment(
    client: Released, server: Released, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """An environment with the server and what it brings along."""
    wheels = [client.wheel, server.wheel]
    return install("server_environment", wheels, pytestconfig, tmp_path_factory.mktemp("elsewhere"))


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
    return kept(config, "released", digest_of_tree(), make) / "release"


def build_again(sdist: Path, out: Path) -> None:
    """Build the wheel of a source archive, where there is nothing on the path."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        rebuilt = build(unpacked, out, "wheel", path=folder)
    assert 0 == rebuilt.returncode, rebuilt.stderr


def install(name: str, wheels: list[Path], config: pytest.Config, elsewhere: Path) -> Environment:
    """Make an environment of wheels, with the versions that the lock names."""
    dev = runpy.run_path(str(ROOT / "dev"))
    versions = dev["subset_of_lock"]((ROOT / "requirements.lock").read_text())
    constraints = elsewhere / "constraints.txt"
    constraints.write_text(versions)

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "python"), *dev["PIP_INSTALL"]]
        subprocess.run([*pip, "--constraint", constraints, *wheels], check=True, cwd=elsewhere)

    digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
    folder = kept(config, name, "\n".join([sys.version, versions, *digests]), make)
    return Environment(folder, elsewhere)


def kept(config: pytest.Config, name: str, of: str, make: Callable[[Path], None]) -> Path:
    """
    Return a folder that `make` filled, this time or, `of` the very same, an earlier one.

    It takes minutes, and tests of several workers and stages need it. Until this run ends nobody makes it again.
    """
    assert config.cache is not None
    folder = config.cache.mkdir("packaging") / name
    stamp = folder / "made_of"
    lock = folder.with_suffix(".lock").open("w")
    config.add_cleanup(lock.close)

    def fits() -> bool:
        return stamp.exists() and stamp.read_text() == of

    fcntl.flock(lock, fcntl.LOCK_SH)
    while not fits():
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for all who use what is there
        if not fits():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                make(folder)
            except BaseException:
                lock.close()  # else the next who needs it would wait for us for ever
                raise
            stamp.write_text(of)
        fcntl.flock(lock, fcntl.LOCK_SH)
    return folder
