"""Every file of a release, made of the working tree into one folder."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from releasing.bill_of_materials import bill_of_materials, model_component, npm_components, python_components
from service_server.predict.encoder.recipe import SHIPPED
from servicejs.bundle.build import build as build_bundle
from servicejs.bundle.npm_package import SOURCES as NPM_SOURCES
from servicejs.bundle.npm_package import npm_archive

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements-server.lock"
INSTALLER = "install.sh"
CHECKSUMS = "SHA256SUMS"
NOTES = "notes.md"
IN_THE_BUNDLE = ("pyodide",)
"""What of npm's is in the browser bundle; the Python packages in it are among the server's own."""


class NotMade(Exception):
    """A step failed; its own output has said why."""


def make_release(folder: Path, version: str, notes: str, quality: int, tell: Callable[[str], None]) -> None:
    """
    Make all files of a release in an empty folder.

    `quality` is that of the browser bundle's compression, which is built again only where it is of other sources.
    """
    build_bundle(False, tell, quality)
    for tree in (ROOT / "service_client", ROOT):
        tell(f"Packing {tree.name if tree != ROOT else 'the service'}")
        _pack(tree, folder)
    npm = folder / f"{_npm_name()}-{version}.tgz"
    npm.write_bytes(npm_archive())
    shutil.copy(ROOT / LOCK, folder / LOCK)
    shutil.copy(ROOT / "deploy" / INSTALLER, folder / INSTALLER)
    tell("Listing what it is made of")
    _list_components(folder, version, npm)
    (folder / CHECKSUMS).write_text(checksums(folder))
    (folder / NOTES).write_text(notes)


def checksums(folder: Path) -> str:
    """The digests of a folder's files, as `sha256sum --check` reads them."""
    files = sorted(each for each in folder.iterdir() if each.name not in (CHECKSUMS, NOTES))
    return "".join(f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)


def brought_along(name: str) -> set[str]:
    """The packages that pip installs with a package of this environment, without its extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for requirement in map(Requirement, requires(waiting.pop()) or []):
            needed = canonicalize_name(requirement.name)
            if needed not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
                found.add(needed)
                waiting.append(needed)
    return found


def _pack(tree: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--target", "sdist"]
    done = subprocess.run([*command, "--directory", str(folder)], cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMade(f"{tree.name} could not be packed:\n{done.stdout}{done.stderr}")


def _list_components(folder: Path, version: str, npm: Path) -> None:
    python = list(python_components((ROOT / LOCK).read_text()))
    bundled = npm_components(json.loads((ROOT / "package-lock.json").read_text()), IN_THE_BUNDLE)
    of_the_client = brought_along("service-client")
    made = {
        "integration-functions-service": [*python, *bundled, model_component(SHIPPED)],
        "service-client": [each for each in python if each["name"] in of_the_client],
    }
    for name, components in made.items():
        (wheel,) = folder.glob(f"{name.replace('-', '_')}-*.whl")
        (folder / f"{name}.cdx.json").write_text(bill_of_materials(wheel, name, version, components))
    (folder / f"{_npm_name()}.cdx.json").write_text(bill_of_materials(npm, _npm_name(), version, []))


def _npm_name() -> str:
    return str(json.loads((NPM_SOURCES / "package.json").read_text())["name"])
