"""A file's content in pieces, each sealed by itself, so that the whole is never in memory."""

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

    A piece's position and whether it is the last make up its nonce (the STREAM construction), so no piece can be left
    out, swapped or cut off unnoticed. The key itself is sealed by the vault, whose own key can be rotated without
    touching the pieces.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, piece: bytes, position: int, *, is_last: bool) -> bytes:
        """Seal a piece."""
        return self._cipher.encrypt(_nonce(position, is_last), piece, None)

    def open(self, sealed: bytes, position: int, *, is_last: bool) -> bytes:
        """Open the piece at a position; DamagedPiece if it is another one."""
        try:
            return self._cipher.decrypt(_nonce(position, is_last), sealed, None)
        except InvalidTag:
            raise DamagedPiece from None


def new_key() -> bytes:
    """A key for one file."""
    return secrets.token_bytes(KEY_BYTES)


def count_of(size: int) -> int:
    """How many pieces a file of this size has; an empty one has one."""
    return max(1, -(-size // PIECE_BYTES))


async def evenly(chunks: AsyncIterator[bytes]) -> AsyncIterator[tuple[bytes, bool]]:
    """Cut chunks of any size into pieces; give each with whether it is the last."""
    waiting = bytearray()
    async for chunk in chunks:
        waiting += chunk
        while len(waiting) > PIECE_BYTES:
            yield bytes(waiting[:PIECE_BYTES]), False
            del waiting[:PIECE_BYTES]
    yield bytes(waiting), True


def _nonce(position: int, is_last: bool) -> bytes:
    return position.to_bytes(_POSITION_BYTES) + bytes([is_last])
