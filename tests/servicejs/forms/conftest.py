"""What holds for every form test."""

import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def one_time_zone() -> Iterator[None]:
    """Run in a time zone that is neither UTC nor, probably, the developer's, with clocks that change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(autouse=True)
def no_defect_is_swallowed(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fail when a screen reported a defect, which it survives by showing an error."""
    yield

    assert "Traceback" not in capfd.readouterr().err
