"""Files: what functions take and return besides JSON."""

import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol, cast
from urllib.parse import unquote

from attrs import define, field, frozen

from service_client.errors import InvalidArgumentError
from service_client.models import File
from service_client.plans import AsyncResource, Plan, Request, Response, SyncResource, operation, read

_CHUNK_BYTES = 256 * 1024
_SLOWEST = 64 * 1024
"""Bytes a second; a file gets the extra time it would take at this speed."""

_NO_MEDIA_TYPE = "application/octet-stream"
_FILE_NAME = re.compile(r"filename\*=UTF-8''([^;]*)")


class Blob(Protocol):
    """A Blob or File of the browser, in Pyodide: it is sent without passing through Python's memory."""

    size: int
    type: str

    def arrayBuffer(self) -> Any:  # noqa: N802  the browser's name
        """Its content."""


@frozen
class FileContent:
    """A file as it was downloaded."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


@frozen
class _OnDisk:
    """A file at a path, opened each time it is sent: as much of it as there was before, since that is announced."""

    path: str
    size: int

    def chunks(self) -> Iterator[bytes]:
        left = self.size
        with open(self.path, "rb") as file:  # noqa: PTH123  a bundle for browsers has no pathlib
            while left:
                chunk = file.read(min(left, _CHUNK_BYTES))
                if not chunk:
                    raise InvalidArgumentError(f"{self.path} has become shorter while it was sent.")
                left -= len(chunk)
                yield chunk


@define
class _Opened:
    """A file object, from its current position to its end; one that can't seek is spent once it was sent."""

    file: Any  # a BinaryIO, unless somebody opened it as text
    start: int | None
    is_spent: bool = False

    @property
    def size(self) -> int | None:
        if self.start is None:
            return None
        end: int = self.file.seek(0, os.SEEK_END)
        self.file.seek(self.start)
        return end - self.start

    def chunks(self) -> Iterator[bytes]:
        if self.start is not None:
            self.file.seek(self.start)
        elif self.is_spent:
            raise InvalidArgumentError("The file can't be read again from its beginning.")
        else:
            self.is_spent = True
        while chunk := self.file.read(_CHUNK_BYTES):
            if not isinstance(chunk, bytes):
                raise InvalidArgumentError("The file must be opened in binary mode.")
            yield chunk


@frozen
class _InBrowser:
    """A Blob of the browser, which the transport passes on unchanged."""

    blob: Any

    @property
    def size(self) -> int:
        return int(self.blob.size)

    def chunks(self) -> Iterator[bytes]:
        raise InvalidArgumentError("A Blob can only be sent in a browser.")


class _Files:
    @operation
    def upload(
        self,
        file: "str | os.PathLike[str] | bytes | BinaryIO | Blob",
        *,
        name: str | None = None,
        media_type: str | None = None,
        timeout: float | None = None,
    ) -> Plan[File]:
        """
        Upload a file: a path, bytes, or a file object opened in binary mode, which is read a part at a time.

        Pass the `id` of what comes back as the argument of a function that takes a file. The service keeps it for an
        hour, for the client's user alone. `name` and `media_type` come from the path unless you pass them. A file gets
        more time than other requests, depending on its size; `timeout` replaces that. A file object that can't seek is
        sent once: if the session token is refused then, `AuthenticationError` is raised.
        """
        content, known_name, known_type = _content(file)
        name = name or known_name
        media_type = media_type or known_type or _guessed_media_type(name)
        size = len(content) if isinstance(content, bytes) else content.size
        response = yield Request(
            "POST",
            ("files",),
            query={"name": name},
            upload=content,
            media_type=_checked_media_type(media_type),
            patience=0.0 if timeout is not None else (size or 0) / _SLOWEST,
            timeout=timeout,
        )
        return read(response, File)

    @operation
    def download(self, id: str, *, timeout: float | None = None) -> Plan[FileContent]:
        """Download a file that a function returned, or that was uploaded."""
        response = yield Request("GET", ("files", id), timeout=timeout)
        return FileContent(_name(response), response.headers.get("content-type", _NO_MEDIA_TYPE), response.content)

    @operation
    def delete(self, id: str, *, timeout: float | None = None) -> Plan[None]:
        """Delete a file before its hour is over."""
        yield Request("DELETE", ("files", id), timeout=timeout)


def _content(file: Any) -> "tuple[bytes | _OnDisk | _Opened | _InBrowser, str | None, str | None]":
    """Return what to send, with its name and media type as far as they are known."""
    if isinstance(file, bytes | bytearray | memoryview):
        return bytes(cast(bytes, file)), None, None
    if isinstance(file, str | os.PathLike):
        path = os.fspath(cast(str, file))
        if not os.path.isfile(path):  # noqa: PTH113
            raise InvalidArgumentError(f"There is no file {path}. Pass a path, bytes or an open file.")
        return _OnDisk(path, os.stat(path).st_size), os.path.basename(path), None  # noqa: PTH116, PTH119
    if hasattr(file, "arrayBuffer"):
        return _InBrowser(file), getattr(file, "name", None), str(file.type) or None
    if hasattr(file, "read"):
        name = getattr(file, "name", None)
        seekable = getattr(file, "seekable", None)
        start = file.tell() if seekable is not None and seekable() else None
        return _Opened(file, start), os.path.basename(name) if isinstance(name, str) else None, None  # noqa: PTH119
    raise InvalidArgumentError("Pass a path, bytes or a file opened in binary mode.")


def _checked_media_type(media_type: str) -> str:
    if not media_type.isascii() or not media_type.isprintable() or "/" not in media_type:
        raise InvalidArgumentError("media_type must be one such as application/pdf.")
    return media_type


def _guessed_media_type(name: str | None) -> str:
    try:
        import mimetypes  # it reads the system's table on first use
    except ImportError:  # in the browser's bundle
        return _NO_MEDIA_TYPE
    return mimetypes.guess_type(name or "")[0] or _NO_MEDIA_TYPE


def _name(response: Response) -> str:
    found = _FILE_NAME.search(response.headers.get("content-disposition", ""))
    return unquote(found[1]) if found else "file"


class Files(_Files, SyncResource):
    """Files: what functions take and return besides JSON."""


class AsyncFiles(_Files, AsyncResource):
    """Files: what functions take and return besides JSON."""
