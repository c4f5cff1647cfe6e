"""Opens the database and the vault for a command, beside a running service."""

import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from service_server.administration.administration import Administration
from service_server.administration.failures import AdministrationError
from service_server.catalog.load import SHIPPED, connector_named
from service_server.catalog.problems import nearest
from service_server.catalog.values import Connector
from service_server.settings import Settings
from service_server.store import AppConfigurations, Applications, Database, VaultKeys
from service_server.store.database_url import kind_of
from service_server.store.kind import DatabaseKind
from service_server.store.migrations import upgrade
from service_server.vault import Vault, open_vault


@contextlib.asynccontextmanager
async def opened_database(settings: Settings) -> AsyncIterator[Database]:
    """The (already upgraded) database."""
    database = Database(settings.database_url)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


@contextlib.asynccontextmanager
async def opened_database_and_vault(settings: Settings) -> AsyncIterator[tuple[Database, Vault]]:
    """The (already upgraded) database, and the vault that goes with it."""
    async with opened_database(settings) as database:
        yield database, await open_vault(VaultKeys(database), settings.vault_key_file, settings.vault_key)


@contextlib.asynccontextmanager
async def administration(settings: Settings) -> AsyncIterator[Administration]:
    """What a command sets things up with."""
    async with opened_database_and_vault(settings) as (database, vault):
        yield Administration(vault, Applications(database), AppConfigurations(database))


def find_connector(settings: Settings, app_name: str) -> Connector:
    """The app of this name in the catalogue."""
    connector = connector_named([SHIPPED, *settings.connector_directories], app_name)
    if connector is None:
        names = [each.name for folder in (SHIPPED, *settings.connector_directories) for each in folder.iterdir()]
        like = nearest(app_name.lower(), names) or "."
        raise AdministrationError(
            f"There is no app named {app_name}{like} `connector list` shows the apps, and --connectors DIR adds yours."
        )
    return connector


def upgrade_database(settings: Settings) -> None:
    """
    Bring the schema of a database up to date that is there; before any event loop runs.

    Who asks in a wrong directory would else be told of a service that is empty.
    """
    kind = kind_of(settings.database_url)
    if is_file_to_be_made(kind):
        raise AdministrationError(
            f"There is no database at {kind.name}. "
            "Say with --data-dir (SERVICE_DATA_DIR) where the service keeps its data."
        )
    make_database(settings)


def is_file_to_be_made(kind: DatabaseKind) -> bool:
    """Whether a database is a file that isn't there yet; of one on a server only a connection could tell."""
    return kind.name.startswith("/") and not Path(kind.name).exists()


def make_database(settings: Settings) -> None:
    """Bring the schema up to date, of a database that may be new; before any event loop runs."""
    settings.data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    upgrade(settings.database_url, wait_seconds=settings.migration_wait_seconds)


def read_secret(path: Path) -> str:
    """What a file or, for -, standard input holds, without the blanks around it; it is never shown."""
    try:
        return (sys.stdin.read() if str(path) == "-" else path.read_text()).strip()
    except UnicodeDecodeError:
        raise AdministrationError(f"{path} is not text.") from None
