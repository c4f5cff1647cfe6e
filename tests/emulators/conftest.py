"""All emulators at once, with the service in front of them, for the whole run; tests keep apart by their users."""

from collections.abc import Iterator

import pytest

from tests.emulators.world import Emulated, emulated, need_emulators


@pytest.fixture(scope="session")
def emulators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    """The service in front of emulators; skipped, saying why, without them."""
    need_emulators()
    with emulated(tmp_path_factory.mktemp("emulators")) as started:
        yield started
