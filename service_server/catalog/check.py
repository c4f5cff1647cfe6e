"""Checks connector folders for the people who write them."""

from collections.abc import Iterable
from pathlib import Path

from service_server.catalog.fillable import unfillable
from service_server.catalog.folders import CONNECTOR_FILE, connector_folders
from service_server.catalog.hooks import unused_hooks
from service_server.catalog.load import load_catalog, load_connector, shipped_double
from service_server.catalog.problems import CatalogError, Problem


def check(path: Path) -> list[Problem]:
    """Return everything that is wrong with a connector's folder, or with all those below a directory."""
    if (path / CONNECTOR_FILE).is_file():
        connector, problems = load_connector(path)
        unused = [] if connector is None else unused_hooks(path, connector.functions.values())
        unfilled = [] if connector is None else unfillable(path)
        return sorted([*problems, *unused, *unfilled, *_named_like_shipped([path])])
    try:
        catalog = load_catalog([path])
    except CatalogError as error:
        return sorted([*error.problems, *_named_like_shipped(connector_folders(path, []))])
    if not catalog.connectors:
        return [Problem(path, 1, "", "holds no connector: no folder with a connector.yaml")]
    unused = [
        problem
        for connector in catalog.connectors.values()
        for problem in unused_hooks(path / connector.name, connector.functions.values())
    ]
    unfilled = [problem for name in catalog.connectors for problem in unfillable(path / name)]
    return sorted([*unused, *unfilled, *_named_like_shipped(path / name for name in catalog.connectors)])


def _named_like_shipped(folders: Iterable[Path]) -> list[Problem]:
    return [problem for folder in folders if (problem := shipped_double(folder)) is not None]
