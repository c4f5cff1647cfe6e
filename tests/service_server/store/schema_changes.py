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
    uniques, indexes = found.get_multi_unique_constraints(), found.get_multi_indexes()
    known_by, keys, checks = (
        found.get_multi_pk_constraint(),
        found.get_multi_foreign_keys(),
        found.get_multi_check_constraints(),
    )
    tables = {}
    for table, columns in found.get_multi_columns().items():
        only: list[Any] = [each["column_names"] for each in uniques[table]]
        only += [each["column_names"] for each in indexes[table] if each["unique"]]
        rules = {f"a row is the only one by {sorted(str(column) for column in each)}" for each in only}
        rules |= {f"a row is known by {known_by[table]['constrained_columns']}"}
        rules |= {f"{each['constrained_columns']} stand in {each['referred_table']}" for each in keys[table]}
        rules |= {f"rows meet {each['sqltext']}" for each in checks[table]}
        tables[table[1]] = Table({each["name"]: each for each in columns}, frozenset(rules))
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
