"""Column types that mean the same on every database."""

from typing import Any

import sqlalchemy
from sqlalchemy import BigInteger, Dialect, Integer
from sqlalchemy.types import TypeDecorator

# SQLite numbers rows only in a column of its type INTEGER, which holds 64 bits.
Number = BigInteger().with_variant(Integer(), "sqlite")


class _WithoutNul(TypeDecorator[str]):
    """
    Text without NUL, which PostgreSQL can neither keep nor compare.

    Kept texts never have one: names and ids are checked before they get here. A text that people ask for may have one,
    in an address for instance; with a replacement character in its place nothing is found, as it should be.
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
