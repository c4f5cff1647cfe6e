"""Files of the browser SDK: builds are kept for the pages that use them, large files are read while they are sent."""

import gzip
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.testing import TestClient

from service_server.rest.kept_builds import KEPT_SECONDS, MOST_BUILDS, SDK_ROUTES, KeptBuilds
from service_server.rest.static_files import PIECE_BYTES, StaticFile, StoredContent, read_files

DAY = 86400


def file(number: int) -> str:
    """The name of a file that holds a number."""
    return f"worker.{number:016x}.js"


def build(*numbers: int) -> dict[str, StaticFile]:
    """A build of a file for each number, beside a shell, which every build has under the same name."""
    contents = {file(number): str(number).encode() for number in numbers} | {"servicejs.js": b"shell"}
    return {
        name: StaticFile(content, "text/javascript", "etag", True, {"gzip": gzip.compress(content)})
        for name, content in contents.items()
    }


def kept(directory: Path, *numbers: int) -> KeptBuilds:
    """A process that serves a build, which it has kept."""
    builds = KeptBuilds(directory, build(*numbers))
    builds.keep()
    return builds


def age(directory: Path, days: float) -> None:
    """Make all that is kept as old as if nothing had been current for some days."""
    for path in directory.glob("*/*"):
        moment = path.stat().st_mtime - days * DAY
        os.utime(path, (moment, moment))


async def found(builds: KeptBuilds) -> list[int]:
    """Which of the first numbers can be had."""
    return [number for number in range(5) if await builds.find(file(number), gzipped=False)]


async def test_each_process_finds_the_others_files(tmp_path: Path) -> None:
    """A build stays after the next one came, and one that comes later is found by the processes of the one before."""
    older, newer = kept(tmp_path, 0, 1), kept(tmp_path, 1, 2)

    assert [0, 1, 2] == await found(older) == await found(newer)


async def test_a_kept_file_is_what_it_was(tmp_path: Path) -> None:
    """Its bytes, its type and that it may be kept for ever; where gzip is taken it is not unpacked for nothing."""
    kept(tmp_path, 7)
    plain, packed = [await kept(tmp_path).find(file(7), gzipped=gzipped) for gzipped in (False, True)]

    assert (b"7", "text/javascript", True) == (plain.content, plain.media_type, plain.immutable)
    assert (b"", b"7") == (packed.content, gzip.decompress(packed.compressed["gzip"]))


async def test_a_build_is_dropped_30_days_after_it_was_last_current(tmp_path: Path) -> None:
    """A process that serves a build keeps it young; what other builds have of it stays."""
    for _ in range(2):
        kept(tmp_path, 0, 1)
        age(tmp_path, 29)
    current = kept(tmp_path, 1, 2)
    assert [0, 1, 2] == await found(current)

    age(tmp_path, 1 + KEPT_SECONDS / DAY - 30)
    current.keep()

    assert [1, 2] == await found(current)
    assert 1 == len(list((tmp_path / "lists").iterdir()))


def test_there_is_a_limit_to_builds(tmp_path: Path) -> None:
    """Somebody who builds again and again does not fill the disk."""
    for number in range(MOST_BUILDS + 2):
        kept(tmp_path, number)
        age(tmp_path, 0.1)

    assert MOST_BUILDS == len(list((tmp_path / "lists").iterdir()))


async def test_nothing_else_is_served(tmp_path: Path) -> None:
    """Only files of builds, under their very names, are found."""
    builds = kept(tmp_path, 0)
    there = file(0)
    for name in ("servicejs.js", f"../lists/{there}", f"{there[:-3]}.exe", f"{there}.gz", file(1), f"/{there}", ""):
        assert await builds.find(name, gzipped=False) is None, name


def test_what_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    """An unfinished file is dropped only once nobody can be at it any more."""
    builds = kept(tmp_path, 0)
    young, old = (tmp_path / "files" / f".unfinished-{each}" for each in ("young", "old"))
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - DAY, time.time() - DAY))
    builds.keep()

    assert (True, False) == (young.exists(), old.exists())


async def test_a_directory_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """Serving goes on without it."""
    (tmp_path / "builds").write_text("not a directory")
    builds = KeptBuilds(tmp_path / "builds", build(0))

    async with builds.keeping():
        assert [] == await found(builds)


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


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_what_is_left_on_the_disk(client: "TestClient[Litestar]", tmp_path: Path) -> None:
    """Only a large file whose name changes with its content: a rebuild could mix two builds of any other."""
    files = client.app.state.sdk_files

    assert StoredContent(tmp_path / BINARY, len(LARGE)) == files[BINARY].content
    assert isinstance(files[BINARY].compressed["gzip"], StoredContent)
    assert (SMALL, LARGE) == (files[SCRIPT].content, files[SHELL].content)


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
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
