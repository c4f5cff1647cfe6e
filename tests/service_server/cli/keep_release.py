"""
Keeps the present release for the test of upgrades: `./dev exec python -m tests.service_server.cli.keep_release`.

To be run after a release. Left out is what an upgrade does not need and what is large: all connectors but the
sandbox's, the prediction's weights, and the browser's bundle.
"""

import io
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
KEPT = Path(__file__).with_name("release_before.tar.xz")
_PACKAGES = ("service_client", "service_server", "servicejs", "web_assets")
_CONNECTORS, _SANDBOX = "service_server/connectors/", "service_server/connectors/sandbox/"


def main() -> None:
    """Write the packages as they were committed last."""
    archive = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD", *_PACKAGES], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as all_files, tarfile.open(KEPT, "w:xz", preset=9) as kept:
        for member in all_files:
            other = member.name.startswith(_CONNECTORS) and not member.name.startswith(_SANDBOX)
            if member.isfile() and not other and not member.name.endswith((".xz", ".npz")):
                kept.addfile(member, all_files.extractfile(member))


if __name__ == "__main__":
    main()
