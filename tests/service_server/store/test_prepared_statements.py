"""What every call reads and writes goes past SQLAlchemy; it has to mean the same as through it."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, BigInteger, Boolean, Float, Integer, bindparam, insert, select, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from service_server import store
from service_server.store import Database, DatabaseAway
from service_server.store.calls import _INSERT
from service_server.store.failures import RowRefused
from service_server.store.idempotency import _COMPLETE
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import CALLS, METADATA
from service_server.store.webhook_events import _INSERT as _TELL
from tests.service_server.databases import EmptyDatabases
from tests.service_server.store.databases import opened

pytestmark = pytest.mark.slow

TEXTS = ["", "ann", "Zoë 🦊", "'q' \"", "$1 ?:%s", "a\nb\\", "\N{REPLACEMENT CHARACTER}"]
HALF_A_PAIR = "\ud83d"
# JSON can say what texts of a database can't.
DOCUMENTS: list[Any] = [
    None,
    "Zoë 🦊 'quoted' \"twice\" $1 ? :call %s",
    *TEXTS,
    [],
    {},
    {"nul": "\0", "half": HALF_A_PAIR, "large": 10**40, "small": 1e-300, "deep": [[{"a": [None, True, -0.0]}]]},
    True,
    2**63,
    -1.5,
]
TURNS = range(len(DOCUMENTS))
FLOATS = [0.0, 1.5, 1e300, 12, 1e9 + 1 / 3]
NUMBERS = dict(enumerate([0, 1, -(2**63), 2**63 - 1]))
TOO_LARGE = 2**63
ORDER = ("insert", "select", "update", "delete")
# The others have rows by the statements themselves.
FILLED = ("processes", "accounts", "app_configurations", "application_app_configurations", "webhook_endpoints")
FILLED += ("operators", "operator_sessions", "admin_keys", "audit_events")


def value_of(kind: Any, turn: int) -> Any:
    """The value of a turn for a type of columns: the same in all of them, so that what is looked for is there."""
    match kind:
        case JSON():
            return DOCUMENTS[turn]
        case Boolean():
            return turn % 2 == 0
        case Float():
            return FLOATS[turn % len(FLOATS)]
        case BigInteger():
            return NUMBERS.get(turn, turn)
        case Integer():
            return turn
    return f"{turn or ''}{TEXTS[turn % len(TEXTS)]}"[:8]


def row_of(table: str, turn: int) -> dict[str, Any]:
    """A row with the values of a turn; in every third one nothing stands where nothing has to."""
    columns = METADATA.tables[table].columns
    return {each.name: None if turn % 3 == 2 and each.nullable else value_of(each.type, turn) for each in columns}


def parameters_of(statement: PreparedStatement, turn: int) -> dict[str, Any]:
    """The parameters of a statement with the values of a turn."""
    compiled = statement.statement.compile(dialect=sqlite.dialect())
    kinds = {bind.key: bind.type for bind in compiled.binds.values() if bind.required}
    values = {name: value_of(kind, turn) for name, kind in kinds.items()}
    values |= {name: None for name in kinds.keys() & {"code", "duration", "result"} if turn % 3 == 2}
    if kind_of(statement) == "insert":
        row = row_of(statement.statement.table.name, turn)
        values = {name: row[name.removeprefix("given_").removeprefix("new_")] for name in kinds}
    # What is pending has to be; deliveries are numbered by themselves; of keys each second one is too old.
    special = {"new_state": "pending" if statement is _TELL else "failed", "delivery": turn + 1}
    special |= {"before": 1e301 if turn % 2 else 0.0}
    return values | {name: value for name, value in special.items() if name in kinds}


def kind_of(statement: PreparedStatement) -> str:
    """Whether it inserts, selects, updates or deletes."""
    return "select" if statement.statement.is_select else statement.statement.__visit_name__


class Twins:
    """Two databases of one kind: on one the prepared statement is run, on the other the one that it was made of."""

    def __init__(self, prepared: Database, plain: Database) -> None:
        self._prepared, self._plain = prepared, plain
        self.effective: set[PreparedStatement] = set()
        "Those that have found or changed something."

    async def insert(self, table: str, **values: Any) -> None:
        """Have a row in both."""
        for database in (self._prepared, self._plain):
            async with database.write() as connection:
                await connection.execute(insert(METADATA.tables[table]).values(**values))

    async def run(self, statement: PreparedStatement, **parameters: Any) -> None:
        """Run it in both ways: the same values of the same types are read, and the same rows are there afterwards."""
        if kind_of(statement) == "select":
            found = await self._prepared.fetch(statement, parameters)
            assert repr(await rows(self._plain, statement.statement, parameters)) == repr(found)
            changed = bool(found)
        else:
            kept = text(f"SELECT * FROM {statement.statement.table.name} ORDER BY 1, 2, 3, 4")  # nothing is decoded
            before = await rows(self._plain, kept)
            await self._prepared.commit_soon(statement, parameters)
            async with self._plain.write() as connection:
                await connection.execute(statement.statement, parameters)
            after = await rows(self._plain, kept)
            assert repr(after) == repr(await rows(self._prepared, kept))
            changed = repr(before) != repr(after)
        self.effective |= {statement} if changed else set()

    async def refuse(self, statement: PreparedStatement, **parameters: Any) -> None:
        """Neither takes it."""
        with pytest.raises((RowRefused, OverflowError, UnicodeError)) as refused:
            await self._prepared.commit_soon(statement, parameters)
        with pytest.raises((DatabaseAway, DBAPIError, OverflowError, UnicodeError)):
            async with self._plain.write() as connection:
                await connection.execute(statement.statement, parameters)
        assert str(TOO_LARGE) not in str(refused.value)


async def rows(database: Database, query: Any, parameters: Any = None) -> list[dict[str, Any]]:
    """What SQLAlchemy reads."""
    async with database.read() as connection:
        return [dict(row) for row in (await connection.execute(query, parameters)).mappings()]


@pytest.fixture
async def twins(empty_databases: EmptyDatabases, tmp_path: Path) -> AsyncIterator[Twins]:
    """Two empty databases."""
    folders = [tmp_path / name for name in ("prepared", "plain")]
    for folder in folders:
        folder.mkdir()
    with empty_databases.new(folders[0]) as first, empty_databases.new(folders[1]) as second:
        async with opened(first) as prepared, opened(second) as plain:
            yield Twins(prepared, plain)


def prepared_statements() -> Iterator[PreparedStatement]:
    """All that the store has."""
    for module in pkgutil.iter_modules(store.__path__, f"{store.__name__}."):
        if not module.ispkg:
            names = vars(importlib.import_module(module.name))
            yield from (value for value in names.values() if isinstance(value, PreparedStatement))


async def test_prepared_statements_do_what_sqlalchemy_does(twins: Twins) -> None:
    """The same rows are written and the same values read, of the same types, by every statement that is prepared."""
    statements = sorted(dict.fromkeys(prepared_statements()), key=lambda each: ORDER.index(kind_of(each)))
    reading = [each for each in statements if kind_of(each) == "select"]
    for turn in TURNS:
        for table in FILLED:
            await twins.insert(table, **row_of(table, turn))
        for statement in (*statements, *reading):
            await twins.run(statement, **parameters_of(statement, turn))

    assert set(statements) == twins.effective


async def test_what_can_not_be_kept_is_refused_either_way(twins: Twins) -> None:
    """A number beyond 64 bits and half of a surrogate pair in a text; what comes after is kept."""
    row = row_of("calls", 1) | {"process_id": None}
    for wrong in ({"account_id": TOO_LARGE}, {"user_id": HALF_A_PAIR}, {"user_id": None}):
        await twins.refuse(_INSERT, **row | wrong)
    await twins.run(_INSERT, **row)


async def test_parameters_must_be_given(database: Database) -> None:
    """One that is missing fails at once, with its name."""
    parameters = parameters_of(_COMPLETE, 1)
    del parameters["answer"]
    with pytest.raises(KeyError, match="answer"):
        await database.commit_soon(_COMPLETE, parameters)


def test_a_text_that_depends_on_its_parameters_can_not_be_prepared() -> None:
    """As that of a list, which SQLAlchemy writes out again for each length."""
    statement = PreparedStatement(select(CALLS.c.id).where(CALLS.c.id.in_(bindparam("ids", expanding=True))))
    with pytest.raises(TypeError, match="depend"):
        statement.on(sqlite.dialect())
