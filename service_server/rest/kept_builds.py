"""
The builds of the browser SDK that were served here, kept for the pages that still use them.

A page that was opened before an upgrade goes on to load the files of its own build, which the upgrade has removed. So
each process puts the files it serves into a directory, one for all processes that share it, and answers from there what
is not of its own build: an older one's files, or in a rolling upgrade those of a newer one. A file is named by the hash
of its content, so that builds never disagree about it. One that was current within the last 30 days is kept.
"""

import asyncio
import contextlib
import gzip
import hashlib
import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import structlog
from litestar import Request, Response, get

from service_server.rest.static_files import (
    CROSS_ORIGIN,
    MEDIA_TYPES,
    StaticFile,
    accepted_encodings,
    answer_file,
    whole,
)
from service_server.upkeep.repeating import repeated

KEPT_SECONDS = 30 * 86400
MOST_BUILDS = 20
"""More are kept only where somebody builds again and again, whose pages of last week nobody waits for."""

_AGAIN_SECONDS = 3600.0
_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*\.([0-9a-f]{16})(\.[a-z]+)")
_UNFINISHED = ".unfinished-"

_LOG = structlog.get_logger(__name__)


class KeptBuilds:
    """
    The builds in a directory; `current` is the one that this process serves.

    `lists/` holds a list of the files of each build, whose time is when it was last current, `files/` the files, each
    compressed by gzip.
    """

    def __init__(self, directory: Path, current: Mapping[str, StaticFile]) -> None:
        self._files = directory / "files"
        self._lists = directory / "lists"
        self._current = {name: file for name, file in current.items() if _NAME.fullmatch(name)}

    @contextlib.asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Keep the current build, from now on and again and again; a full disk, say, is no reason not to serve."""

        async def keep() -> None:
            await asyncio.to_thread(self._keep_if_possible)

        await keep()
        async with repeated(keep, _AGAIN_SECONDS, "sdk_build.not_kept", at_once=False):
            yield

    def keep(self) -> None:
        """Have the current build in the directory as one that is current now, and drop what is too old."""
        self._files.mkdir(parents=True, exist_ok=True)
        self._lists.mkdir(exist_ok=True)
        names = sorted(self._current)
        # Write the list first: at any time another process may drop a file that no list names.
        _write(
            self._lists / f"{hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]}.json",
            json.dumps(names).encode(),
        )
        for name, file in self._current.items():
            kept = self._kept(name)
            if not kept.exists():
                packed = file.compressed.get("gzip")
                _write(kept, gzip.compress(whole(file.content)) if packed is None else whole(packed))
        self._forget()

    async def find(self, name: str, *, gzipped: bool) -> StaticFile | None:
        """Return a file of any build that is kept, compressed only if it may be sent so; None where there is none."""
        found = _NAME.fullmatch(name)
        if found is None or found[2] not in MEDIA_TYPES:
            return None
        try:
            content = await asyncio.to_thread(self._kept(name).read_bytes)
        except OSError:
            return None
        plain = b"" if gzipped else await asyncio.to_thread(gzip.decompress, content)
        return StaticFile(plain, MEDIA_TYPES[found[2]], found[1], True, {"gzip": content})

    def _kept(self, name: str) -> Path:
        return self._files / f"{name}.gz"

    def _keep_if_possible(self) -> None:
        try:
            self.keep()
        except OSError as error:
            _LOG.warning("sdk_build.not_kept", reason=str(error))

    def _forget(self) -> None:
        files = list(self._files.iterdir())  # before the lists, so that what another process adds now is left alone
        newest_first = sorted(self._lists.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        now = time.time()
        kept: set[str] = set()
        for place, path in enumerate(newest_first):
            if place < MOST_BUILDS and now - path.stat().st_mtime < KEPT_SECONDS:
                kept |= {f"{name}.gz" for name in json.loads(path.read_text())}
            else:
                path.unlink(missing_ok=True)
        for path in files:
            if path.name not in kept and not (path.name.startswith(_UNFINISHED) and _is_young(path, now)):
                path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Write a whole file or none, and the same for who reads it meanwhile."""
    unfinished = path.with_name(f"{_UNFINISHED}{secrets.token_hex(8)}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _is_young(path: Path, now: float) -> bool:
    try:
        return now - path.stat().st_mtime < _AGAIN_SECONDS
    except FileNotFoundError:
        return True  # finished by now


@get("/servicejs/v1/{file_path:path}", include_in_schema=False)
async def get_sdk_file(request: Request[Any, Any, Any], file_path: str) -> Response[Any]:
    """One file of the browser SDK, of this build or another that is kept; any page may load it."""
    files: dict[str, StaticFile] = request.app.state.sdk_files
    kept: KeptBuilds = request.app.state.kept_builds
    name = file_path.lstrip("/")
    if name in files:
        with contextlib.suppress(FileNotFoundError):  # an upgrade or a rebuild may have removed it since the start
            return await answer_file(request, files[name], CROSS_ORIGIN)
    file = await kept.find(name, gzipped="gzip" in accepted_encodings(request))
    return await answer_file(request, file, CROSS_ORIGIN)


SDK_ROUTES = [get_sdk_file]
