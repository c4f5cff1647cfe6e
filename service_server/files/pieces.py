"""A file's content in pieces, each sealed by itself, so that none of it is held whole."""

import secrets
from collections.abc import AsyncIterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

PIECE_BYTES = 512 * 1024
KEY_BYTES = 32
_POSITION_BYTES = 11


class DamagedPiece(Exception):
    """A piece that was not sealed with this key, or for another place."""


class PieceCipher:
    """
    Seals the pieces of one file with a key that is used for nothing else.

    A piece's place and whether it is the last are its nonce (the STREAM construction): pieces can't be left out,
    swapped or cut off unseen. The key itself is sealed by the vault, whose own key can be rotated without touching
    them.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, piece: bytes, position: int, *, is_last: bool) -> bytes:
        """Seal a piece."""
        return self._cipher.encrypt(_nonce(position, is_last), piece, None)

    def open(self, sealed: bytes, position: int, *, is_last: bool) -> bytes:
        """Open the piece of a place; DamagedPiece where it is not the one."""
        try:
            return self._cipher.decrypt(_nonce(position, is_last), sealed, None)
        except InvalidTag:
            raise DamagedPiece from None


def new_key() -> bytes:
    """A key for one file."""
    return secrets.token_bytes(KEY_BYTES)


def count_of(size: int) -> int:
    """How many pieces a file of so many bytes has; an empty one has one."""
    return max(1, -(-size // PIECE_BYTES))


async def evenly(chunks: AsyncIterator[bytes]) -> AsyncIterator[tuple[bytes, bool]]:
    """Cut what comes in chunks of any size into pieces; each with whether it is the last."""
    waiting = bytearray()
    async for chunk in chunks:
        waiting += chunk
        while len(waiting) > PIECE_BYTES:
            yield bytes(waiting[:PIECE_BYTES]), False
            del waiting[:PIECE_BYTES]
    yield bytes(waiting), True


def _nonce(position: int, is_last: bool) -> bytes:
    return position.to_bytes(_POSITION_BYTES) + bytes([is_last])
