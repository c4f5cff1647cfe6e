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

LARGE = hashlib.shake_256(b"large").digest(3 * PIECE_BYTES + 1)
SMALL = b"small"


def hashed(stem: str, content: bytes, suffix: str) -> str:
    """The name of a file in a build."""
    return f"{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{suffix}"


# The service's routes are written in a style that Litestar wants to drop one day.
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

BINARY, SCRIPT, SHELL = hashed("snapshot", LARGE, "bin"), hashed("worker", SMALL, "js"), "servicejs.js"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A build with a large file, also compressed, a small one and one that is not named by its content."""
    folder = tmp_path / "build"
    folder.mkdir()
    (folder / BINARY).write_bytes(LARGE)
    (folder / f"{BINARY}.gz").write_bytes(gzip.compress(LARGE))
    (folder / SCRIPT).write_bytes(SMALL)
    (folder / SHELL).write_bytes(LARGE)
    return folder


@pytest.fixture
def client(build: Path, tmp_path: Path) -> Iterator["TestClient[Litestar]"]:
    """An application that serves the build, and keeps it."""
    files = read_files(build)
    kept = KeptBuilds(tmp_path / "kept", files)
    kept.keep()
    with TestClient(Litestar(SDK_ROUTES, state=State({"sdk_files": files, "kept_builds": kept}))) as client:
        yield client


def test_what_is_left_on_the_disk(build: Path) -> None:
    """Only a large file whose name changes with its content: a rebuild could mix two builds of any other."""
    files = read_files(build)

    assert StoredContent(build / BINARY, len(LARGE)) == files[BINARY].content
    assert isinstance(files[BINARY].compressed["gzip"], StoredContent)
    assert (SMALL, LARGE) == (files[SCRIPT].content, files[SHELL].content)


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_large_file_arrives_whole(encoding: str, client: "TestClient[Litestar]") -> None:
    """Byte for byte and with its length, plain and compressed; a browser that has it gets it no second time."""
    headers = {"Accept-Encoding": encoding}
    answer = client.get(f"/servicejs/v1/{BINARY}", headers=headers)
    again = client.get(f"/servicejs/v1/{BINARY}", headers={**headers, "If-None-Match": answer.headers["etag"]})

    assert LARGE == answer.content
    sent = len(LARGE) if encoding == "identity" else len(gzip.compress(LARGE))
    assert str(sent) == answer.headers["content-length"]
    assert "application/octet-stream" == answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
    assert (304, b"") == (again.status_code, again.content)


@pytest.mark.parametrize("changed", [None, b"half"])
def test_a_large_file_that_an_upgrade_took_away(
    changed: bytes | None, build: Path, client: "TestClient[Litestar]"
) -> None:
    """A page that was opened before gets it all the same, and never a part of it: it is among the kept builds."""
    for path in (build / BINARY, build / f"{BINARY}.gz"):
        path.unlink()
        if changed is not None:
            path.write_bytes(changed)

    for encoding in ("identity", "gzip"):
        answer = client.get(f"/servicejs/v1/{BINARY}", headers={"Accept-Encoding": encoding})

        assert (200, LARGE) == (answer.status_code, answer.content)
    assert LARGE == client.get(f"/servicejs/v1/{SHELL}").content
