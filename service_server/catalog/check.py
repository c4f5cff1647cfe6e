"""Checks connector folders for the people who write them."""

from pathlib import Path

from service_server.catalog.load import load_catalog, load_connector
from service_server.catalog.problems import CatalogError, Problem


def check(path: Path) -> list[Problem]:
    """Return everything that is wrong with a connector's folder, or with all those below a directory."""
    if (path / "connector.yaml").is_file():
        return sorted(load_connector(path)[1])
    try:
        catalog = load_catalog([path])
    except CatalogError as error:
        return list(error.problems)
    return [] if catalog.connectors else [Problem(path, 1, "", "holds no connector: no folder with a connector.yaml")]
