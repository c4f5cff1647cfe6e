"""Makes the npm package: the module that applications bundle, its types, and what npm wants to know."""

import gzip
import io
import json
import tarfile

from service_client import __version__
from servicejs.bundle import scripts
from servicejs.bundle.contents import ROOT

SOURCES = ROOT / "web_assets" / "npm"
ARCHIVE = "servicejs.tgz"
AS_THEY_ARE = ("index.d.ts", "options.js", "react.js", "react.d.ts", "vue.js", "vue.d.ts", "README.md")


def npm_package() -> dict[str, bytes]:
    """Return the files of the package by their path in it."""
    about = json.loads((SOURCES / "package.json").read_text()) | {"version": __version__}
    return {
        "package.json": (json.dumps(about, indent=2) + "\n").encode(),
        "index.js": scripts.build_npm_module(SOURCES / "index.js").encode(),
        "servicejs.d.ts": (scripts.SCRIPTS / "servicejs.d.ts").read_bytes(),
        **{name: (SOURCES / name).read_bytes() for name in AS_THEY_ARE},
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def npm_archive() -> bytes:
    """Return the package as `npm install FILE` takes it; the same files always make the same bytes."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in npm_package().items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(tar.getvalue(), 9, mtime=0)
