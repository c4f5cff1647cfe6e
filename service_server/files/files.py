"""The files of users: kept sealed, for an hour, and only for the user who gave them."""

import asyncio
import base64
import contextlib
import re
import secrets
from collections.abc import AsyncIterator
from typing import NamedTuple

from attrs import field, frozen

from service_client.models import File
from service_server.files.pieces import PieceCipher, count_of, evenly, new_key
from service_server.store import FileGone, FileRow, NoRoomForFile, Room, StoredFiles
from service_server.store.clock import moment, now
from service_server.vault import Kept, Vault

KEPT_SECONDS = 3600.0
MOST_FILES = 100
"""That one user keeps at a time."""

ID = re.compile(r"file_[A-Za-z0-9_-]{22}")
LONGEST_NAME = 255
NO_MEDIA_TYPE = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,80}(?:; ?[a-z0-9-]{1,30}=[A-Za-z0-9._-]{1,60})?")

__all__ = ["FileGone", "FileTooLarge", "Files", "KeptFile", "NoRoomForFile", "Owner", "described"]


class Owner(NamedTuple):
    """Whose file it is: nobody else finds it."""

    application_id: int
    user_id: str


class FileTooLarge(Exception):
    """A file of more than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__("too large")
        self.limit = limit


@frozen(kw_only=True)
class KeptFile:
    """A file that can be read; `expires_at` is in seconds of the clock."""

    id: str
    name: str
    media_type: str
    size: int
    expires_at: float
    _cipher: PieceCipher = field(repr=False, eq=False, alias="cipher")
    _stored: StoredFiles = field(repr=False, eq=False, alias="stored")

    async def chunks(self) -> AsyncIterator[bytes]:
        """The content from its beginning, with one piece in memory at a time; FileGone if it was deleted meanwhile."""
        count = count_of(self.size)
        for position in range(count):
            sealed = await self._stored.piece(self.id, position)
            piece = self._cipher.open(sealed, position, is_last=position == count - 1)
            if piece:
                yield piece


@frozen
class Files:
    """Keeps files of up to `most_bytes` each; all files of one user at a time hold up to `most_bytes_per_user`."""

    stored: StoredFiles
    vault: Vault
    most_bytes: int
    most_bytes_per_user: int

    @property
    def largest(self) -> int:
        """How many bytes a file may have."""
        return min(self.most_bytes, self.most_bytes_per_user)

    async def keep(
        self, owner: Owner, name: str, media_type: str, chunks: AsyncIterator[bytes], length: int | None = None
    ) -> KeptFile:
        """
        Keep a file that comes in chunks; `length` is the number of bytes announced, if any.

        Without one, it may be as large as the user still has room for.

        Raises:
            FileTooLarge: nothing of it stays.
            NoRoomForFile: the user keeps too much already.
        """
        if length is not None and length > self.largest:
            raise FileTooLarge(self.largest)
        key = new_key()
        row = self._row(owner, clean_name(name), clean_media_type(media_type), key, length)
        least = 1 if length is None else length
        room = await self.stored.begin(row, most_files=MOST_FILES, most_bytes=self.most_bytes_per_user, least=least)
        try:
            size = await self._write(row.id, PieceCipher(key), chunks, room)
            await self.stored.finish(row.id, size)
        except BaseException:
            with contextlib.suppress(Exception):  # it expires anyway
                await asyncio.shield(self.stored.delete(row.id))
            raise
        found = await self.find(owner, row.id)
        if found is None:
            raise FileGone
        return found

    async def find(self, owner: Owner, file_id: str) -> KeptFile | None:
        """The user's file with this id, None if there is none (any more)."""
        if not ID.fullmatch(file_id):
            return None
        row = await self.stored.find(*owner, file_id)
        if row is None:
            return None
        head = self.vault.open(row.sealed_head, Kept.FILE, *owner, row.id)
        return KeptFile(
            id=row.id,
            name=head["name"],
            media_type=head["media_type"],
            size=row.size,
            expires_at=row.expires_at,
            cipher=PieceCipher(base64.b64decode(head["key"])),
            stored=self.stored,
        )

    async def delete(self, owner: Owner, file_id: str) -> bool:
        """Delete the user's file with this id; return whether there was one."""
        if await self.find(owner, file_id) is None:
            return False
        await self.stored.delete(file_id)
        return True

    def _row(self, owner: Owner, name: str, media_type: str, key: bytes, length: int | None) -> FileRow:
        file_id = f"file_{secrets.token_urlsafe(16)}"
        head = {"key": base64.b64encode(key).decode(), "name": name, "media_type": media_type}
        return FileRow(
            id=file_id,
            application_id=owner.application_id,
            user_id=owner.user_id,
            sealed_head=self.vault.seal(head, Kept.FILE, *owner, file_id),
            size=self.largest if length is None else length,
            expires_at=now() + KEPT_SECONDS,
        )

    async def _write(self, file_id: str, cipher: PieceCipher, chunks: AsyncIterator[bytes], room: Room) -> int:
        size = position = 0
        async for piece, is_last in evenly(chunks):
            size += len(piece)
            if size > self.largest:
                raise FileTooLarge(self.largest)
            if size > room.size:
                raise NoRoomForFile(room.until)
            await self.stored.add_piece(file_id, position, cipher.seal(piece, position, is_last=is_last))
            position += 1
        return size


def described(kept: KeptFile) -> File:
    """A file as it goes over the wire."""
    return File(
        id=kept.id, name=kept.name, size=kept.size, media_type=kept.media_type, expires_at=moment(kept.expires_at)
    )


def clean_name(name: str) -> str:
    """A file's name that is safe in a header, a form and on a disk: no folder, no control characters, not too long."""
    last = re.split(r"[/\\]", name)[-1]
    shown = "".join(character for character in last if character.isprintable()).strip(" .")
    return shown[:LONGEST_NAME] or "file"


def clean_media_type(media_type: str) -> str:
    """A media type that is safe in a header; anything that is not a media type counts as plain bytes."""
    text = media_type.strip()
    base, semicolon, rest = text.partition(";")
    text = base.strip().lower() + semicolon + rest
    return text if _MEDIA_TYPE.fullmatch(text) else NO_MEDIA_TYPE
