"""A file among a call's arguments, and bodies that hold one without holding its content."""

import base64
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from service_server.onward.values import StreamedBody

PARTS = ("name", "media_type", "size")
"""What expressions find below a file, such as `${args.file.name}`."""

_LINE_BYTES = 57  # that make a line of 76 characters in base64


@frozen(eq=False)
class GivenFile(Mapping[str, Any]):
    """
    A file that a call is given: a mapping of what is known of it, whose content comes in chunks.

    Hooks get it as it is, and put it where its content belongs.
    """

    name: str
    media_type: str
    size: int
    chunks: Callable[[], AsyncIterator[bytes]] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        if key not in PARTS:
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(PARTS)

    def __len__(self) -> int:
        return len(PARTS)

    def __deepcopy__(self, _memo: object) -> "GivenFile":
        return self


@frozen
class InBase64:
    """A file as base64 text, in lines of 76 characters where e-mails want them."""

    file: GivenFile
    in_lines: bool = False

    @property
    def size(self) -> int:
        """How many characters there are."""
        size = self.file.size
        if not self.in_lines:
            return 4 * -(-size // 3)
        whole, rest = divmod(size, _LINE_BYTES)
        return whole * 78 + (4 * -(-rest // 3) + 2 if rest else 0)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The text, a chunk at a time."""
        unit = _LINE_BYTES if self.in_lines else 3
        waiting = b""
        async for chunk in self.file.chunks():
            waiting += chunk
            whole = len(waiting) - len(waiting) % unit
            yield self._encoded(waiting[:whole])
            waiting = waiting[whole:]
        yield self._encoded(waiting)

    def _encoded(self, content: bytes) -> bytes:
        if not self.in_lines:
            return base64.b64encode(content)
        lines = (content[start : start + _LINE_BYTES] for start in range(0, len(content), _LINE_BYTES))
        return b"".join(base64.b64encode(line) + b"\r\n" for line in lines)


Part: TypeAlias = bytes | GivenFile | InBase64


def joined(parts: Sequence[Part]) -> bytes | StreamedBody:
    """Put a body together: bytes where there is no file in it."""
    texts = [part for part in parts if isinstance(part, bytes)]
    if len(texts) == len(parts):
        return b"".join(texts)

    async def chunks() -> AsyncIterator[bytes]:
        for part in parts:
            if isinstance(part, bytes):
                yield part
            else:
                async for chunk in part.chunks():
                    if chunk:
                        yield chunk

    length = sum(len(part) if isinstance(part, bytes) else part.size for part in parts)
    return StreamedBody(length, chunks)
