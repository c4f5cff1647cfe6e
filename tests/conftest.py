"""What holds for every test."""

import pytest

from tests.chromium import CHROMIUM
from tests.service_server import postgresql


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs Chromium or PostgreSQL where there is none, before anything is started for it."""
    if item.get_closest_marker("browser") and not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}; as root: apt-get install --no-install-recommends chromium")
    if item.get_closest_marker("postgresql") and postgresql.programs() is None:
        pytest.skip(postgresql.MISSING)
