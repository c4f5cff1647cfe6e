"""Checks connector folders for the people who write them."""

from pathlib import Path

from service_server.catalog.hooks import unused_hooks
from service_server.catalog.load import load_catalog, load_connector
from service_server.catalog.problems import CatalogError, Problem


def check(path: Path) -> list[Problem]:
    """Return everything that is wrong with a connector's folder, or with all those below a directory."""
    if (path / "connector.yaml").is_file():
        connector, problems = load_connector(path)
        return sorted(problems) if connector is None else unused_hooks(path, connector.functions.values())
    try:
        catalog = load_catalog([path])
    except CatalogError as error:
        return list(error.problems)
    unused = [
        problem
        for connector in catalog.connectors.values()
        for problem in unused_hooks(path / connector.name, connector.functions.values())
    ]
    return (
        unused if catalog.connectors else [Problem(path, 1, "", "holds no connector: no folder with a connector.yaml")]
    )
