"""What is released holds what it should and nothing else, wherever it was built."""

import json
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from servicejs.bundle.sources import DIST

from .conftest import Released
from .test_declared_dependencies import CLIENT, SERVER
from .trees import NOT_SHIPPED, model_files, own_files

pytestmark = pytest.mark.slow

CLIENT_LIMIT = 150_000  # bytes


def record(wheel: Path) -> dict[str, str]:
    """The files of a wheel with their digests, as installers read them."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
        lines = archive.read(name).decode().splitlines()
    return {path: digest for path, digest, _ in (line.rsplit(",", 2) for line in lines)}


def top_level(wheel: Path) -> set[str]:
    """What a wheel puts into site-packages, beside what it says of itself."""
    return {name.partition("/")[0] for name in record(wheel) if ".dist-info/" not in name}


def test_a_source_archive_makes_the_same_wheel(client: Released, server: Released) -> None:
    """Without git, Node or any package, a source archive becomes the wheel that the tree became, byte for byte."""
    for released in (client, server):
        assert record(released.wheel) == record(released.wheel_of_sdist)


def test_what_is_declared_is_asked_for(client: Released, server: Released) -> None:
    """Installers read the dependencies out of the wheels, the extras' apart."""
    for released, distribution in ((client, CLIENT), (server, SERVER)):
        with zipfile.ZipFile(released.wheel) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            asked = re.findall(r"^Requires-Dist: (.*)$", archive.read(name).decode(), re.MULTILINE)
        needed = {canonicalize_name(Requirement(each).name) for each in asked if "extra ==" not in each}
        assert distribution.declared() == needed


def test_the_client_is_small_and_alone(client: Released) -> None:
    """The client's wheel has the client's modules, and no page of its documentation."""
    assert client.wheel.stat().st_size < CLIENT_LIMIT
    assert {"service_client"} == top_level(client.wheel)
    packed = {name for name in record(client.wheel) if ".dist-info/" not in name}
    assert {
        name for name in own_files() if name.startswith("service_client/") and name.endswith((".py", ".typed"))
    } == packed


def test_pages_get_the_released_client(client: Released, server: Released) -> None:
    """What a page with Pyodide installs from a service is the very file that a backend installs."""
    with zipfile.ZipFile(server.wheel) as archive:
        assert client.wheel.read_bytes() == archive.read((DIST / client.wheel.name).as_posix())


def test_the_server_brings_no_name_of_everybodys(server: Released) -> None:
    """Into site-packages go three packages; examples lie within, and how it is built and tested stays behind."""
    files = record(server.wheel)

    assert {"service_server", "servicejs", "web_assets"} == top_level(server.wheel)
    assert not [name for name in files if name.startswith("servicejs/bundle") or name.endswith(".pyc")]
    assert "service_server/demonstration/examples/sandbox_app/__main__.py" in files


def test_the_wheel_holds_the_bundle_and_all_data(server: Released) -> None:
    """Each file of the bundle and the model that their manifests name, and each of the packages, whatever it is."""
    files = {name for name in record(server.wheel) if ".dist-info/" not in name}
    with zipfile.ZipFile(server.wheel) as archive:
        manifest = json.loads(archive.read((DIST / "manifest.json").as_posix()))
    bundle = {(DIST / name).as_posix() for name in [*manifest["files"], "manifest.json"]}
    packages = ("service_server/", "servicejs/", "web_assets/")
    own = {name for name in own_files() if name.startswith(packages) and not name.startswith(NOT_SHIPPED)}
    own |= {f"service_server/{name}" for name in own_files() if name.startswith("deploy/")}

    assert own | bundle | model_files() == {name for name in files if "demonstration/" not in name}


def test_the_source_archive_is_the_repository(server: Released) -> None:
    """A source archive has each file of the repository, the bundle and the model, and nothing that lay about."""
    with tarfile.open(server.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    of_bundle = f"{DIST.as_posix()}/"
    assert {*own_files(), *model_files(), "PKG-INFO"} == {name for name in names if not name.startswith(of_bundle)}
