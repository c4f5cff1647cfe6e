"""A database of its own for each test of the store."""

from collections.abc import AsyncIterator

import pytest

from service_server.store import Database
from tests.service_server.store.databases import opened


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open database with nothing in it, of each kind."""
    async with opened(database_url) as database:
        yield database
