"""
`/files`: what functions take and give, and no JSON could hold.

A file goes up and comes down as the bytes that it is, a piece in memory at a time. It stays for an hour.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Request, delete, get, post
from litestar.exceptions import InternalServerException
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_201_CREATED, HTTP_204_NO_CONTENT

from service_client.models import Action, Code, File
from service_server.errors import ServiceError, failure, refused
from service_server.files import FileGone, FileTooLarge, KeptFile, NoRoomForFile, Owner, described
from service_server.files.files import NO_MEDIA_TYPE
from service_server.rest.caller import Caller
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.described_bodies import taking_bytes
from service_server.store.clock import now

UPLOAD_SECONDS = 600.0
"""How long a file may take to come."""

_LONGEST_GIVEN_NAME = 1000
_FORM = "multipart/form-data"
# A browser would run these in the service's origin if it ever showed them.
_ACTIVE = ("html", "xml", "svg", "script", "pdf", "xsl")

FileId = Annotated[str, PathParameter(schema_extra={"pattern": "^file_[A-Za-z0-9_-]{22}$"})]
GivenName = Annotated[
    str | None, QueryParameter(max_length=_LONGEST_GIVEN_NAME, description="What the file is called.")
]


@post(
    "/files",
    status_code=HTTP_201_CREATED,
    summary="Upload a file",
    tags=["Files"],
    operation_class=taking_bytes(),
    request_max_body_size=None,
)
async def upload_file(
    request: Request[Any, Any, Any], service: GivenService, caller: GivenCaller, name: GivenName = None
) -> File:
    """
    Upload a file, as the body that it is; its Content-Type is the file's media type.

    It is kept for an hour, for this user alone, and its `id` is what functions take for a parameter of the format
    `file`.
    """
    media_type = request.headers.get("content-type", "")
    if media_type.lower().startswith(_FORM):
        message = "Send the file itself as the body, its name in the query and its media type in Content-Type; no form."
        raise failure(415, Code.UNSUPPORTED_MEDIA_TYPE, message)
    owner = Owner(caller.application.id, caller.user_id)
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            kept = await service.files.keep(owner, name or "", media_type, _received(request), request.content_length)
    except FileTooLarge as problem:
        raise too_large(problem.limit) from None
    except NoRoomForFile as problem:
        raise no_room(problem) from None
    except FileGone:
        raise unknown_file() from None
    except TimeoutError:
        raise refused(Code.MALFORMED_BODY, f"The file did not come within {UPLOAD_SECONDS:.0f} seconds.") from None
    return described(kept)


@get("/files/{file_id:str}", summary="Download a file", tags=["Files"])
async def download_file(service: GivenService, caller: GivenCaller, file_id: FileId) -> Stream:
    """Download a file of the user's, as the bytes that it is; a browser saves it and never shows it."""
    kept = await _known(service, caller, file_id)
    media_type = NO_MEDIA_TYPE if any(each in kept.media_type for each in _ACTIVE) else kept.media_type
    headers = {
        "Content-Length": str(kept.size),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(kept.name, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    return Stream(kept.chunks(), headers={**headers, "Content-Type": media_type})


@delete("/files/{file_id:str}", status_code=HTTP_204_NO_CONTENT, summary="Delete a file", tags=["Files"])
async def delete_file(service: GivenService, caller: GivenCaller, file_id: FileId) -> None:
    """Delete a file of the user's before its hour is over."""
    if not await service.files.delete(Owner(caller.application.id, caller.user_id), file_id):
        raise unknown_file()


def unknown_file() -> ServiceError:
    """A 404 for a file that this user does not keep."""
    message = "There is no such file: it was never there, its hour is over or it was deleted."
    return failure(404, Code.UNKNOWN_FILE, message)


def too_large(limit: int) -> ServiceError:
    """A 413 that says how large a file may be."""
    most = f"{limit / 2**20:.4g} MiB" if limit >= 2**20 else f"{limit} bytes"
    return failure(413, Code.BODY_TOO_LARGE, f"The file is larger than {most}.")


def no_room(problem: NoRoomForFile) -> ServiceError:
    """A 429 for a user who keeps too much."""
    seconds = max(1, round(problem.until - now()))
    return failure(
        429,
        Code.RATE_LIMITED,
        f"You keep too many files or too large ones. Delete some, or wait {seconds} seconds until the first is gone.",
        action=Action.WAIT,
        headers={"Retry-After": str(seconds)},
    )


async def _known(service: GivenService, caller: Caller, file_id: str) -> KeptFile:
    kept = await service.files.find(Owner(caller.application.id, caller.user_id), file_id)
    if kept is None:
        raise unknown_file()
    return kept


async def _received(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    """What comes of a body; one that breaks off is no file."""
    try:
        async for chunk in request.stream():
            yield chunk
    except InternalServerException:  # the framework raises this when the caller has gone
        raise refused(Code.MALFORMED_BODY, "The connection ended before the file did.") from None


FILE_ROUTES = [upload_file, download_file, delete_file]
