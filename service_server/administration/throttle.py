"""Slows down guessing of passwords: after some failures in a row, each further one costs a longer wait."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from attrs import define, frozen

from service_server.administration.failures import LONGEST_NAME

_FORGET_SECONDS = 3600.0
_MOST_ENTRIES = 10_000


@frozen
class _Limit:
    """How many failures are free, and the longest wait after more of them."""

    free: int
    longest_seconds: float


# By operator and address, by address with any operator, and by operator from anywhere. The last one is lenient, or
# else anyone could lock an operator out.
_LIMITS = (_Limit(5, 900), _Limit(20, 900), _Limit(100, 10))


@define
class _Failures:
    count: int = 0
    last: float = 0.0
    blocked_until: float = 0.0


class Throttle:
    """Counts failures, in this process only; forgets them after an hour without one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[tuple[int, str, str], _Failures] = OrderedDict()

    def begin(self, operator: str, address: str) -> float:
        """
        Note that a password is about to be tried; return the seconds to wait, 0 if it may be tried now.

        An attempt counts as failed until `succeeded` is called, so that many attempts at once are not free.
        """
        now = self._clock()
        entries = [self._entry(key, now) for key in _keys(operator, address)]
        wait = max(entry.blocked_until for entry in entries) - now
        if wait > 0:
            return wait
        for entry, limit in zip(entries, _LIMITS, strict=True):
            entry.count += 1
            entry.last = now
            over = entry.count - limit.free
            if over >= 0:
                entry.blocked_until = now + min(2.0 ** min(over, 30), limit.longest_seconds)
        return 0.0

    def succeeded(self, operator: str, address: str) -> None:
        """Take the attempt back, along with this operator's failures from this address."""
        own, *shared = _keys(operator, address)
        self._failures.pop(own, None)
        for key in shared:
            entry = self._failures.get(key)
            if entry is not None:
                entry.count -= 1
                entry.blocked_until = 0.0

    def _entry(self, key: tuple[int, str, str], now: float) -> _Failures:
        entry = self._failures.get(key)
        if entry is None or now - entry.last > _FORGET_SECONDS:
            entry = self._failures[key] = _Failures()
        self._failures.move_to_end(key)
        while len(self._failures) > _MOST_ENTRIES:
            self._failures.popitem(last=False)
        return entry


def _keys(operator: str, address: str) -> list[tuple[int, str, str]]:
    # No operator is called anything longer, and strangers send what they like.
    operator, network = operator[:LONGEST_NAME], _network(address)
    return [(0, operator, network), (1, "", network), (2, operator, "")]


def _network(address: str) -> str:
    """Return what an address counts as: an IPv6 address counts as its /64, which one person has as a whole."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network(f"{parsed}/64", strict=False))
    return address
