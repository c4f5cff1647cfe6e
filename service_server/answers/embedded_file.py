"""A file that an app gives as base64 inside of JSON, decoded while it comes: the whole is never in memory."""

import binascii
import re
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from typing import Final

from attrs import define, field

from service_server.onward.values import Interrupted

_LONGEST_KEY: Final = 200
_PUNCTUATION: Final = re.compile(rb'["{}\[\]:,]')
_IN_STRING: Final = re.compile(rb'(?:[^"\\]|\\u[0-9A-Fa-f]{4}|\\[^u])*', re.DOTALL)
_ESCAPED: Final = re.compile(rb"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_BLANKS: Final = b" \t\r\n"
_URL_ALPHABET: Final = bytes.maketrans(b"-_", b"+/")
_MEANS: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


async def embedded_file(chunks: AsyncIterator[bytes], key: str) -> AsyncIterator[bytes]:
    """
    Yield the file whose base64, in either alphabet, stands under a key of the object that the chunks are the JSON of.

    The chunks are read to their end. Raises Interrupted if there is no such file in them.
    """
    reader = _Reader(key.encode())
    async for chunk in chunks:
        for piece in reader.read(chunk):
            yield piece
    reader.end()


@define
class _Reader:
    key: bytes
    depth: int = 0
    in_string: bool = False
    in_file: bool = False
    found: bool = False
    text: bytes = b""  # the last string outside of the file, which may be the key
    is_next: bool = False  # the key was read, and its value comes
    rest: bytes = b""  # of a string, what can't be understood before the next chunk
    waiting: bytes = field(default=b"", repr=False)  # base64 that makes no whole byte yet

    def read(self, chunk: bytes) -> Iterator[bytes]:
        chunk, self.rest = self.rest + chunk, b""
        position = 0
        while position < len(chunk):
            if self.in_string:
                match = _IN_STRING.match(chunk, position)
                assert match is not None  # noqa: S101  it matches nothing, too
                yield from self._said(match[0])
                position = match.end()
                if position < len(chunk) and chunk[position : position + 1] == b'"':
                    yield from self._closed()
                    position += 1
                elif position < len(chunk):
                    if len(chunk) - position > len(b"\\u0000"):
                        raise _no_file()
                    self.rest = chunk[position:]
                    return
            else:
                match = _PUNCTUATION.search(chunk, position)
                if match is None:
                    return
                self._met(match[0])
                position = match.end()

    def end(self) -> None:
        if not self.found or self.in_file:
            raise _no_file()

    def _met(self, mark: bytes) -> None:
        if mark == b'"':
            self.in_string, self.text = True, b""
            self.in_file = self.is_next and not self.found
            self.is_next = False
        elif mark == b":":
            self.is_next = self.depth == 1 and self.text == self.key
        else:
            self.depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(mark, 0)
            self.is_next, self.text = False, b""

    def _said(self, text: bytes) -> Iterator[bytes]:
        if not self.in_file:
            self.text = (self.text + text)[: _LONGEST_KEY + 1]
            return
        if b"\\" in text:
            text = _ESCAPED.sub(_meant, text)
        self.waiting += text.translate(_URL_ALPHABET, _BLANKS)
        whole = len(self.waiting) - len(self.waiting) % 4
        if whole:
            piece, self.waiting = self.waiting[:whole], self.waiting[whole:]
            yield _decoded(piece)

    def _closed(self) -> Iterator[bytes]:
        self.in_string = False
        if self.in_file:
            self.in_file, self.found = False, True
            if self.waiting:
                yield _decoded(self.waiting + b"=" * (-len(self.waiting) % 4))


def _meant(match: re.Match[bytes]) -> bytes:
    code, letter = match.groups()
    if code is not None:
        return chr(int(code, 16)).encode("utf-8", "replace")
    return _MEANS.get(letter, letter)


def _decoded(text: bytes) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise _no_file() from None


def _no_file() -> Interrupted:
    return Interrupted("broken_off", "the app's answer has no file where one was expected")
