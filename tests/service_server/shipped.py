"""The connectors that come with the service, as its processes read them: from what is kept of them."""

from functools import cache

from service_server.catalog.catalog import Catalog
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.cli.options import kept_connectors


@cache
def shipped_catalog() -> Catalog:
    """All of them, read once; `tests/connectors` reads and checks their files."""
    return load_catalog([SHIPPED], kept_connectors())
