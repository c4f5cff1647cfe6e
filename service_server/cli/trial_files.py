"""What an answer would be kept as, where a function gives a file: `connector try` keeps none."""

from collections.abc import AsyncIterator, Mapping
from mimetypes import guess_type
from typing import Any

from attrs import frozen

from service_server.answers.embedded_file import embedded_file
from service_server.catalog.values import FunctionDefinition
from service_server.files.files import clean_media_type, clean_name
from service_server.invoke.take_files import name_in
from service_server.onward.values import Interrupted, OnwardResponse


@frozen(kw_only=True)
class FileTold:
    """A file without its content; or, in `problem`, why an answer has none."""

    name: str
    media_type: str
    size: int
    problem: str | None = None

    def __str__(self) -> str:
        """What a person reads."""
        if self.problem is not None:
            return f"A call would keep no file: {self.problem}."
        return f"A call would keep this as a file: {self.name}, {self.media_type}, {self.size:,} bytes"

    def described(self) -> dict[str, Any]:
        """The JSON form."""
        told = {"name": self.name, "media_type": self.media_type, "size": self.size}
        return told if self.problem is None else {"problem": self.problem}


async def file_given(
    function: FunctionDefinition, arguments: Mapping[str, Any], response: OnwardResponse
) -> FileTold | None:
    """What a call with these arguments would keep of a 2xx answer; None where it would relay the answer."""
    gives = function.gives_file
    if gives is None or not gives.is_wanted(arguments):
        return None
    name = name_in(response.headers.get("content-disposition", ""), gives.file_name(arguments))
    media_type, size, problem = response.headers.get("content-type", ""), len(response.body), None
    if gives.base64 is not None:
        media_type = guess_type(name)[0] or ""
        try:
            size = sum([len(piece) async for piece in embedded_file(_whole(response.body), gives.base64)])
        except Interrupted as lack:
            problem = lack.reason
    return FileTold(name=clean_name(name), media_type=clean_media_type(media_type), size=size, problem=problem)


async def _whole(body: bytes) -> AsyncIterator[bytes]:
    yield body
