"""What every call reads and writes goes past SQLAlchemy; it has to mean the same as through it."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, bindparam, insert, select, text
from sqlalchemy.exc import DBAPIError

from service_server import store
from service_server.store import Database, DatabaseAway
from service_server.store.accounts import _GET as ACCOUNT
from service_server.store.accounts import _OF_USER, _OF_USER_IN_APP
from service_server.store.admin_keys import _GET as ADMIN_KEY
from service_server.store.admin_keys import _USED
from service_server.store.app_configurations import _GET as CONFIGURATION
from service_server.store.calls import _DISCARD, _FINISH, _INSERT, _REFUSE
from service_server.store.calls import _GET as CALL
from service_server.store.failures import RowRefused
from service_server.store.idempotency import _CLAIM, _COMPLETE, _FORGET, _RELEASE
from service_server.store.idempotency import _GET as KEY
from service_server.store.operator_sessions import _GET as SESSION
from service_server.store.operators import _GET as OPERATOR
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import (
    ACCOUNTS,
    ADMIN_KEYS,
    APP_CONFIGURATIONS,
    APPLICATION_APP_CONFIGURATIONS,
    CALLS,
    IDEMPOTENCY,
    OPERATOR_SESSIONS,
    OPERATORS,
    REFUSALS,
    WEBHOOK_DELIVERIES,
    WEBHOOK_ENDPOINTS,
)
from service_server.store.webhook_deliveries import _END, _WAITED_FOR
from service_server.store.webhook_endpoints import _EVERYONE
from service_server.store.webhook_events import _INSERT as _TELL
from service_server.store.webhook_events import _TOLD
from tests.service_server.databases import EmptyDatabases
from tests.service_server.store.databases import opened

pytestmark = pytest.mark.slow

TEXTS = ["ann", "", "Zoë 🦊 'quoted' \"twice\" $1 ? :call %s", "line\nbreak", "\N{REPLACEMENT CHARACTER}"]
HALF_A_PAIR = "\ud83d"
# JSON can say what texts of a database can't.
DOCUMENTS: list[Any] = [
    None,
    *TEXTS,
    [],
    {},
    {"nul": "\0", "half": HALF_A_PAIR, "large": 10**40, "small": 1e-300, "deep": [[{"a": [None, True, -0.0]}]]},
    True,
    2**63,
    -1.5,
]
FLOATS = [None, 0.0, 1.5, 1e300, 12]
TOO_LARGE = 2**63
NUMBERS = [0, 1, -(2**63), 2**63 - 1]
OWNER = {"application_id": 7, "user_id": "Zoë 🦊", "function_name": "sandbox-add", "idempotency_key": "k'1"}
CALL_ID = "c" * 32


async def rows(database: Database, query: Executable, parameters: Any = None) -> list[dict[str, Any]]:
    """What SQLAlchemy reads."""
    async with database.read() as connection:
        return [dict(row) for row in (await connection.execute(query, parameters)).mappings()]


class Twins:
    """Two databases of one kind: on one the prepared statement is run, on the other the one that it was made of."""

    def __init__(self, prepared: Database, plain: Database) -> None:
        self._prepared, self._plain = prepared, plain
        self.run: set[PreparedStatement] = set()

    async def insert(self, table: Any, **values: Any) -> None:
        """Have a row in both."""
        for database in (self._prepared, self._plain):
            async with database.write() as connection:
                await connection.execute(insert(table).values(**values))

    async def write(self, statement: PreparedStatement, **parameters: Any) -> None:
        """Write to both in their ways, and find the same rows afterwards."""
        self.run.add(statement)
        await self._prepared.commit_soon(statement, parameters)
        async with self._plain.write() as connection:
            await connection.execute(statement.statement, parameters)
        for table in (CALLS, REFUSALS, IDEMPOTENCY, WEBHOOK_DELIVERIES, ADMIN_KEYS):
            query = text(f"SELECT * FROM {table.name} ORDER BY 1, 2, 3, 4")  # as they are kept: nothing is decoded
            ours, theirs = [await rows(database, query) for database in (self._prepared, self._plain)]
            assert repr(theirs) == repr(ours)

    async def read(self, statement: PreparedStatement, **parameters: Any) -> list[dict[str, Any]]:
        """Read in both ways, and find the same values of the same types; gives them."""
        self.run.add(statement)
        found = await self._prepared.fetch(statement, parameters)
        assert repr(await rows(self._plain, statement.statement, parameters)) == repr(found)
        return found

    async def refuse(self, statement: PreparedStatement, **parameters: Any) -> None:
        """Neither takes it."""
        with pytest.raises((RowRefused, OverflowError, UnicodeError)) as refused:
            await self._prepared.commit_soon(statement, parameters)
        with pytest.raises((DatabaseAway, DBAPIError, OverflowError, UnicodeError)):
            async with self._plain.write() as connection:
                await connection.execute(statement.statement, parameters)
        assert str(TOO_LARGE) not in str(refused.value)


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


def call(identifier: str, **changes: Any) -> dict[str, Any]:
    """The parameters of a row of the log."""
    return {
        "id": identifier,
        "application_id": 7,
        "user_id": "ann",
        "app_name": "sandbox",
        "function_name": "sandbox-add",
        "function_type": "query",
        "account_id": 1,
        "outcome": "started",
        "network_code": None,
        "arguments": None,
        "output": None,
        "started_at": "2026-01-01T00:00:00.000000Z",
        "duration_ms": None,
        "app_ms": None,
        "renewal_ms": None,
        "waiting_ms": None,
        "request_id": "r",
        "process_id": None,
        **changes,
    }


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The parameters that name a key."""
    return {f"given_{name}": value for name, value in values.items()}


async def check_calls(twins: Twins) -> None:
    """Rows of the log, with whatever may stand in them."""
    values: list[dict[str, Any]] = [
        *({"arguments": each, "output": each} for each in DOCUMENTS),
        *({"user_id": each, "network_code": each[:8]} for each in TEXTS),
        *({"duration_ms": each} for each in FLOATS),
        *({"account_id": each} for each in NUMBERS),
    ]
    for number, changes in enumerate(values):
        await twins.write(_INSERT, **call(f"{number}", **changes))
        assert changes.items() <= (await twins.read(CALL, call=f"{number}"))[0].items()
    for number, document in enumerate(DOCUMENTS):
        await twins.write(_FINISH, call=f"{number}", code=None, result=document, duration=FLOATS[number % 5], app=None)
        (row,) = await twins.read(CALL, call=f"{number}")
        assert ("finished", document) == (row["outcome"], row["output"])
    await twins.write(_DISCARD, call="0")
    assert [] == await twins.read(CALL, call="0")
    refusal = {"application_id": 7, "user_id": "ann", "function_name": "x", "code": "c", "at": "t", "request_id": "r"}
    for number, each in enumerate(TEXTS):
        await twins.write(_REFUSE, **refusal, id=f"{number}", error=each)


async def check_keys(twins: Twins) -> None:
    """An idempotency key from its claim to its end."""
    claim = {**OWNER, "arguments_hash": "h", "call_id": CALL_ID, "process_id": None, "created_at": 1e9 + 1 / 3}
    await twins.write(_CLAIM, **given(claim))
    await twins.write(_CLAIM, **given(claim | {"call_id": "another", "created_at": 5e9}))
    found = await twins.read(KEY, **given(OWNER))
    assert [{**claim, "response": None}] == found
    for document in DOCUMENTS:
        await twins.write(_COMPLETE, **given(OWNER | {"call_id": CALL_ID}), answer=document)
        found = await twins.read(KEY, **given(OWNER))
        assert [{**claim, "response": document}] == found
    await twins.write(_FORGET, **given(OWNER), before=1e9)
    await twins.write(_RELEASE, **given(OWNER | {"call_id": "another"}))
    found = await twins.read(KEY, **given(OWNER))
    assert 1 == len(found)
    await twins.write(_FORGET, **given(OWNER), before=2e9)
    found = await twins.read(KEY, **given(OWNER))
    assert [] == found
    await twins.write(_CLAIM, **given(claim))
    await twins.write(_RELEASE, **given(OWNER | {"call_id": CALL_ID}))
    found = await twins.read(KEY, **given(OWNER))
    assert [] == found


async def check_accounts(twins: Twins) -> None:
    """A user's accounts, newest first, and an app's configuration."""
    for number, word in enumerate(TEXTS):
        await twins.insert(
            ACCOUNTS,
            application_id=7,
            user_id=TEXTS[2],
            app_name=("one", "other")[number % 2],
            auth_id="key",
            external_id=None if number == 1 else str(number),
            display_name=word,
            state="active",
            state_reason=word or None,
            sealed_credentials="sealed",
            variables={"text": word},
            expires_at=FLOATS[number % 5],
            version=number,
            created_at="2026",
            modified_at=f"{number // 2}",
        )
        await twins.insert(
            APP_CONFIGURATIONS, app_name=f"{number}", client_id=word, variables={word: word}, modified_at="2026"
        )
        await twins.insert(
            APPLICATION_APP_CONFIGURATIONS,
            application_id=7,
            app_name=f"{number}",
            client_id=word,
            variables={word: word},
            modified_at="2026",
        )
        assert [None, 7] == [
            row["application_id"] for row in await twins.read(CONFIGURATION, app=f"{number}", application=7)
        ]
    everyone = await twins.read(_OF_USER, application=7, user=TEXTS[2])
    assert [4, 3, 2, 1, 0] == [row["version"] for row in everyone]
    assert [3, 1] == [
        row["version"] for row in await twins.read(_OF_USER_IN_APP, application=7, user=TEXTS[2], app="other")
    ]
    for row in everyone:
        assert [row] == await twins.read(ACCOUNT, account=row["id"])
    assert [] == await twins.read(ACCOUNT, account=2**63 - 1)
    assert [] == await twins.read(CONFIGURATION, app="no\0ne", application=7)


async def check_webhooks(twins: Twins) -> None:
    """Endpoints, and a delivery from its event to its end."""
    for number, types in enumerate(([], ["call.finished"])):
        await twins.insert(
            WEBHOOK_ENDPOINTS,
            id=f"{number}",
            application_id=7,
            url=TEXTS[2],
            event_types=types,
            sealed_secrets=["sealed"],
            state="enabled",
            state_reason=None,
            failing_since=FLOATS[number],
            paused_until=None,
            created_at=f"{number}",
        )
    assert [[], ["call.finished"]] == [row["event_types"] for row in await twins.read(_EVERYONE)]
    assert [] == await twins.read(_WAITED_FOR)
    delivery = {"endpoint_id": "1", "account_id": 3, "event_id": "evt", "event_type": "call.finished", "attempts": 0}
    delivery |= {"body": TEXTS[2], "state": "pending", "due_at": 1e9 + 1 / 3, "lease_owner": "me", "lease_until": 2.5}
    delivery |= {"status": None, "problem": None, "created_at": 1.5, "ended_at": None}
    await twins.write(_TELL, **{f"new_{name}": value for name, value in delivery.items()})
    assert [{"id": "1"}] == await twins.read(_WAITED_FOR)
    assert [{"endpoint_id": "1"}] == await twins.read(_TOLD, event="evt")
    assert [] == await twins.read(_TOLD, event="another")
    ending = {"new_state": "failed", "due": 7.5, "answer": 500, "trouble": TEXTS[2], "end": 8.5}
    await twins.write(_END, delivery=1, owner="another", **ending)
    assert [{"id": "1"}] == await twins.read(_WAITED_FOR)
    await twins.write(_END, delivery=1, owner="me", **ending)
    assert [] == await twins.read(_WAITED_FOR)


async def check_operators(twins: Twins) -> None:
    """Operators, their sessions, and keys of the admin API with their use."""
    for number, word in enumerate(TEXTS):
        role: dict[str, Any] = {"role": "viewer", "sees_contents": number % 2 == 0, "created_at": "2026"}
        await twins.insert(OPERATORS, name=word, password_hash="h", oidc_subject=word or None, **role)
        await twins.insert(
            OPERATOR_SESSIONS,
            id=f"{number}",
            operator=word,
            password_mark="m",
            browser=word,
            address="::1",
            created_at=1.5,
            seen_at=2.5,
            expires_at=1e9 + 1 / 3,
        )
        await twins.insert(
            ADMIN_KEYS, id=f"{number}", name=word, key_hash="h", created_by=word, expires_at=FLOATS[number], **role
        )
        (operator,) = await twins.read(OPERATOR, operator=word)
        assert operator["sees_contents"] is (number % 2 == 0)
        assert [word] == [row["operator"] for row in await twins.read(SESSION, session=f"{number}")]
        await twins.write(_USED, key=f"{number}", moment=1e9 + 1 / 3)
        assert [1e9 + 1 / 3] == [row["last_used_at"] for row in await twins.read(ADMIN_KEY, key=f"{number}")]


async def test_prepared_statements_do_what_sqlalchemy_does(twins: Twins) -> None:
    """The same rows are written and the same values read, of the same types, by every statement that is prepared."""
    for check in (check_calls, check_keys, check_accounts, check_webhooks, check_operators):
        await check(twins)

    assert set(prepared_statements()) == twins.run


async def test_what_can_not_be_kept_is_refused_either_way(twins: Twins) -> None:
    """A number beyond 64 bits and half of a surrogate pair in a text; what comes after is kept."""
    await twins.refuse(_INSERT, **call("a", account_id=TOO_LARGE))
    await twins.refuse(_INSERT, **call("b", user_id=HALF_A_PAIR))
    await twins.refuse(_INSERT, **call("c", user_id=None))
    await twins.write(_INSERT, **call("d"))


async def test_parameters_must_be_given(twins: Twins) -> None:
    """One that is missing fails at once, with its name, and writes nothing."""
    with pytest.raises(KeyError, match="answer"):
        await twins._prepared.commit_soon(_COMPLETE, given({**OWNER, "call_id": CALL_ID}))


def test_a_text_that_depends_on_its_parameters_can_not_be_prepared(twins: Twins) -> None:
    """As that of a list, which SQLAlchemy writes out again for each length."""
    statement = PreparedStatement(select(CALLS.c.id).where(CALLS.c.id.in_(bindparam("ids", expanding=True))))
    with pytest.raises(TypeError, match="depend"):
        statement.on(twins._prepared._dialect)
