"""Types of columns that mean the same on every database."""

from typing import Any

import sqlalchemy
from sqlalchemy import BigInteger, Dialect, Integer
from sqlalchemy.types import TypeDecorator

# SQLite numbers rows only in a column of its type INTEGER, which holds 64 bits.
Number = BigInteger().with_variant(Integer(), "sqlite")


class _WithoutNul(TypeDecorator[str]):
    """
    Text in which no NUL stands, which PostgreSQL can neither keep nor compare.

    What is kept never has one: names and ids are checked before they get here. What people ask for may, in an address
    for instance; a replacement character in its place is then not found, as it should be.
    """

    def bind_processor(self, dialect: Dialect) -> Any:
        """Replace NULs where the database would refuse the statement."""
        return _without_nul if dialect.name == "postgresql" else None


class String(_WithoutNul):
    """A text of limited length."""

    impl = sqlalchemy.String
    cache_ok = True


class Text(_WithoutNul):
    """A text of any length."""

    impl = sqlalchemy.Text
    cache_ok = True


def _without_nul(value: str | None) -> str | None:
    return value if value is None or "\0" not in value else value.replace("\0", "\N{REPLACEMENT CHARACTER}")
