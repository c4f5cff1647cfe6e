"""
What hatchling asks this project for: the dependencies, and the built browser bundle.

Released packages carry the bundle, so that users need neither Node nor a build; one that does not fit the sources
beside it is never packed.
"""

import os
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

OF_PIPS_ISOLATION = ("PYTHONPATH", "PYTHONNOUSERSITE")
"""What pip sets for the environment it builds in; another environment that is made there must not see it."""


class ServerDependencies(MetadataHookInterface):
    """
    The server depends on the client of its own version, and on the libraries of the group `server`.

    Its one extra is the group `telemetry`.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dependencies, so that the version stands in one place only."""
        groups = tomllib.loads((Path(self.root) / "pyproject.toml").read_text())["dependency-groups"]
        metadata["dependencies"] = [f"service-client=={metadata['version']}", *groups["server"]]
        metadata["optional-dependencies"] = {"telemetry": groups["telemetry"]}


class BundleHook(BuildHookInterface[Any]):
    """Has the bundle built where it is missing or of other sources, or says what to do."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before a wheel or source archive is made; an editable install uses the working tree as it is."""
        root = Path(self.root)
        problem_of_bundle = runpy.run_path(str(root / "servicejs" / "bundle" / "sources.py"))["problem_of_bundle"]
        if version == "editable" or (problem := problem_of_bundle(root)) is None:
            return
        if shutil.which("npm"):
            environment = {name: value for name, value in os.environ.items() if name not in OF_PIPS_ISOLATION}
            subprocess.run([sys.executable, str(root / "dev"), "bundle", "--release"], check=False, env=environment)
            problem = problem_of_bundle(root)
        if problem:
            raise RuntimeError(f"{problem} Run ./dev bundle, which needs Node with npm, then try again.")
