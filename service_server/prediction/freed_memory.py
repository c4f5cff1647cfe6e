"""Give memory that predictions have freed back to the system; the C library would keep it for the next long prompt."""

import ctypes
import threading
import time
from collections.abc import Callable

AGAIN_SECONDS = 30.0
"""How long freed memory may be kept: giving it back after every prediction would add to its time."""


class FreedMemory:
    """Gives back free memory now and then; it may be used from several threads."""

    def __init__(self, trim: Callable[[], object] | None = None) -> None:
        """Take a function that gives back all free memory; the default is glibc's, and none with other C libraries."""
        self._trim = trim if trim is not None else _trim_of_glibc()
        self._lock = threading.Lock()
        self._again_at = float("-inf")

    def give_back(self) -> None:
        """Give the free memory back, unless that has just been done."""
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
