"""Files for browsers: how any is answered, the pages' styles and scripts, and the apps' icons."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from attrs import frozen
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.response import Stream

import web_assets
from service_server.rest.dependencies import GivenService

ASSETS = Path(web_assets.__file__).parent
SDK = ASSETS / "dist" / "servicejs"
_IMMUTABLE = "public, max-age=31536000, immutable"
_HASHED = re.compile(r".+\.([0-9a-f]{8,})\.[a-z]+")
_ETAG = re.compile(r'"[^"]*"')
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".bin": "application/octet-stream",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".ts": "text/plain",
    ".txt": "text/plain",
    ".zip": "application/zip",
    ".tgz": "application/gzip",
    ".whl": "application/zip",
}
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
CROSS_ORIGIN = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
# Icons are shown by `img`; an icon opened by itself must not run or load anything.
_ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


# Larger files of a build stay on disk and are read in pieces as they are sent. So a process never holds more than a
# piece, however slowly a browser takes the file.
_LARGEST_HELD_BYTES = 32 * 1024
PIECE_BYTES = 256 * 1024


@frozen
class StoredContent:
    """Content that is left on the disk: where, and how many bytes."""

    path: Path
    size: int

    def opened(self) -> BinaryIO:
        """Open it; a FileNotFoundError where it is gone, or another one by now."""
        stream = self.path.open("rb")
        if self.path.stat().st_size != self.size:
            stream.close()
            raise FileNotFoundError(self.path)
        return stream


Content = bytes | StoredContent


@frozen
class StaticFile:
    """One file, with its compressed forms where the build made some (by content encoding)."""

    content: Content
    media_type: str
    etag: str
    immutable: bool
    compressed: Mapping[str, Content]


def whole(content: Content) -> bytes:
    """All bytes of a content."""
    if isinstance(content, bytes):
        return content
    with content.opened() as stream:
        return stream.read()


def read_files(directory: Path) -> dict[str, StaticFile]:
    """
    All files below a directory by their path, found once at start-up.

    They are read then, so that a rebuild cannot mix two builds; but for large ones that are named by a hash of their
    content, which no rebuild can change.
    """
    files = {}
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.suffix in MEDIA_TYPES:
            hashed = _HASHED.fullmatch(path.name)
            content = _content(path, hashed is not None)
            compressed = {
                encoding: _content(sibling, hashed is not None)
                for encoding, suffix in _ENCODINGS.items()
                if (sibling := path.with_name(path.name + suffix)).exists()
            }
            etag = hashed[1] if hashed else hashlib.sha256(whole(content)).hexdigest()[:32]
            files[path.relative_to(directory).as_posix()] = StaticFile(
                content, MEDIA_TYPES[path.suffix], etag, hashed is not None, compressed
            )
    return files


def _content(path: Path, is_hashed: bool) -> Content:
    size = path.stat().st_size
    return StoredContent(path, size) if is_hashed and size > _LARGEST_HELD_BYTES else path.read_bytes()


async def answer_file(
    request: Request[Any, Any, Any], file: StaticFile | None, extra: Mapping[str, str]
) -> Response[Any]:
    """
    Answer with a file: compressed if the browser takes it, 304 if it has it already.

    A FileNotFoundError where a file that is left on the disk is gone.
    """
    if file is None:
        raise NotFoundException
    accepted = accepted_encodings(request)
    encoding = next((each for each in _ENCODINGS if each in accepted and each in file.compressed), None)
    etag = f'"{file.etag}{f"-{encoding}" if encoding else ""}"'
    headers = {
        "ETag": etag,
        "Cache-Control": _IMMUTABLE if file.immutable else "no-cache",
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
        **extra,
    }
    if _has(request, etag):
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    if encoding:
        headers["Content-Encoding"] = encoding
    content = file.compressed[encoding] if encoding else file.content
    if isinstance(content, bytes):
        return Response(content, headers=headers, media_type=file.media_type)
    headers["Content-Length"] = str(content.size)
    stream = await asyncio.to_thread(content.opened)
    return Stream(_pieces(stream), headers=headers, media_type=file.media_type)


async def _pieces(stream: BinaryIO) -> AsyncIterator[bytes]:
    with stream:
        while piece := await asyncio.to_thread(stream.read, PIECE_BYTES):
            yield piece


def _has(request: Request[Any, Any, Any], etag: str) -> bool:
    """Whether the browser has this version, also if a proxy that compresses has made its ETag a weak one."""
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or etag in _ETAG.findall(known)


def accepted_encodings(request: Request[Any, Any, Any]) -> set[str]:
    """The encodings that a browser takes."""
    return {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}


@get("/assets/{file_path:path}", include_in_schema=False)
async def get_asset(request: Request[Any, Any, Any], file_path: str) -> Response[Any]:
    """A style or script of the service's own pages."""
    files: dict[str, StaticFile] = request.app.state.asset_files
    return await answer_file(request, files.get(file_path.lstrip("/")), {})


@get("/icons/{file_name:str}", include_in_schema=False)
async def get_icon(request: Request[Any, Any, Any], service: GivenService, file_name: str) -> Response[Any]:
    """The icon of an app, under the address `icon_url` names."""
    connector = service.catalog.connector(file_name.partition(".")[0])
    if connector is None:
        raise NotFoundException
    icon = connector.icon
    file = StaticFile(icon.content, icon.media_type, icon.digest, f".{icon.digest[:16]}." in file_name, {})
    return await answer_file(request, file, {**CROSS_ORIGIN, "Content-Security-Policy": _ICON_POLICY})


def asset_files() -> dict[str, StaticFile]:
    """The styles and scripts of the service's own pages."""
    return {
        f"{kind}/{name}": file for kind in ("styles", "scripts") for name, file in read_files(ASSETS / kind).items()
    }


STATIC_ROUTES = [get_asset, get_icon]
