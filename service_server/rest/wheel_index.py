"""
The package index that pages with a Pyodide of their own install the Python client from, by `micropip`.

It is the simple index of PEP 503, over the wheels that the bundle was built with.
"""

import hashlib
import html
from collections.abc import Iterable, Mapping
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

from service_server.rest.static_files import CROSS_ORIGIN, StaticFile, answer_file


@get("/pyodide/simple", include_in_schema=False)
async def list_projects(request: Request[Any, Any, Any]) -> Response[str]:
    """The names of all packages."""
    names = sorted({_project_of(name) for name in _wheels(request)})
    return _page((f"{name}/", name) for name in names)


@get("/pyodide/simple/{project:str}", include_in_schema=False)
async def list_wheels(request: Request[Any, Any, Any], project: str) -> Response[str]:
    """The wheels of a package, each with the hash that installers compare."""
    found = {name: file for name, file in _wheels(request).items() if _project_of(name) == _normalised(project)}
    if not found:
        raise NotFoundException
    return _page((f"{name}#sha256={hashlib.sha256(file.content).hexdigest()}", name) for name, file in found.items())


@get("/pyodide/simple/{project:str}/{file_name:str}", include_in_schema=False)
async def get_wheel(request: Request[Any, Any, Any], project: str, file_name: str) -> Response[bytes]:
    """One wheel."""
    file = _wheels(request).get(file_name) if _normalised(project) == _project_of(file_name) else None
    return answer_file(request, file, CROSS_ORIGIN)


def _wheels(request: Request[Any, Any, Any]) -> Mapping[str, StaticFile]:
    files: dict[str, StaticFile] = request.app.state.sdk_files
    return {name: file for name, file in files.items() if name.endswith(".whl")}


def _project_of(file_name: str) -> str:
    return _normalised(file_name.partition("-")[0])


def _normalised(project: str) -> str:
    return project.lower().replace("_", "-").replace(".", "-")


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


WHEEL_ROUTES = [list_projects, list_wheels, get_wheel]
