"""A database of its own for each test of the store."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service_server.store import Database
from tests.service_server.databases import BOTH_KINDS, sqlite_url
from tests.service_server.store.databases import opened


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open database with nothing in it, of each kind."""
    async with opened(database_url) as database:
        yield database


@pytest.fixture
async def several(database_url: str) -> AsyncIterator[list[Database]]:
    """The database as four processes have it open; each has a connection ready."""
    async with contextlib.AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(opened(database_url)) for _ in range(4)]
        for each in databases:
            async with each.write():
                pass
        yield databases


@pytest.fixture(params=BOTH_KINDS)
def no_tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without a schema."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
    else:
        with request.getfixturevalue("postgresql").database() as url:
            yield url
