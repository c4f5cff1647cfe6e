"""Statements that every call runs: compiled once to the text and values that the database's driver takes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from attrs import field, frozen
from sqlalchemy import Dialect
from sqlalchemy.engine.interfaces import DBAPIType
from sqlalchemy.sql import ClauseElement, Executable
from sqlalchemy.sql.compiler import SQLCompiler

Parameters = Mapping[str, Any]
Arguments = tuple[Any, ...]
_Processor = Callable[[Any], Any]

# SQLAlchemy asks asyncpg for the type of a numeric column, named by PostgreSQL's number for it.
_DOUBLE_PRECISION = cast(DBAPIType, 701)


@frozen(eq=False)
class DriverStatement:
    """One statement as a driver runs it; its types are those of the columns, as SQLAlchemy reads and writes them."""

    sql: str
    _names: tuple[str | None, ...]
    _values: Arguments
    _writing: tuple[_Processor | None, ...]
    _columns: tuple[str, ...]
    _reading: tuple[_Processor | None, ...]

    def arguments(self, parameters: Parameters) -> Arguments:
        """The values for one run in the driver's order; KeyError names a parameter that is missing."""
        return tuple(
            value if name is None else parameters[name] if process is None else process(parameters[name])
            for name, value, process in zip(self._names, self._values, self._writing, strict=True)
        )

    def rows(self, records: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        """What the driver has read, by column."""
        return [
            {
                name: value if process is None else process(value)
                for name, process, value in zip(self._columns, self._reading, record, strict=True)
            }
            for record in records
        ]


@frozen(eq=False)
class PreparedStatement:
    """
    A statement that the driver itself runs, which costs a small part of what SQLAlchemy takes.

    `statement` is its only definition: what the driver runs is compiled from it once per dialect. Its parameters are
    `bindparam`s; the statement is the same whatever their values are. If several processes may write the same row,
    `row` names the parameters that say which row it is: a group commit writes the rows in their order.
    """

    statement: Executable
    row: tuple[str, ...] = ()
    _made: dict[str, DriverStatement] = field(factory=dict, init=False, repr=False)

    def on(self, dialect: Dialect) -> DriverStatement:
        """The statement for a driver."""
        made = self._made.get(dialect.name)
        if made is None:
            made = self._made[dialect.name] = _driver_statement(self.statement, dialect)
        return made


def _driver_statement(statement: Executable, dialect: Dialect) -> DriverStatement:
    compiled = cast(SQLCompiler, cast(ClauseElement, statement).compile(dialect=dialect))
    order = compiled.positiontup or []
    binds = [compiled.binds[name] for name in order]
    if any(bind.expanding or bind.literal_execute for bind in binds):
        raise TypeError("the text of a prepared statement can't depend on its parameters")
    writing = [bind.type.dialect_impl(dialect).bind_processor(dialect) for bind in binds]
    values = [None if bind.required else compiled.params[name] for name, bind in zip(order, binds, strict=True)]
    columns = list(getattr(statement, "selected_columns", ()))
    return DriverStatement(
        compiled.string,
        names=tuple(bind.key if bind.required else None for bind in binds),
        values=tuple(
            value if process is None else process(value) for value, process in zip(values, writing, strict=True)
        ),
        writing=tuple(writing),
        columns=tuple(column.name for column in columns),
        reading=tuple(
            column.type.dialect_impl(dialect).result_processor(dialect, _DOUBLE_PRECISION) for column in columns
        ),
    )
