"""Keeps HTTP clients, each bound to checked addresses, so that connections to many servers stay open cheaply."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeAlias

from pyreqwest.client import Client

PLACES_PER_CLIENT = 64
MOST_CLIENTS = 128

Place: TypeAlias = tuple[str, str]
"""A host and the one address that requests for it go to."""


class Clients:
    """
    The clients of one process; the least used ones are dropped.

    A client costs 120 kB and 6 ms for the certificates that it trusts, however many hosts it knows; but its hosts must
    be given when it is made. So a new place gets a client of its own, and once there are 64 such clients, one client
    replaces them: 8,000 places need no more than 128 clients, and each loses its idle connections only once. In a
    client a host has one address, so a request goes nowhere but to the address that was checked.
    """

    def __init__(self, build: Callable[[Iterable[Place]], Client]) -> None:
        self._build = build
        self._clients: dict[Place, Client] = {}
        self._places: OrderedDict[Client, tuple[Place, ...]] = OrderedDict()

    def __len__(self) -> int:
        """How many clients there are."""
        return len(self._places)

    def to(self, host: str, address: str) -> Client:
        """The client whose requests for a host go to this address."""
        client = self._clients.get((host, address))
        if client is None:
            client = self._add([(host, address)])
            self._merge()
            client = self._clients[host, address]
        self._places.move_to_end(client)
        return client

    def let_go(self) -> list[Client]:
        """Forget all clients and return them, for the caller to close."""
        clients = list(self._places)
        self._places.clear()
        self._clients.clear()
        return clients

    def _add(self, places: Iterable[Place]) -> Client:
        added = tuple(places)
        client = self._build(added)
        self._places[client] = added
        self._clients.update(dict.fromkeys(added, client))
        while len(self._places) > MOST_CLIENTS:
            # Dropped, not closed: its requests under way finish first, then its connections close.
            _, gone = self._places.popitem(last=False)
            for place in gone:
                del self._clients[place]
        return client

    def _merge(self) -> None:
        single = [(client, places[0]) for client, places in self._places.items() if len(places) == 1]
        by_host = {host: (client, address) for client, (host, address) in single}
        if len(by_host) < PLACES_PER_CLIENT:
            return
        for client, _ in by_host.values():
            del self._places[client]
        self._add((host, address) for host, (_, address) in by_host.items())
