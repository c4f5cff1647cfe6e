"""Copies of the working tree as a clone would have it, and what is built of them without Node."""

import hashlib
import json
import runpy
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from servicejs.bundle.sources import DIST

ROOT = Path(__file__).parents[2]
MODEL = Path("service_server") / "predict" / "installed_model"
NOT_SHIPPED = ("servicejs/bundle/", "examples/gallery/pictures.py")
"""What only a clone needs: the build of the bundle, and what takes the documentation's pictures."""


def own_files() -> list[str]:
    """The files that a commit of the working tree would hold, by their path."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


def copy_tree(to: Path) -> Path:
    """Copy the files of the working tree, changed ones too, the built bundle and the prediction's model."""
    for name in own_files():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to / name)
    for built in (DIST, MODEL):
        shutil.copytree(ROOT / built, to / built)
    return to


def model_files() -> set[str]:
    """The files of the model that a package holds, by their path."""
    folder = ROOT / MODEL
    manifest = json.loads((folder / "manifest.json").read_text())
    own = {(MODEL / manifest["folder"] / name).as_posix() for name in manifest["files"]}
    return {(MODEL / "manifest.json").as_posix(), *own}


@cache
def digest_of_tree() -> str:
    """A digest of what `copy_tree` copied when it was first asked for: two workers must not wait for each other."""
    digest = hashlib.sha256()
    for file in (*own_files(), *((built / "manifest.json").as_posix() for built in (DIST, MODEL))):
        digest.update(f"{file}\0{hashlib.sha256((ROOT / file).read_bytes()).hexdigest()}\0".encode())
    return digest.hexdigest()


def build(tree: Path, out: Path, *targets: str, path: str) -> subprocess.CompletedProcess[str]:
    """Build a tree's wheel or sdist, or both, as `pip` would; `path` is where programs are found."""
    options = [option for target in targets for option in ("--target", target)]
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(out), *options],
        cwd=tree,
        env={"PATH": path, "BUILD_QUICKLY": "1"},
        capture_output=True,
        text=True,
    )


def lend_environments(tree: Path) -> None:
    """Have `./dev` of a copy find its environments ready: ours, which it can't change."""
    dev = runpy.run_path(str(tree / "dev"))
    node = dev["output"]([shutil.which("node"), "--version"])
    stamps = {
        ".venv": dev["digest"](sys.version, (tree / "requirements-dev.lock").read_text()),
        "node_modules": dev["digest"](node, (tree / "package-lock.json").read_text()),
    }
    for folder, stamp in stamps.items():
        (tree / folder).mkdir()
        (tree / folder / "stamp").write_text(stamp)
    for package in (ROOT / "node_modules").iterdir():
        if package.name != "stamp":
            (tree / "node_modules" / package.name).symlink_to(package)
    python = tree / ".venv" / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
