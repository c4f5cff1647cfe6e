"""What holds for every test."""

import os

import pytest

from tests.chromium import CHROMIUM
from tests.service_server import postgresql


def pytest_configure(config: pytest.Config) -> None:
    """Let the services that tests start share one cache of the catalogue, as restarts of one service do."""
    if hasattr(config, "cache"):  # not where its plugin is left out
        os.environ.setdefault("SERVICE_CACHE_DIR", str(config.cache.mkdir("connectors")))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs Chromium or PostgreSQL where there is none, before anything is started for it."""
    if item.get_closest_marker("browser") and not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}; as root: apt-get install --no-install-recommends chromium")
    if item.get_closest_marker("postgresql") and postgresql.programs() is None:
        pytest.skip(postgresql.MISSING)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of one third-party software on one worker, where it runs once for all of them."""
    for item in items:
        if item.get_closest_marker("real_apps"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem.split("_")[1]))
