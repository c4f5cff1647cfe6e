"""Builds of the browser SDK that are kept for the pages that still use them."""

import gzip
import os
import time
from pathlib import Path

import pytest

from service_server.rest.kept_builds import KEPT_SECONDS, MOST_BUILDS, KeptBuilds
from service_server.rest.static_files import StaticFile

DAY = 86400


def build(*contents: str) -> dict[str, StaticFile]:
    """A build of one file for each text, beside a shell, which every build has under the same name."""
    files = {f"worker.{text * 16}.js": text.encode() for text in contents}
    return {
        name: StaticFile(content, "text/javascript", "etag", True, {"gzip": gzip.compress(content)})
        for name, content in {**files, "servicejs.js": b"shell"}.items()
    }


def age(directory: Path, days: float) -> None:
    """Make all that is kept as old as if nothing had been current for some days."""
    for path in directory.glob("*/*"):
        moment = path.stat().st_mtime - days * DAY
        os.utime(path, (moment, moment))


async def found(builds: KeptBuilds, *contents: str) -> list[str]:
    """Which of these texts can be had."""
    return [text for text in contents if await builds.find(f"worker.{text * 16}.js", gzipped=False)]


async def test_each_process_finds_the_others_files(tmp_path: Path) -> None:
    """A build stays after the next one came, and one that comes later is found by the processes of the one before."""
    older, newer = KeptBuilds(tmp_path, build("a", "b")), KeptBuilds(tmp_path, build("b", "c"))
    older.keep()
    newer.keep()

    assert ["a", "b", "c"] == await found(older, "a", "b", "c", "d") == await found(newer, "a", "b", "c", "d")


async def test_a_kept_file_is_what_it_was(tmp_path: Path) -> None:
    """Its bytes, its type and that it may be kept for ever; where gzip is taken it is not unpacked for nothing."""
    KeptBuilds(tmp_path, build("a")).keep()

    kept = KeptBuilds(tmp_path, {})
    plain, packed = [await kept.find(f"worker.{'a' * 16}.js", gzipped=gzipped) for gzipped in (False, True)]

    assert plain is not None
    assert packed is not None
    assert (b"a", "text/javascript", True) == (plain.content, plain.media_type, plain.immutable)
    assert (b"", b"a") == (packed.content, gzip.decompress(packed.compressed["gzip"]))


async def test_a_build_is_dropped_30_days_after_it_was_last_current(tmp_path: Path) -> None:
    """A process that serves a build keeps it young; what other builds have of it stays."""
    KeptBuilds(tmp_path, build("a", "b")).keep()
    age(tmp_path, 29)
    KeptBuilds(tmp_path, build("a", "b")).keep()
    age(tmp_path, 29)
    current = KeptBuilds(tmp_path, build("b", "c"))
    current.keep()
    assert ["a", "b", "c"] == await found(current, "a", "b", "c")

    age(tmp_path, 1 + KEPT_SECONDS / DAY - 30)
    current.keep()

    assert ["b", "c"] == await found(current, "a", "b", "c")
    assert 1 == len(list((tmp_path / "lists").iterdir()))


async def test_there_is_a_limit_to_builds(tmp_path: Path) -> None:
    """Somebody who builds again and again does not fill the disk."""
    names = [chr(ord("a") + number) for number in range(6)] + [str(number) for number in range(10)]
    texts = [*names, *(first + second for first in "ab" for second in "ab")][: MOST_BUILDS + 2]
    for text in texts:
        KeptBuilds(tmp_path, build(text[0]) | {f"x.{(text * 16)[:16]}.js": build("a")[f"worker.{'a' * 16}.js"]}).keep()
        age(tmp_path, 0.1)

    assert MOST_BUILDS >= len(list((tmp_path / "lists").iterdir()))


@pytest.mark.parametrize(
    "name",
    [
        "servicejs.js",
        f"../lists/worker.{'a' * 16}.js",
        f"worker.{'a' * 16}.exe",
        f"worker.{'a' * 16}.js.gz",
        f"worker.{'b' * 16}.js",
        f"/worker.{'a' * 16}.js",
        "",
    ],
)
async def test_nothing_else_is_served(name: str, tmp_path: Path) -> None:
    """Only files of builds, under their very names, are found."""
    builds = KeptBuilds(tmp_path, build("a"))
    builds.keep()

    assert await builds.find(name, gzipped=False) is None


def test_what_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    """An unfinished file is dropped only once nobody can be at it any more."""
    builds = KeptBuilds(tmp_path, build("a"))
    builds.keep()
    young, old = tmp_path / "files" / ".unfinished-young", tmp_path / "files" / ".unfinished-old"
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - DAY, time.time() - DAY))

    builds.keep()

    assert (True, False) == (young.exists(), old.exists())


async def test_a_directory_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """Serving goes on without it."""
    (tmp_path / "builds").write_text("not a directory")
    builds = KeptBuilds(tmp_path / "builds", build("a"))

    async with builds.keeping():
        assert [] == await found(builds, "a")
