"""Connections to many servers stay open, at the cost of few clients."""

import pytest

from service_server.onward import clients as clients_module
from service_server.onward.clients import Clients
from service_server.onward.values import HostRules, OnwardRequest
from tests.service_server.onward.scripted import Gate, Serve, always

pytestmark = pytest.mark.slow

PLACES = 300


async def test_connections_to_hundreds_of_hosts_are_used_again(gate: Gate, serve: Serve) -> None:
    """Calls that go round more hosts than there are clients make no new connection in the end."""
    server = await serve()

    sender = await gate.open(lookup=always("127.0.0.1"))
    rules = HostRules((f"*.app.test:{server.port}",))

    async def go_round() -> int:
        before = server.connections
        for number in range(PLACES):
            url = server.url(host=f"host-{number}.app.test")
            assert 200 == (await sender.fetch(OnwardRequest("GET", url), rules)).status
        return server.connections - before

    assert PLACES == await go_round()
    await go_round()  # hosts whose clients were put together connect once more

    assert 0 == await go_round()
    assert f"Host: host-7.app.test:{server.port}".encode() in server.requests[-PLACES + 7]


class Built:
    """Stands for a client; tells the places it was built for."""

    def __init__(self, places: object) -> None:
        self.places = list(places)  # type: ignore[call-overload]


def clients() -> Clients:
    """Clients that connect to nothing."""
    return Clients(Built)  # type: ignore[arg-type]


def test_few_clients_for_many_places() -> None:
    """However many places there are, the clients are bounded, and each place has exactly one that leads there."""
    kept = clients()
    for number in range(20_000):
        place = (f"host-{number}", f"192.0.2.{number % 250}")

        assert place in kept.to(*place).places  # type: ignore[attr-defined]
        assert len(kept) <= clients_module.MOST_CLIENTS
    latest = [(f"host-{number}", f"192.0.2.{number % 250}") for number in range(16_000, 20_000)]
    assert len({kept.to(*place) for place in latest}) < clients_module.MOST_CLIENTS
    assert len(kept) <= clients_module.MOST_CLIENTS


def test_a_client_has_one_address_for_a_host() -> None:
    """Two addresses of a host are never in one client, or a request could go to the one that it was not checked for."""
    kept = clients()
    for number in range(500):
        for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
            kept.to(f"host-{number}", address)
    for number in range(500):
        for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
            places = kept.to(f"host-{number}", address).places  # type: ignore[attr-defined]

            assert (f"host-{number}", address) in places
            assert len(places) == len({host for host, _ in places})


def test_what_is_used_is_kept() -> None:
    """A place that is used again and again keeps its client and its connections, however many others come and go."""
    kept = clients()
    for number in range(clients_module.PLACES_PER_CLIENT):
        kept.to(f"host-{number}", "192.0.2.1")
    popular = kept.to("host-0", "192.0.2.1")
    for number in range(2 * clients_module.MOST_CLIENTS * clients_module.PLACES_PER_CLIENT):
        kept.to(f"other-{number}", "192.0.2.1")

        assert popular is kept.to("host-0", "192.0.2.1")
    assert popular is not kept.to("other-0", "192.0.2.1")
