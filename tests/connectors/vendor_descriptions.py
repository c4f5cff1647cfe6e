"""
Fetches vendors' own API descriptions, which connectors are checked against.

They are pinned by version and digest and kept in `.cache/`, outside version control. `python -m
tests.connectors.vendor_descriptions` fetches those that are missing.
"""

import base64
import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from attrs import frozen

CACHE = Path(__file__).parents[2] / ".cache" / "vendor_descriptions"


@frozen
class VendorDescription:
    """One file of an npm package; `integrity` is the package's SHA-512 as npm writes it."""

    name: str
    package: str
    integrity: str
    member: str

    @property
    def file(self) -> Path:
        """Where the description is kept; the name tells its digest, so that another version is another file."""
        digest = hashlib.sha256(self.integrity.encode()).hexdigest()[:12]
        return CACHE / f"{self.name}-{digest}.json"

    def read(self) -> dict[str, Any]:
        """Read the description that was fetched before; raise FileNotFoundError when it wasn't."""
        description: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        return description

    def fetch(self) -> None:
        """Download the package, verify its digest and keep the one file of it."""
        CACHE.mkdir(parents=True, exist_ok=True)
        (CACHE.parent / ".gitignore").write_text("*\n")
        with tempfile.TemporaryDirectory() as directory:
            command = ["npm", "pack", self.package, "--pack-destination", directory, "--silent"]
            subprocess.run(command, check=True, cwd=directory, stdout=subprocess.DEVNULL)
            archive = next(Path(directory).glob("*.tgz"))
            digest = hashlib.sha512(archive.read_bytes()).digest()
            if f"sha512-{base64.b64encode(digest).decode()}" != self.integrity:
                raise ValueError(f"{self.package} doesn't have the pinned digest")
            self._extract(archive)

    def _extract(self, archive: Path) -> None:
        with tarfile.open(archive) as package:
            member = package.extractfile(self.member)
            if member is None:
                raise FileNotFoundError(f"{self.package} has no {self.member}")
            unfinished = self.file.with_suffix(".part")
            unfinished.write_bytes(member.read())
        unfinished.replace(self.file)


GITHUB = VendorDescription(
    "github",
    "@octokit/openapi@23.0.2",
    "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
    "package/generated/api.github.com.json",
)


def fetch_missing() -> None:
    """Fetch every description that isn't there yet."""
    for description in (GITHUB,):
        if not description.file.exists():
            description.fetch()


if __name__ == "__main__":
    fetch_missing()
