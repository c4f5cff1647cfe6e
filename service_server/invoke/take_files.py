"""The files among a call's arguments: kept ones are found, those on the web are fetched, before anything is sent."""

import asyncio
import re
from collections.abc import AsyncIterator
from mimetypes import guess_type
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from attrs import define, evolve

from service_client.models import Action, Code
from service_server.answers.embedded_file import embedded_file
from service_server.catalog.given_files import GivenFile
from service_server.errors import ServiceError, failure, refused
from service_server.files import Files, FileTooLarge, KeptFile, NoRoomForFile, Owner
from service_server.invoke.invocation import Arguments, Begun, CallRequest, Parts
from service_server.onward.values import ANY_HTTPS_HOST, Interrupted, OnwardRequest, OnwardResponse, Unsent
from service_server.store import DatabaseAway
from service_server.store.clock import now

_LOG = structlog.get_logger(__name__)

# As RFC 6266 has it; names with blanks and without quotes, which many apps send, are whole all the same.
_PARAMETER = re.compile(r"""(?:^|;)\s*([^\s;="]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)""")
_ENCODED = re.compile(r"(utf-8|iso-8859-1)'[^']*'(.*)", re.IGNORECASE)


async def take_files(begun: Begun, arguments: Arguments, parts: Parts) -> Arguments:
    """Return the arguments with what the request needs in place of ids and addresses; most calls have none."""
    request = begun.request
    given = [name for name in request.function.files if arguments.values.get(name) is not None]
    if not given:
        return arguments
    filled = dict(arguments.values)
    for name in given:
        value = filled[name]
        if isinstance(value, list):
            filled[name] = [
                await _taken(begun, each, f"{name}[{position}]", parts) for position, each in enumerate(value)
            ]
        else:
            filled[name] = await _taken(begun, value, name, parts)
    return evolve(arguments, filled=filled)


async def let_go_of_files(begun: Begun, parts: Parts) -> None:
    """Delete what was fetched for a call that is over; what can't be deleted now goes when its hour is over."""
    for kept in begun.fetched:
        try:
            await parts.files.delete(_owner(begun.request), kept.id)
        except (Exception, asyncio.CancelledError) as failure:  # it must not take the place of the call's own end
            _LOG.warning("call.file_left", call=begun.id, reason=type(failure).__name__)


def name_in(disposition: str, otherwise: str) -> str:
    """The name of a file by a Content-Disposition header, or the other one if the header has none."""
    found: dict[str, str] = {}
    for name, text in _PARAMETER.findall(disposition):
        found.setdefault(name.lower(), text.strip())
    encoded = _ENCODED.fullmatch(found.get("filename*", "").strip('"'))
    if encoded is not None:
        return unquote(encoded[2], encoded[1])
    plain = found.get("filename", "")
    if len(plain) > 1 and plain.startswith('"') and plain.endswith('"'):
        plain = re.sub(r'\\(["\\])', r"\1", plain[1:-1])  # a path of Windows, which is wrong there, stays one
    return plain or otherwise


async def _taken(begun: Begun, value: Any, field: str, parts: Parts) -> GivenFile:
    if value.startswith("https:"):
        kept = await _fetched(begun.request, value, field, parts)
        begun.fetched.append(kept)
    else:
        found = await parts.files.find(_owner(begun.request), value)
        if found is None:
            message = f"{field} names no file that is kept: its hour is over, it was deleted, or it never was there"
            raise refused(Code.UNKNOWN_FILE, message, field=field, action=Action.FIX_FIELD)
        kept = found
    return GivenFile(kept.name, kept.media_type, kept.size, kept.chunks)


async def _fetched(request: CallRequest, url: str, field: str, parts: Parts) -> KeptFile:
    """Fetch a file from the web, without anybody's credentials and on no app's behalf, and keep it for the call."""
    keeping = Keeping(parts.files, _owner(request))
    sender = parts.sender.on_behalf_of("", request.application_id, request.user_id)
    outcome = await sender.send(OnwardRequest("GET", url), ANY_HTTPS_HOST, pour=keeping)
    if isinstance(outcome, OnwardResponse) and isinstance(outcome.poured, KeptFile):
        return outcome.poured
    if isinstance(keeping.problem, DatabaseAway):
        raise keeping.problem
    if keeping.problem is not None:
        raise _refusal(keeping.problem, field)
    if isinstance(outcome, Unsent) and outcome.kind == "not_allowed":
        raise refused(Code.HOST_NOT_ALLOWED, f"{field}: {outcome.reason}", field=field, action=Action.FIX_FIELD)
    reason = f"its server answered {outcome.status}" if isinstance(outcome, OnwardResponse) else outcome.reason
    message = f"{field} could not be fetched ({reason}), and nothing was sent"
    raise refused(Code.FORMAT, message, field=field, action=Action.FIX_FIELD)


def _refusal(problem: FileTooLarge | NoRoomForFile, field: str) -> ServiceError:
    if isinstance(problem, FileTooLarge):
        message = f"{field} is larger than {problem.limit} bytes"
        return failure(413, Code.BODY_TOO_LARGE, message, field=field, action=Action.FIX_FIELD)
    seconds = str(max(1, round(problem.until - now())))
    message = f"You keep too many files, or too large ones, for {field} to be fetched. Delete some, or wait."
    return failure(429, Code.RATE_LIMITED, message, field=field, action=Action.WAIT, headers={"Retry-After": seconds})


def _owner(request: CallRequest) -> Owner:
    return Owner(request.application_id, request.user_id)


@define
class Keeping:
    """
    Keeps the body of an answer as a user's file; `problem` says why that failed.

    The name that the app gives it counts first, then `name` or, if that is None, the end of the address. `base64` is
    the key under which the file stands in a JSON answer.
    """

    files: Files
    owner: Owner
    name: str | None = None
    base64: str | None = None
    problem: FileTooLarge | NoRoomForFile | DatabaseAway | None = None

    async def __call__(self, head: OnwardResponse, chunks: AsyncIterator[bytes]) -> KeptFile:
        """Keep it."""
        name = PurePosixPath(unquote(urlsplit(head.url).path)).name if self.name is None else self.name
        name = name_in(head.headers.get("content-disposition", ""), name)
        length = head.headers.get("content-length", "")
        known = int(length) if length.isdigit() and "content-encoding" not in head.headers else None
        media_type = head.headers.get("content-type", "")
        if self.base64 is not None:
            chunks, known = embedded_file(chunks, self.base64), None
            media_type = guess_type(name)[0] or ""
        try:
            return await self.files.keep(self.owner, name, media_type, chunks, known)
        except FileTooLarge as problem:
            self.problem = problem
            raise Interrupted("too_large", f"the file is larger than {problem.limit} bytes") from None
        except NoRoomForFile as problem:
            self.problem = problem
            raise Interrupted("too_large", "the user keeps too many files, or too large ones") from None
        except DatabaseAway as problem:
            self.problem = problem
            raise Interrupted("broken_off", "the file could not be kept, since the database is away") from None
