"""
What hatchling asks this project for: the dependencies, the built browser bundle, and the prediction's model.

Released packages carry both, so that users need neither Node nor a build; what does not fit the sources beside it is
never packed.
"""

import hashlib
import json
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

QUICKLY = "BUILD_QUICKLY"
"""The variable of a build that nobody is to be served from: the bundle is compressed less well, a minute sooner."""

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


class BuiltFilesHook(BuildHookInterface[Any]):
    """Has the bundle and the model made where one is missing or of other sources, or says what to do."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before a wheel or source archive is made; an editable install uses the working tree as it is."""
        root = Path(self.root)
        problem_of_bundle = runpy.run_path(str(root / "servicejs" / "bundle" / "sources.py"))["problem_of_bundle"]
        if version == "editable":
            return
        well = () if os.environ.get(QUICKLY) else ("--release",)
        for problem_of, options, needs in (
            (problem_of_bundle, ("bundle", *well), "./dev bundle, which needs Node with npm"),
            (problem_of_model, ("exec", "service-server", "model", "install"), "./dev setup, which fetches 84 MB"),
        ):
            problem = problem_of(root)
            if problem and shutil.which("npm"):  # without which ./dev sets nothing up
                environment = {name: value for name, value in os.environ.items() if name not in OF_PIPS_ISOLATION}
                command = [sys.executable, str(root / "dev"), *options]
                subprocess.run(command, check=False, env=environment)
                problem = problem_of(root)
            if problem:
                raise RuntimeError(f"{problem} Run {needs}, then try again.")


def problem_of_model(root: Path) -> str | None:
    """Say what is wrong with the prediction's model of a tree; None if it is whole and fits the tree's weights."""
    predict = root / "service_server" / "predict"
    folder = predict / "installed_model"
    wanted: str = runpy.run_path(str(predict / "encoder" / "recipe.py"))["SHIPPED"].model_id()
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        files = [(folder / manifest["folder"] / name, known["sha256"]) for name, known in manifest["files"].items()]
        whole = all(hashlib.sha256(file.read_bytes()).hexdigest() == sha256 for file, sha256 in files)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return "The prediction's model has not been built."
    if not whole or manifest.get("id") != wanted:
        return "The prediction's model does not fit the weights beside it."
    return None
