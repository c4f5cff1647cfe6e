"""Operators: the people who may sign in to the console."""

from sqlalchemy import delete, insert, select

from service_server.store.clock import timestamp
from service_server.store.database import Database
from service_server.store.tables import OPERATORS


class Operators:
    """Operators and the hashes of their passwords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, name: str, password_hash: str) -> None:
        """Add an operator, or replace the password of one."""
        async with self._database.write(turn="operators") as connection:
            await connection.execute(delete(OPERATORS).where(OPERATORS.c.name == name))
            await connection.execute(
                insert(OPERATORS).values(name=name, password_hash=password_hash, created_at=timestamp())
            )

    async def password_hash(self, name: str) -> str | None:
        """The password hash of an operator; None if there is no such operator."""
        async with self._database.read() as connection:
            found: str | None = (
                await connection.execute(select(OPERATORS.c.password_hash).where(OPERATORS.c.name == name))
            ).scalar()
            return found
