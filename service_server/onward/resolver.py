"""Finds the addresses a request may be sent to, and refuses those that are not public."""

import asyncio
import ipaddress
import time
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from service_server.onward.address import is_public
from service_server.onward.lookup import Lookup, NoAddress
from service_server.onward.target import Target
from service_server.onward.values import AllowedHost, HostNotAllowed, NotSent

MOST_AT_ONCE_PER_USER = 4
_KEPT_NAMES = 4096
_SHORTEST_SECONDS = 5.0
_LONGEST_SECONDS = 300.0
_NO_ADDRESS_SECONDS = 5.0


User: TypeAlias = tuple[int, str] | None
"""The application's id and its User-ID; None for what the service does of its own accord."""


@frozen
class Errand:
    """The app and the user that a request is sent for."""

    app: str = ""
    user: User = None


@frozen
class _Kept:
    """What is known about a name until `until` (of the monotonic clock); `addresses` is empty if it has none."""

    until: float
    addresses: tuple[str, ...] = ()
    all_public: bool = False


class Resolver:
    """
    Turns a host into checked addresses.

    The request is then sent to one of exactly these addresses, so that a name that answers differently the next
    time (DNS rebinding) gains nothing. Answers are kept as long as their name server says, between five seconds and
    five minutes; that a name has no address is kept for five seconds.

    All who need a name at the same time wait for one look-up, which counts for the user who asked first. A user has at
    most four under way, so that one user's slow names don't keep others waiting: any user can name a server address.
    """

    def __init__(self, allow_hosts: Sequence[str], timeout_seconds: float, lookup: Lookup) -> None:
        self._exempt = tuple(AllowedHost.parse(each) for each in allow_hosts)
        self._timeout_seconds = timeout_seconds
        self._lookup = lookup
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[_Kept]] = {}
        # A user's places exist as long as somebody waits for one or holds one.
        self._places: weakref.WeakValueDictionary[User, asyncio.Semaphore] = weakref.WeakValueDictionary()

    async def addresses(self, target: Target, errand: Errand) -> tuple[str, ...]:
        """Return the addresses to try, in order; NotSent if the name has none, HostNotAllowed if one is private."""
        if target.address is not None:
            kept = _kept((str(target.address),), 0.0)
        else:
            kept = self._known(target.host) or await self._in_time(target.host, errand.user)
        if not kept.addresses:
            raise NotSent(f"{target.host} has no address")
        if not kept.all_public and not any(each.covers(target, errand.app) for each in self._exempt):
            # The address is not named: the answer must not map the operator's network.
            raise HostNotAllowed(f"{target.host} leads to an address that is not public")
        return kept.addresses

    async def close(self) -> None:
        """Cancel all look-ups."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _known(self, host: str) -> _Kept | None:
        kept = self._kept.get(host)
        return kept if kept is not None and kept.until > time.monotonic() else None

    async def _in_time(self, host: str, user: User) -> _Kept:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._shared(host, user)
        except TimeoutError:
            raise NotSent(f"looking up {host} took too long") from None
        except OSError:
            raise NotSent(f"{host} could not be looked up") from None

    async def _shared(self, host: str, user: User) -> _Kept:
        """Wait for the look-up under way, or for a new one that starts as soon as the user has a free place."""
        task = self._under_way.get(host)
        if task is None:
            places = self._places.setdefault(user, asyncio.Semaphore(MOST_AT_ONCE_PER_USER))
            await places.acquire()
            if (known := self._known(host)) is not None:
                places.release()
                return known
            task = self._under_way.get(host)
            if task is None:
                task = self._start(host, places)
            else:
                places.release()
        # Shielded: a caller who gives up must not take the answer from the others.
        return await asyncio.shield(task)

    def _start(self, host: str, places: asyncio.Semaphore) -> asyncio.Task[_Kept]:
        def ended(task: asyncio.Task[_Kept]) -> None:
            del self._under_way[host]
            places.release()
            if not task.cancelled():
                task.exception()  # marks the error as seen, even if everybody who waited has gone

        task = self._under_way[host] = asyncio.create_task(self._look_up(host), name="name look-up")
        task.add_done_callback(ended)
        return task

    async def _look_up(self, host: str) -> _Kept:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                answer = await self._lookup(host)
        except NoAddress:
            kept = _Kept(time.monotonic() + _NO_ADDRESS_SECONDS)
        else:
            seconds = min(max(answer.seconds, _SHORTEST_SECONDS), _LONGEST_SECONDS)
            kept = _kept(answer.addresses, time.monotonic() + seconds)
        self._kept[host] = kept
        self._kept.move_to_end(host)
        if len(self._kept) > _KEPT_NAMES:
            self._kept.popitem(last=False)
        return kept


def _kept(addresses: tuple[str, ...], until: float) -> _Kept:
    return _Kept(until, addresses, all(is_public(ipaddress.ip_address(address)) for address in addresses))
