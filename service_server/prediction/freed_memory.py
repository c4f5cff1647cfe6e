"""Memory that predictions have freed goes back to the system: the C library would keep it for the next long prompt."""

import ctypes
import threading
import time
from collections.abc import Callable

AGAIN_SECONDS = 30.0
"""How long what has been freed may be kept: to give it back after every prediction would be a part of its time."""


class FreedMemory:
    """Gives back what is free, now and then; it may be used from several threads."""

    def __init__(self, trim: Callable[[], object] | None = None) -> None:
        """Take what gives back all at once; by default it is glibc's, and with other C libraries nothing happens."""
        self._trim = trim if trim is not None else _trim_of_glibc()
        self._lock = threading.Lock()
        self._again_at = float("-inf")

    def give_back(self) -> None:
        """Give it back, unless that has just been done."""
        with self._lock:
            if time.monotonic() < self._again_at:
                return
            self._again_at = time.monotonic() + AGAIN_SECONDS
        self._trim()


def _trim_of_glibc() -> Callable[[], object]:
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return lambda: None
    trim.argtypes = [ctypes.c_size_t]
    return lambda: trim(0)
