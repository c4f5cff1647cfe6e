"""
The Python client for pages with a Pyodide of their own: a lock file for `loadPackage`, a package index for `micropip`.

Both are over the wheels that the bundle was built with; what they are and need stands in the lock file. The index is
the simple one of PEP 503. Every address in them is relative, so that they hold behind whatever base address.
"""

import html
import json
from collections.abc import Iterable
from typing import Any

from attrs import evolve
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

from service_server.rest.static_files import CROSS_ORIGIN, StaticFile, answer_file, whole

_LOCK_FILE = "pyodide-lock.json"


@get(f"/pyodide/{_LOCK_FILE}", include_in_schema=False)
async def get_lock_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """What `loadPyodide` takes as `lockFileURL`."""
    return await answer_file(request, _files(request).get(_LOCK_FILE), CROSS_ORIGIN)


@get("/pyodide/{digest:str}/{file_name:str}", include_in_schema=False)
async def get_wheel(request: Request[Any, Any, Any], digest: str, file_name: str) -> Response[Any]:
    """One wheel, below the digest of its content, so that it may be kept for ever."""
    named = {package["file_name"] for package in _packages(request).values()}
    file = _files(request)[file_name] if f"{digest}/{file_name}" in named else None
    return await answer_file(request, file and evolve(file, immutable=True), CROSS_ORIGIN)


@get("/pyodide/simple", include_in_schema=False)
async def list_projects(request: Request[Any, Any, Any]) -> Response[str]:
    """The names of all packages."""
    return _page((f"{name}/", name) for name in sorted(_packages(request)))


@get("/pyodide/simple/{project:str}", include_in_schema=False)
async def list_wheels(request: Request[Any, Any, Any], project: str) -> Response[str]:
    """The wheel of a package, with the hash that installers compare."""
    package = _packages(request).get(project.lower().replace("_", "-").replace(".", "-"))
    if package is None:
        raise NotFoundException
    file_name = package["file_name"]
    return _page([(f"../../{file_name}#sha256={package['sha256']}", file_name.rpartition("/")[2])])


def _files(request: Request[Any, Any, Any]) -> dict[str, StaticFile]:
    files: dict[str, StaticFile] = request.app.state.sdk_files
    return files


def _packages(request: Request[Any, Any, Any]) -> dict[str, dict[str, Any]]:
    lock_file = _files(request).get(_LOCK_FILE)
    packages: dict[str, dict[str, Any]] = json.loads(whole(lock_file.content))["packages"] if lock_file else {}
    return packages


def _page(links: Iterable[tuple[str, str]]) -> Response[str]:
    lines = [f'<a href="{html.escape(address)}">{html.escape(text)}</a><br>' for address, text in links]
    title = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Packages for Pyodide</title>'
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "default-src 'none'",
        "X-Content-Type-Options": "nosniff",
        **CROSS_ORIGIN,
    }
    return Response("\n".join([title, *lines, ""]), headers=headers, media_type="text/html; charset=utf-8")


WHEEL_ROUTES = [get_lock_file, get_wheel, list_projects, list_wheels]
