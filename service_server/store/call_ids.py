"""The ids of the log: they begin with their moment, so that their order is that of time."""

import itertools
import re
import secrets
import time

from service_server.store.clock import timestamp

_counter = itertools.count(secrets.randbits(16))
_PLACE = re.compile(r"[0-9a-f]{12,32}")


def call_id() -> str:
    """A new id that sorts by time: 12 hex digits of milliseconds, 4 of a counter, 16 random."""
    return f"{int(time.time() * 1000):012x}{next(_counter) & 0xFFFF:04x}{secrets.token_hex(8)}"


def first_id(moment: float) -> str:
    """What the ids of a moment (seconds since 1970) begin with: earlier ids are smaller."""
    return f"{max(0, int(moment * 1000)):012x}"


def is_place(text: str) -> bool:
    """Whether a text is where a page of the log can end: an id, or the beginning of one that stands for its moment."""
    return _PLACE.fullmatch(text) is not None


def moment_of(identifier: str) -> str:
    """When the call of an id began, as the log writes moments."""
    return timestamp(int(identifier[:12], 16) / 1000)
