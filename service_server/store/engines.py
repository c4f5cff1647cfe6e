"""
SQLAlchemy's asynchronous engine and connection, without its object-relational half.

`sqlalchemy.ext.asyncio` imports the latter for its sessions, which nothing here uses: six megabytes of each process and
a twentieth of a second of each start.
"""

import contextlib
import importlib.util
import sys
from collections.abc import Iterator

_PACKAGE = "sqlalchemy.ext.asyncio"


@contextlib.contextmanager
def _without_what_the_package_imports() -> Iterator[None]:
    """Have modules of the package imported on their own; whoever imports it afterwards gets all of it."""
    found = importlib.util.find_spec(_PACKAGE)
    if _PACKAGE in sys.modules or found is None:
        yield
        return
    sys.modules[_PACKAGE] = importlib.util.module_from_spec(found)
    try:
        yield
    finally:
        del sys.modules[_PACKAGE]


with _without_what_the_package_imports():
    from sqlalchemy.ext.asyncio.engine import AsyncConnection, AsyncEngine, create_async_engine

__all__ = ["AsyncConnection", "AsyncEngine", "create_async_engine"]
