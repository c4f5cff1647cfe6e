"""Finds the addresses a request may be sent to, and refuses those that are not public."""

import asyncio
import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from service_server.onward.address import is_public
from service_server.onward.target import Target
from service_server.onward.values import HostNotAllowed, HostPattern, NotSent

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]

_KEPT_SECONDS = 30.0
_KEPT_NAMES = 1024


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """Ask the operating system for the addresses of a name, best first. Raise OSError when it has none."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class Resolver:
    """
    Turns a host into checked addresses.

    The request is then sent to one of exactly these addresses, so that a name that answers differently the next
    time (DNS rebinding) gains nothing. Answers are kept for half a minute.
    """

    def __init__(self, allow_hosts: Sequence[str], timeout_seconds: float, lookup: Lookup = system_lookup) -> None:
        self._exempt = tuple(HostPattern.parse(pattern) for pattern in allow_hosts)
        self._timeout_seconds = timeout_seconds
        self._lookup = lookup
        self._kept: OrderedDict[tuple[str, int], tuple[float, tuple[str, ...]]] = OrderedDict()

    async def addresses(self, target: Target) -> tuple[str, ...]:
        """Give the addresses to try, in order; NotSent when the name has none, HostNotAllowed when one is private."""
        kept = self._kept.get((target.host, target.port))
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        found = (str(target.address),) if target.address else await self._look_up(target)
        if not self._is_exempt(target) and not all(is_public(ipaddress.ip_address(address)) for address in found):
            # Which address it is stays untold: the answer must not map the operator's network.
            raise HostNotAllowed(f"{target.host} leads to an address that is not public")
        self._kept[target.host, target.port] = (time.monotonic() + _KEPT_SECONDS, found)
        self._kept.move_to_end((target.host, target.port))
        if len(self._kept) > _KEPT_NAMES:
            self._kept.popitem(last=False)
        return found

    async def _look_up(self, target: Target) -> tuple[str, ...]:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                found = tuple(await self._lookup(target.host, target.port))
        except TimeoutError:
            raise NotSent(f"looking up {target.host} took too long") from None
        except OSError:
            raise NotSent(f"{target.host} could not be looked up") from None
        if not found:
            raise NotSent(f"{target.host} has no address")
        return found

    def _is_exempt(self, target: Target) -> bool:
        return any(pattern.names(target.host) and pattern.port in (None, target.port) for pattern in self._exempt)
