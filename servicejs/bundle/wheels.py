"""
Makes wheels of the Python client and what it needs, for other pages with Pyodide: `micropip` installs them.

They are pure Python and hold what is installed here, so that a page needs no other index than the service's own.
"""

import base64
import hashlib
import importlib.metadata
import io
import zipfile

from service_client import __version__
from servicejs.bundle.contents import ROOT

REQUIRED = ("attrs", "cattrs", "typing-extensions")
"""What the client needs inside Pyodide: requests go through the browser's `fetch`, so HTTPX is not among it."""

_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say, so that two builds are the same
_OF_THE_INSTALLATION = frozenset({"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"})
_TAG = "py3-none-any"


def wheels() -> dict[str, bytes]:
    """Return all wheels by their file names."""
    return dict([_client(), *map(_installed, REQUIRED)])


def _client() -> tuple[str, bytes]:
    information = f"service_client-{__version__}.dist-info"
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in sorted((ROOT / "service_client").rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    }
    metadata = [
        "Metadata-Version: 2.4",
        "Name: service-client",
        f"Version: {__version__}",
        "Summary: The Python client of the Integration Functions Service, for Pyodide.",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.11",
        "Requires-Dist: attrs",
        "Requires-Dist: cattrs",
        "Requires-Dist: httpx; sys_platform != 'emscripten'",
    ]
    files[f"{information}/METADATA"] = "\n".join([*metadata, ""]).encode()
    files[f"{information}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {_TAG}\n".encode()
    files[f"{information}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return f"service_client-{__version__}-{_TAG}.whl", _wheel(information, files)


def _installed(name: str) -> tuple[str, bytes]:
    """Return the wheel that an installed distribution came from, as far as it is pure Python."""
    distribution = importlib.metadata.distribution(name)
    stem = f"{name.replace('-', '_')}-{distribution.version}"
    if f"Tag: {_TAG}" not in (distribution.read_text("WHEEL") or ""):
        raise RuntimeError(f"{name} {distribution.version} is not pure Python, so that no browser could install it.")
    files = {
        file.as_posix(): file.read_binary()
        for file in distribution.files or ()
        if ".." not in file.parts and file.suffix != ".pyc"
        if file.name not in _OF_THE_INSTALLATION or not file.parts[0].endswith(".dist-info")
    }
    return f"{stem}-{_TAG}.whl", _wheel(f"{stem}.dist-info", files)


def _wheel(information: str, files: dict[str, bytes]) -> bytes:
    """Return a wheel of these files, with the record of them that installers check."""
    record = f"{information}/RECORD"
    lines = [f"{name},{_digest(content)},{len(content)}" for name, content in sorted(files.items())]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in [*sorted(files.items()), (record, "\n".join([*lines, f"{record},,", ""]).encode())]:
            archive.writestr(zipfile.ZipInfo(name, _TIME), content, zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
