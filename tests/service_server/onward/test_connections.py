"""Connections to many servers stay open, at the cost of few clients."""

from typing import Any

import pytest

from service_server.onward import clients as clients_module
from service_server.onward.clients import MOST_CLIENTS, PLACES_PER_CLIENT, Clients
from tests.service_server.onward.scripted import Fetch, Serve, always

pytestmark = pytest.mark.slow

PLACES = 40


async def test_connections_to_hundreds_of_hosts_are_used_again(
    serve: Serve, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls that go round more hosts than there are clients make no new connection in the end."""
    monkeypatch.setattr(clients_module, "PLACES_PER_CLIENT", 8)
    monkeypatch.setattr(clients_module, "MOST_CLIENTS", 16)
    server, lookup = await serve(), always("127.0.0.1")

    async def go_round() -> int:
        before = server.connections
        for number in range(PLACES):
            assert 200 == (await fetch(server, host=f"host-{number}.app.test", lookup=lookup)).status
        return server.connections - before

    assert PLACES == await go_round()
    await go_round()  # hosts whose clients were put together connect once more

    assert 0 == await go_round()
    assert f"Host: host-7.app.test:{server.port}".encode() in server.requests[-PLACES + 7]


@pytest.fixture
def kept() -> Any:
    """Clients that connect to nothing; each is a list of the places that it was built for."""

    class Built(list[Any]):
        __hash__ = object.__hash__

    return Clients(Built)


def test_few_clients_for_many_places(kept: Any) -> None:
    """However many places there are, the clients are bounded, and each place has exactly one that leads there."""
    places = [(f"host-{number}", f"192.0.2.{number % 250}") for number in range(20_000)]
    for place in places:
        assert place in kept.to(*place)
        assert len(kept) <= MOST_CLIENTS
    assert len({id(kept.to(*place)) for place in places[16_000:]}) < MOST_CLIENTS
    assert len(kept) <= MOST_CLIENTS


def test_a_client_has_one_address_for_a_host(kept: Any) -> None:
    """Two addresses of a host are never in one client, or a request could go to the one that it was not checked for."""
    addresses = ("192.0.2.1", "192.0.2.2", "2001:db8::1")
    places = [(f"host-{number}", address) for number in range(500) for address in addresses]
    for place in places:
        kept.to(*place)
    for place in places:
        found = kept.to(*place)

        assert place in found
        assert len(found) == len({host for host, _ in found})


def test_what_is_used_is_kept(kept: Any) -> None:
    """A place that is used again and again keeps its client and its connections, however many others come and go."""
    for number in range(PLACES_PER_CLIENT):
        kept.to(f"host-{number}", "192.0.2.1")
    popular = kept.to("host-0", "192.0.2.1")
    for number in range(2 * MOST_CLIENTS * PLACES_PER_CLIENT):
        kept.to(f"other-{number}", "192.0.2.1")

        assert popular is kept.to("host-0", "192.0.2.1")
    assert popular is not kept.to("other-0", "192.0.2.1")
