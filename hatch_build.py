"""The build hook: released packages carry the built browser bundle, so that users need neither Node nor a build."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MANIFEST = Path("web_assets") / "dist" / "servicejs" / "manifest.json"


class BundleHook(BuildHookInterface[Any]):
    """Builds the bundle where it is missing, or says how to."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before a wheel or source archive is made; an editable install uses the working tree as it is."""
        root = Path(self.root)
        if version == "editable" or (root / MANIFEST).exists():
            return
        done = subprocess.run([sys.executable, str(root / "dev"), "bundle"], check=False)
        if done.returncode or not (root / MANIFEST).exists():
            raise RuntimeError(
                "The browser bundle is missing and could not be built. Run ./dev bundle, then try again."
            )
