"""Several users over one pool, and what is left of a client once it is closed."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import service_client as sc
from service_client.testing import AsyncMemoryTransport, MemoryTransport, Response
from tests.service_client.conftest import KNOWN, Driver
from tests.service_client.scripted_server import Reply, ScriptedServer

APPS = {"apps": [], "cursor": ""}


def memory() -> MemoryTransport:
    """Return a transport that answers every request with no apps."""
    return MemoryTransport(lambda request: Response.of_json(APPS))


def identities(transport: Any) -> list[tuple[str | None, str | None]]:
    """Return who each request came from: the User-ID and the hash or token."""
    return [
        (request.headers.get("User-ID"), request.headers.get("Hash") or request.headers.get("Authorization"))
        for request in transport.requests
    ]


def test_a_client_with_the_secret_serves_any_user() -> None:
    """`for_user` signs for the user it is given, on the transport and settings of the client it came from."""
    transport = memory()
    client = sc.Client("http://service.test", app_key="key", secret="s", timeout=7.0, transport=transport)
    for user in ("ann", "Zoë"):
        client.for_user(user).apps.list()
    client.for_user("ann").for_user("bob").apps.list()

    expected = [("ann", sc.sign("ann", "s")), ("Zo%C3%AB", sc.sign("Zoë", "s")), ("bob", sc.sign("bob", "s"))]
    assert expected == identities(transport)
    assert {7.0} == {request.timeout for request in transport.requests}
    assert {"key"} == {request.headers["App-Key"] for request in transport.requests}


async def test_an_awaiting_client_serves_any_user() -> None:
    """The awaiting twin does the same, at the same time."""
    transport = AsyncMemoryTransport(lambda request: Response.of_json(APPS))
    async with sc.AsyncClient("http://service.test", app_key="key", secret="s", transport=transport) as client:
        await asyncio.gather(*(client.for_user(user).apps.list() for user in ("ann", "bob")))

    assert {("ann", sc.sign("ann", "s")), ("bob", sc.sign("bob", "s"))} == set(identities(transport))


def test_a_client_without_a_user_asks_whose_request_it_is() -> None:
    """Nothing is sent for nobody."""
    transport = memory()
    client = sc.Client("http://service.test", app_key="key", secret="s", transport=transport)

    with pytest.raises(sc.InvalidArgumentError, match="for_user"):
        client.apps.list()
    assert [] == transport.requests


def test_without_the_secret_each_user_brings_a_hash_or_a_token() -> None:
    """A client that holds one user's hash or token cannot speak for another, and never sends the wrong one."""
    transport = memory()
    client = sc.Client("http://service.test", app_key="key", user_id="ann", hash="ab" * 32, transport=transport)
    with_token = sc.Client("http://service.test", token="ann's", transport=transport)

    for each in (client, with_token):
        with pytest.raises(sc.InvalidArgumentError, match="hash or token"):
            each.for_user("bob")
    client.for_user("bob", hash="cd" * 32).apps.list()
    client.for_user("cleo", token="c").apps.list()
    with_token.for_user("dora", token=lambda: "d").apps.list()

    assert [("bob", "cd" * 32), ("cleo", "Bearer c"), ("dora", "Bearer d")] == identities(transport)


def test_a_token_given_for_a_user_replaces_the_secret() -> None:
    """With several ways at hand the one that was given for the user counts."""
    transport = memory()
    client = sc.Client("http://service.test", app_key="key", secret="s", transport=transport)
    client.for_user("ann", token="t").apps.list()

    assert [("ann", "Bearer t")] == identities(transport)
    with pytest.raises(sc.InvalidArgumentError, match="exactly one"):
        client.for_user("ann", hash="ab" * 32, token="t")


def test_users_share_connections(server: ScriptedServer) -> None:
    """Requests of many users go over one connection, one after the other."""
    server.script = [Reply(APPS)]
    with sc.Client(server.url, app_key="key", secret="s") as client:
        for number in range(5):
            client.for_user(f"user-{number}").apps.list()

    assert len({asked.connection for asked in server.asked}) == 1
    assert [f"user-{number}" for number in range(5)] == [asked.headers["user-id"] for asked in server.asked]


Method = Callable[[Any], Any]
METHODS: dict[str, Method] = {
    "list": lambda client: client.apps.list(),
    "get": lambda client: client.apps.get("desk"),
    "call": lambda client: client.functions.call("desk-create"),
    "items": lambda client: client.functions.items("desk-list"),
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_closed_client_says_so(driver: Driver, method: Method) -> None:
    """Every method of a closed client, and of those that came from it, raises an error of ours and sends nothing."""
    transport = driver.memory(lambda request: Response.of_json(APPS))
    client = driver.client_type("http://service.test", **KNOWN, transport=transport)
    other = client.for_user("bob")
    asyncio.run(client.aclose()) if isinstance(client, sc.AsyncClient) else client.close()

    for closed in (client, other):
        with pytest.raises(sc.ClientClosedError, match="closed"):
            driver.finish(method(closed))
    assert [] == transport.requests


def test_closing_a_users_client_leaves_the_others_open() -> None:
    """What `for_user` returns may be closed by itself."""
    client = sc.Client("http://service.test", app_key="key", secret="s", transport=memory())
    with client.for_user("ann") as ann:
        bob = client.for_user("bob")

    bob.apps.list()
    with pytest.raises(sc.ClientClosedError):
        ann.apps.list()


def test_a_page_of_a_closed_client_leads_nowhere() -> None:
    """Paging on after the end says why it cannot."""
    transport = MemoryTransport(lambda request: Response.of_json({"apps": [], "cursor": "more"}))
    with sc.Client("http://service.test", **KNOWN, transport=transport) as client:
        page = client.apps.list()

    with pytest.raises(sc.ClientClosedError):
        page.get_next_page()


def test_a_passed_in_http_client_is_used_and_not_closed(server: ScriptedServer) -> None:
    """Its headers and settings count, and it outlives the client; closed by its owner it is told as closed."""
    server.script = [Reply(APPS)]
    lent = httpx.Client(headers={"X-Ours": "1", "User-Agent": "shop/7"})
    for _ in range(2):
        with sc.Client(server.url, **KNOWN, http_client=lent) as client:
            client.apps.list()
    assert not lent.is_closed
    lent.close()

    assert ["1", "1"] == [asked.headers["x-ours"] for asked in server.asked]
    assert server.asked[0].headers["user-agent"].startswith("shop/7 service-client/")
    with pytest.raises(sc.ClientClosedError, match="http_client"):
        sc.Client(server.url, **KNOWN, http_client=lent).apps.list()


async def test_a_passed_in_async_http_client_is_used_and_not_closed(server: ScriptedServer) -> None:
    """The same for the awaiting client."""
    server.script = [Reply(APPS)]
    async with httpx.AsyncClient(headers={"X-Ours": "1"}) as lent:
        async with sc.AsyncClient(server.url, **KNOWN, http_client=lent) as client:
            await client.apps.list()
        assert not lent.is_closed

    assert server.asked[0].headers["x-ours"] == "1"
    with pytest.raises(sc.ClientClosedError, match="http_client"):
        await sc.AsyncClient(server.url, **KNOWN, http_client=lent).apps.list()


def test_an_http_client_of_any_transport_works() -> None:
    """One without sockets, as tests use it, is taken as it is."""
    answers = httpx.MockTransport(lambda request: httpx.Response(200, json=APPS))
    with httpx.Client(transport=answers) as lent, sc.Client("http://service.test", **KNOWN, http_client=lent) as client:
        assert [] == list(client.apps.list())


def test_an_http_client_and_a_transport_exclude_each_other() -> None:
    """Two ways to send are one too many."""
    with httpx.Client() as lent, pytest.raises(sc.InvalidArgumentError, match="not both"):
        sc.Client("http://service.test", **KNOWN, http_client=lent, transport=memory())
