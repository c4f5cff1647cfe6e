"""Looks names up without a thread for each: a slow name server delays only those who asked for its name."""

import socket
from collections.abc import Awaitable, Callable, Sequence

import aiodns
from attrs import frozen

_TRY_SECONDS = 2.0
_TRIES = 2
_NO_ADDRESS = frozenset({aiodns.error.ARES_ENOTFOUND, aiodns.error.ARES_ENODATA, aiodns.error.ARES_EBADNAME})


@frozen
class Answer:
    """The addresses of a name, best first, and for how many seconds they are valid, as its name server says."""

    addresses: tuple[str, ...]
    seconds: float = 30.0


class NoAddress(OSError):
    """The name servers say that there is no such name, or that it has no address."""


Lookup = Callable[[str], Awaitable[Answer]]
"""Finds the addresses of a name; raises `NoAddress`, or another OSError when nobody could tell."""


class NameServers:
    """
    The name servers of the system (or `servers`), asked by c-ares; call it as a `Lookup`.

    c-ares reads `/etc/hosts` and `/etc/resolv.conf` (search domains and options too), follows their changes, knows
    `localhost`, asks for IPv4 and IPv6 addresses and orders them as the system would. Other sources of names that a
    system may have (mDNS, LDAP) are not asked.
    """

    def __init__(self, servers: Sequence[str] = ()) -> None:
        self._servers = servers
        self._resolver: aiodns.DNSResolver | None = None
        self._closed = False

    async def __call__(self, host: str) -> Answer:
        """Ask for the addresses of a name."""
        if self._closed:
            raise OSError("names are no longer looked up")
        if self._resolver is None:  # not before it is needed, since it starts a thread
            self._resolver = aiodns.DNSResolver(self._servers or None, timeout=_TRY_SECONDS, tries=_TRIES)
        try:
            found = await self._resolver.getaddrinfo(host, type=socket.SOCK_STREAM)
        except aiodns.error.DNSError as error:
            kind = NoAddress if error.args and error.args[0] in _NO_ADDRESS else OSError
            raise kind(str(error)) from None
        addresses = dict.fromkeys(node.addr[0].decode("ascii") for node in found.nodes)
        if not addresses:
            raise NoAddress("the name has no address")
        return Answer(tuple(addresses), min(node.ttl for node in found.nodes))

    async def close(self) -> None:
        """Cancel the look-ups under way, and start no more."""
        self._closed = True
        if self._resolver is not None:
            await self._resolver.close()
