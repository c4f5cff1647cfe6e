"""What predictions have freed is given back to the system."""

import ctypes
from pathlib import Path

import pytest

from service_server.prediction.freed_memory import AGAIN_SECONDS, FreedMemory


def test_it_is_given_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once the first time; then not before a while has passed."""
    now = 1000.0
    monkeypatch.setattr("service_server.prediction.freed_memory.time.monotonic", lambda: now)
    given: list[float] = []
    freed = FreedMemory(lambda: given.append(now))
    for moment in (1000.0, 1001.0, 1000.0 + AGAIN_SECONDS, 1001.0 + AGAIN_SECONDS):
        now = moment
        freed.give_back()

    assert [1000.0, 1000.0 + AGAIN_SECONDS] == given


def test_a_c_library_without_it_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no such thing in musl, say."""
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())

    FreedMemory().give_back()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not glibc")
def test_freed_pages_are_the_systems_again() -> None:
    """As the process's resident memory shows: many small pieces behind one that stays would be kept otherwise."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    pieces = [libc.malloc(100_000) for _ in range(600)]
    for piece in pieces:
        ctypes.memset(piece, 1, 100_000)
    for piece in pieces[:-1]:
        libc.free(piece)
    before = resident_bytes()

    FreedMemory().give_back()

    assert before - resident_bytes() > 30_000_000
    libc.free(pieces[-1])


def resident_bytes() -> int:
    """Memory of this process that is in use, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
