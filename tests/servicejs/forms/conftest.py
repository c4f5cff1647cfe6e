"""What holds for every form test."""

import os
import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def one_time_zone() -> Iterator[None]:
    """Run in a time zone that is neither UTC nor, probably, the developer's, with clocks that change."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.fixture(autouse=True)
def no_defect_is_swallowed(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fail when a screen reported a defect, which it survives by showing an error."""
    yield

    assert "Traceback" not in capfd.readouterr().err
