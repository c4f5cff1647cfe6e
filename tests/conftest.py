"""What holds for every test."""

import pytest

from tests.chromium import CHROMIUM


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs Chromium where there is none, before anything is started for it."""
    if item.get_closest_marker("browser") and not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}; as root: apt-get install --no-install-recommends chromium")
