"""Files of the browser SDK: small ones are held, large ones are read from the disk while they are sent."""

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.testing import TestClient

from service_server.rest.kept_builds import SDK_ROUTES, KeptBuilds
from service_server.rest.static_files import PIECE_BYTES, StoredContent, read_files

# The service's routes are written in a style that Litestar wants to drop one day.
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

LARGE, SMALL = hashlib.shake_256(b"large").digest(3 * PIECE_BYTES + 1), b"small"
PACKED = gzip.compress(LARGE)
BINARY, SCRIPT = (
    f"{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{suffix}"
    for stem, content, suffix in (("snapshot", LARGE, "bin"), ("worker", SMALL, "js"))
)
SHELL = "servicejs.js"
FILES = {BINARY: LARGE, f"{BINARY}.gz": PACKED, SCRIPT: SMALL, SHELL: LARGE}


@pytest.fixture
def client(tmp_path: Path) -> Iterator["TestClient[Litestar]"]:
    """An application that serves a build, and keeps it."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    files = read_files(tmp_path)
    kept = KeptBuilds(tmp_path / "kept", files)
    kept.keep()
    with TestClient(Litestar(SDK_ROUTES, state=State({"sdk_files": files, "kept_builds": kept}))) as client:
        yield client


def test_what_is_left_on_the_disk(client: "TestClient[Litestar]", tmp_path: Path) -> None:
    """Only a large file whose name changes with its content: a rebuild could mix two builds of any other."""
    files = client.app.state.sdk_files

    assert StoredContent(tmp_path / BINARY, len(LARGE)) == files[BINARY].content
    assert isinstance(files[BINARY].compressed["gzip"], StoredContent)
    assert (SMALL, LARGE) == (files[SCRIPT].content, files[SHELL].content)


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_large_file_arrives_whole(encoding: str, client: "TestClient[Litestar]", tmp_path: Path) -> None:
    """
    Byte for byte and with its length, plain and compressed; a browser that has it gets it no second time.

    After an upgrade has taken it away, or put a part in its place, it comes from among the kept builds.
    """
    headers = {"Accept-Encoding": encoding}
    answer = client.get(f"/servicejs/v1/{BINARY}", headers=headers)
    again = client.get(f"/servicejs/v1/{BINARY}", headers={**headers, "If-None-Match": answer.headers["etag"]})

    assert LARGE == answer.content
    assert str(len(LARGE if encoding == "identity" else PACKED)) == answer.headers["content-length"]
    assert "application/octet-stream" == answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
    assert (304, b"") == (again.status_code, again.content)
    for changed in (b"half", None):
        for name in (BINARY, f"{BINARY}.gz"):
            (tmp_path / name).unlink()
            if changed is not None:
                (tmp_path / name).write_bytes(changed)
        kept = client.get(f"/servicejs/v1/{BINARY}", headers=headers)
        assert (200, LARGE) == (kept.status_code, kept.content)
    assert LARGE == client.get(f"/servicejs/v1/{SHELL}").content
