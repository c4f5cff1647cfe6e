"""Files for browsers: how any is answered, the pages' styles and scripts, and the apps' icons."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

import web_assets
from service_server.rest.dependencies import GivenService

ASSETS = Path(web_assets.__file__).parent
SDK = ASSETS / "dist" / "servicejs"
_IMMUTABLE = "public, max-age=31536000, immutable"
_HASHED = re.compile(r".+\.[0-9a-f]{8,}\.[a-z]+")
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
# An icon is shown by `img`; opened by itself it must not run or load anything.
_ICON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@frozen
class StaticFile:
    """One file, with its compressed forms where the build made some (by content encoding)."""

    content: bytes
    media_type: str
    etag: str
    immutable: bool
    compressed: Mapping[str, bytes]


def read_files(directory: Path) -> dict[str, StaticFile]:
    """All files below a directory by their path, read once at start-up so that a rebuild cannot mix two builds."""
    files = {}
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.suffix in MEDIA_TYPES:
            content = path.read_bytes()
            compressed = {
                encoding: sibling.read_bytes()
                for encoding, suffix in _ENCODINGS.items()
                if (sibling := path.with_name(path.name + suffix)).exists()
            }
            files[path.relative_to(directory).as_posix()] = StaticFile(
                content,
                MEDIA_TYPES[path.suffix],
                hashlib.sha256(content).hexdigest()[:32],
                _HASHED.fullmatch(path.name) is not None,
                compressed,
            )
    return files


def answer_file(request: Request[Any, Any, Any], file: StaticFile | None, extra: Mapping[str, str]) -> Response[bytes]:
    """Answer with a file: compressed if the browser takes it, 304 if it has it already."""
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
    return Response(content, headers=headers, media_type=file.media_type)


def _has(request: Request[Any, Any, Any], etag: str) -> bool:
    """Whether the browser has this version, also if a proxy that compresses has made its ETag a weak one."""
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or etag in _ETAG.findall(known)


def accepted_encodings(request: Request[Any, Any, Any]) -> set[str]:
    """The encodings that a browser takes."""
    return {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}


@get("/assets/{file_path:path}", include_in_schema=False)
async def get_asset(request: Request[Any, Any, Any], file_path: str) -> Response[bytes]:
    """A style or script of the service's own pages."""
    files: dict[str, StaticFile] = request.app.state.asset_files
    return answer_file(request, files.get(file_path.lstrip("/")), {})


@get("/icons/{file_name:str}", include_in_schema=False)
async def get_icon(request: Request[Any, Any, Any], service: GivenService, file_name: str) -> Response[bytes]:
    """The icon of an app, under the address `icon_url` names."""
    connector = service.catalog.connector(file_name.partition(".")[0])
    if connector is None:
        raise NotFoundException
    icon = connector.icon
    file = StaticFile(icon.content, icon.media_type, icon.digest, f".{icon.digest[:16]}." in file_name, {})
    return answer_file(request, file, {**CROSS_ORIGIN, "Content-Security-Policy": _ICON_POLICY})


def asset_files() -> dict[str, StaticFile]:
    """The styles and scripts of the service's own pages."""
    return {
        f"{kind}/{name}": file for kind in ("styles", "scripts") for name, file in read_files(ASSETS / kind).items()
    }


STATIC_ROUTES = [get_asset, get_icon]
