"""Files as the database keeps them: a row each, and their sealed pieces in another table."""

import attrs
from attrs import frozen
from sqlalchemy import ColumnElement, Integer, LargeBinary, and_, delete, func, insert, literal, select, update

from service_server.store.clock import now
from service_server.store.column_types import String
from service_server.store.database import Database
from service_server.store.tables import FILE_PIECES, FILES

_PIECES_AT_ONCE = 8  # deleted in one transaction, few enough that nobody waits long for it
_FILES_AT_ONCE = 100


class NoRoomForFile(Exception):
    """A user keeps as much as allowed; `until` is the moment when the first of the files expires."""

    def __init__(self, until: float) -> None:
        super().__init__("no room")
        self.until = until


class FileGone(Exception):
    """A file was deleted, or has expired, while it was written or read."""


@frozen(kw_only=True)
class FileRow:
    """A file as it is kept; `size` is in bytes, and until it `is_whole` the room set aside."""

    id: str
    application_id: int
    user_id: str
    sealed_head: str
    size: int
    is_whole: bool = False
    expires_at: float


@frozen
class Room:
    """What is set aside for a new file, in bytes; there may be more from the moment `until` on."""

    size: int
    until: float


class StoredFiles:
    """The files of all users."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, row: FileRow, *, most_files: int, most_bytes: int, least: int) -> Room:
        """
        Set room aside for a new file: its size, or what its user has left if that is the `least` at any rate.

        NoRoomForFile if the user would exceed the limits.
        """
        mine = (FILES.c.application_id == row.application_id, FILES.c.user_id == row.user_id)
        asked = select(func.count(), func.coalesce(func.sum(FILES.c.size), 0), func.min(FILES.c.expires_at))
        async with self._database.write(turn=f"files of {row.application_id} {row.user_id}") as connection:
            count, size, first = (await connection.execute(asked.where(*mine, FILES.c.expires_at > now()))).one()
            left, until = most_bytes - int(size), row.expires_at if first is None else first
            if count >= most_files or left < least:
                raise NoRoomForFile(until)
            room = Room(min(row.size, left), until)
            await connection.execute(insert(FILES).values(attrs.asdict(row) | {"size": room.size}))
        return room

    async def add_piece(self, file_id: str, position: int, sealed_content: bytes) -> None:
        """Keep the next piece of a file that is being written; FileGone if it is not being written any more."""
        being_written = select(FILES.c.id).where(FILES.c.id == file_id, _is_written()).exists()
        values = select(
            literal(file_id, String(64)), literal(position, Integer()), literal(sealed_content, LargeBinary())
        ).where(being_written)
        columns = ["file_id", "position", "sealed_content"]
        async with self._database.write() as connection:
            if (await connection.execute(insert(FILE_PIECES).from_select(columns, values))).rowcount == 0:
                raise FileGone

    async def finish(self, file_id: str, size: int) -> None:
        """Make a file readable once all its pieces are there; FileGone if it was deleted meanwhile."""
        done = update(FILES).where(FILES.c.id == file_id, _is_written()).values(size=size, is_whole=True)
        async with self._database.write() as connection:
            if (await connection.execute(done)).rowcount == 0:
                raise FileGone

    async def find(self, application_id: int, user_id: str, file_id: str) -> FileRow | None:
        """A user's file, if it is whole and has not expired."""
        query = select(FILES).where(
            FILES.c.id == file_id,
            FILES.c.application_id == application_id,
            FILES.c.user_id == user_id,
            FILES.c.is_whole.is_(True),
            FILES.c.expires_at > now(),
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else FileRow(**row._mapping)

    async def piece(self, file_id: str, position: int) -> bytes:
        """A sealed piece of a file; FileGone if it isn't there."""
        query = select(FILE_PIECES.c.sealed_content).where(
            FILE_PIECES.c.file_id == file_id, FILE_PIECES.c.position == position
        )
        async with self._database.read() as connection:
            found = (await connection.execute(query)).scalar_one_or_none()
        if found is None:
            raise FileGone
        return bytes(found)

    async def delete(self, file_id: str) -> None:
        """Delete a file in small transactions; after the first one nobody finds it."""
        while await self._delete_some(file_id):
            pass
        async with self._database.write() as connection:
            await connection.execute(delete(FILES).where(FILES.c.id == file_id))

    async def forget(self) -> int:
        """Delete the files that have expired, a few at a time; returns how many."""
        expired = select(FILES.c.id).where(FILES.c.expires_at <= now()).order_by(FILES.c.expires_at)
        forgotten = 0
        while True:
            async with self._database.read() as connection:
                ids = list(await connection.scalars(expired.limit(_FILES_AT_ONCE)))
            for file_id in ids:
                await self.delete(file_id)
            forgotten += len(ids)
            if len(ids) < _FILES_AT_ONCE:
                return forgotten

    async def _delete_some(self, file_id: str) -> bool:
        """Delete the first pieces; return whether there may be more. A readable file has all its pieces or none."""
        of_file = FILE_PIECES.c.file_id == file_id
        async with self._database.write() as connection:
            await connection.execute(update(FILES).where(FILES.c.id == file_id).values(is_whole=False, expires_at=0.0))
            first = select(FILE_PIECES.c.position).where(of_file).order_by(FILE_PIECES.c.position)
            positions = list(await connection.scalars(first.limit(_PIECES_AT_ONCE)))
            if positions:
                await connection.execute(delete(FILE_PIECES).where(of_file, FILE_PIECES.c.position.in_(positions)))
        return len(positions) == _PIECES_AT_ONCE


def _is_written() -> ColumnElement[bool]:
    """Whether a file is being written, and was not deleted meanwhile."""
    return and_(FILES.c.is_whole.is_(False), FILES.c.expires_at > now())
