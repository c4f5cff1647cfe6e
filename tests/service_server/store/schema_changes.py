"""The schema of a database, and what a change of it takes from code that was written for the schema before it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen
from sqlalchemy import Connection, inspect

from service_server.store.database_url import kind_of


@frozen
class Table:
    """A table as code meets it: the columns, and the rules that refuse rows."""

    columns: dict[str, Any]
    rules: frozenset[str]


def on(url: str, do: Callable[[Connection], Any]) -> Any:
    """What a function finds or does on a database, over the service's own driver."""

    async def run() -> Any:
        async with kind_of(url).changing_schema() as connection:
            return await connection.run_sync(do)

    return asyncio.run(run())


def schema(connection: Connection) -> dict[str, Table]:
    """The tables of a database."""
    found = inspect(connection)
    tables = {}
    for name in found.get_table_names():
        uniques: list[Any] = [each["column_names"] for each in found.get_unique_constraints(name)]
        indexes: list[Any] = [each["column_names"] for each in found.get_indexes(name) if each["unique"]]
        rules = {
            f"a row is the only one by {sorted(str(column) for column in columns)}" for columns in [*uniques, *indexes]
        }
        rules |= {f"a row is known by {found.get_pk_constraint(name)['constrained_columns']}"}
        keys, checks = found.get_foreign_keys(name), found.get_check_constraints(name)
        rules |= {f"{each['constrained_columns']} stand in {each['referred_table']}" for each in keys}
        rules |= {f"rows meet {each['sqltext']}" for each in checks}
        tables[name] = Table({each["name"]: each for each in found.get_columns(name)}, frozenset(rules))
    return tables


def taken(before: dict[str, Table], after: dict[str, Table]) -> Iterator[str]:
    """What code for the schema before does not find any more, or may be refused."""
    for name, table in before.items():
        if name not in after:
            yield f"the table {name}"
            continue
        now = after[name]
        for column, was in table.columns.items():
            if column not in now.columns:
                yield f"the column {name}.{column}"
                continue
            if str(was["type"]) != str(now.columns[column]["type"]):
                yield f"the type of {name}.{column}"
            if was["nullable"] and not now.columns[column]["nullable"]:
                yield f"leaving {name}.{column} empty"
        for column, new in now.columns.items():
            if column not in table.columns and not new["nullable"] and new["default"] is None:
                yield f"rows without {name}.{column}"
        for rule in sorted(now.rules - table.rules):
            yield f"rows against a new rule of {name}: {rule}"
