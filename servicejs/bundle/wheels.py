"""
Collects the wheels of the Python client and of what it needs, for other pages with Pyodide.

The client's wheel is the released one, made by its own build backend. The others are their authors', fetched by pip
and checked against the digests of the lock. pyodide-lock describes them and what they need in Pyodide's lock format.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec

from servicejs.bundle.contents import PYODIDE, ROOT

REQUIRED = ("attrs", "cattrs", "typing-extensions")
"""What the client needs inside Pyodide: requests go through the browser's `fetch`, so HTTPX is not needed."""

LOCK_FILE = "pyodide-lock.json"
FETCHED = ROOT / ".cache" / "pyodide_wheels"
"""What was fetched once, so that the next build needs no network."""


def add_wheels(folder: Path, scratch: Path) -> None:
    """Put the wheels and their lock file into a folder; the lock names each below its digest, which never changes."""
    scratch.mkdir()
    _run(["hatchling", "build", "--target", "wheel", "--directory", str(scratch)], ROOT / "service_client")
    _fetch(scratch)
    named = []
    for wheel in sorted(scratch.glob("*.whl")):
        shutil.copy(wheel, folder)
        below = scratch / hashlib.sha256(wheel.read_bytes()).hexdigest()[:16]
        below.mkdir()
        named.append(wheel.rename(below / wheel.name))
    version = json.loads((PYODIDE / "package.json").read_text())["version"]
    information = json.loads((PYODIDE / "pyodide-lock.json").read_text())["info"] | {"version": version}
    empty = PyodideLockSpec(info=information, packages={})
    add_wheels_to_spec(empty, named, base_path=scratch).to_json(folder / LOCK_FILE)


def _fetch(to: Path) -> None:
    """Get the wheels of other people's packages into a folder, from the last time or from the package index."""
    requirements = to / "requirements.txt"
    locked = (ROOT / "requirements.lock").read_text()
    blocks = [re.search(rf"^{name}==.*\n(?: .*\n)*", locked, re.MULTILINE) for name in REQUIRED]
    requirements.write_text("".join(block[0] for block in blocks if block))
    fetch = ["pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    fetch += ["--require-hashes", "--requirement", str(requirements), "--dest", str(to)]
    FETCHED.mkdir(parents=True, exist_ok=True)
    try:
        _run([*fetch, "--no-index", "--find-links", str(FETCHED)], ROOT)
    except RuntimeError:
        _run(fetch, ROOT)
        for wheel in to.glob("*.whl"):
            shutil.copy(wheel, FETCHED)


def _run(module: list[str], folder: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *module], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(module[:3])} failed:\n{done.stdout}{done.stderr}")
