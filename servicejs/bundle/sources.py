"""
What a bundle is made of, as far as this repository says so, and whether a built one is still up to date.

`hatch_build.py` runs this file by itself, even where there is neither Node nor any package: it needs only the standard
library.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

DIST = Path("web_assets") / "dist" / "servicejs"

LIBRARIES = {
    "attrs": ("attr", "attrs"),
    "cattrs": ("cattrs",),
    "jinja2": ("jinja2",),
    "markupsafe": ("markupsafe",),
    "typing-extensions": ("typing_extensions.py",),
}
"""The distributions that the SDK's Python needs, and what each puts into site-packages."""

TEMPLATES = ("servicejs/*.html", "parts/*.html")
"""The templates that browsers get, below `web_assets/templates`; the others are the server's own pages."""

_FILES = (
    "LICENSE",
    "service_client/**/*",
    "servicejs/**/*",
    "web_assets/*.py",
    *(f"web_assets/templates/{pattern}" for pattern in TEMPLATES),
    "web_assets/styles/*.css",
    "web_assets/scripts/*.*",
    "web_assets/npm/*",
)
_NPM_PACKAGES = ("esbuild", "pyodide")


def sources_digest(root: Path) -> str:
    """Return a digest of all files of the repository that go into the bundle, and of the versions locked for it."""
    digest = hashlib.sha256()
    files = {file for pattern in _FILES for file in root.glob(pattern) if file.is_file() and file.suffix != ".pyc"}
    contents = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
    for name, content in sorted((contents | _locked(root)).items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a built bundle if every file is there as it says."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
        whole = all(_digest(folder / name) == entry["sha256"] for name, entry in manifest["files"].items())
        return manifest if whole and {"sources", "inputs"} <= manifest.keys() else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def problem_of_bundle(root: Path) -> str | None:
    """Return why the bundle in a tree must not be released, as a sentence; None if it was built of these sources."""
    manifest = read_manifest(root / DIST)
    if manifest is None:
        return "The browser bundle is missing or damaged."
    if manifest["sources"] != sources_digest(root):
        return "The browser bundle was built of other sources than those beside it."
    return None


def _locked(root: Path) -> dict[str, bytes]:
    """Return what the locks say of the packages that go into the bundle."""
    npm = json.loads((root / "package-lock.json").read_text())["packages"]
    python = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (root / "requirements.lock").read_text(), re.MULTILINE))
    return {name: json.dumps(npm[f"node_modules/{name}"], sort_keys=True).encode() for name in _NPM_PACKAGES} | {
        name: python[name].encode() for name in LIBRARIES
    }


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
