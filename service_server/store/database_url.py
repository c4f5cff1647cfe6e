"""Which kind of database a URL names."""

from service_server.store.kind import DatabaseKind
from service_server.store.sqlite import Sqlite


def kind_of(database_url: str) -> DatabaseKind:
    """The database of a `--database` URL; raises DatabaseUnusable."""
    if database_url.startswith("postgres"):
        # Its driver takes 3 MiB in each process, which one on SQLite needn't hold.
        from service_server.store.postgresql import PostgreSQL

        return PostgreSQL.at(database_url)
    return Sqlite.at(database_url)
