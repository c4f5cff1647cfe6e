"""uvicorn's server without its own handling of signals."""

import contextlib
from collections.abc import Iterator

import uvicorn


class QuietServer(uvicorn.Server):
    """Leaves signals to who runs it: by itself it would end the process before the service has closed its database."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing."""
        yield
