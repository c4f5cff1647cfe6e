"""A database of its own for each test of the store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service_server.store import Database
from tests.service_server.store.databases import opened_copy


@pytest.fixture
async def database(empty_database: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """An open database with nothing in it."""
    async with opened_copy(empty_database, tmp_path) as database:
        yield database
