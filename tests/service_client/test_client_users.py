"""Several users over one pool, and what is left of a client once it is closed."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

import service_client as sc
from service_client.testing import MemoryTransport, Response
from tests.service_client.conftest import KNOWN, Driver
from tests.service_client.scripted_server import Reply, ScriptedServer

APPS = {"apps": [], "cursor": ""}
SECRET: dict[str, Any] = {"app_key": "key", "secret": "s"}


def memory(driver: Driver) -> Any:
    """Return a transport that answers every request with no apps."""
    return driver.memory(lambda request: Response.of_json(APPS))


def identities(transport: Any) -> list[tuple[str | None, str | None]]:
    """Return who each request came from: the User-ID and the hash or token."""
    return [
        (request.headers.get("User-ID"), request.headers.get("Hash") or request.headers.get("Authorization"))
        for request in transport.requests
    ]


def test_a_client_with_the_secret_serves_any_user(driver: Driver) -> None:
    """`for_user` signs for the user it is given, or takes their token; the transport and settings are the client's."""
    transport = memory(driver)
    client = driver.client_type("http://service.test", **SECRET, timeout=7.0, transport=transport)
    for user in (client.for_user("Zoë"), client.for_user("ann").for_user("bob"), client.for_user("cleo", token="t")):
        driver.finish(user.apps.list())

    assert [("Zo%C3%AB", sc.sign("Zoë", "s")), ("bob", sc.sign("bob", "s")), ("cleo", "Bearer t")] == identities(
        transport
    )
    assert {(7.0, "key")} == {(request.timeout, request.headers["App-Key"]) for request in transport.requests}
    with pytest.raises(sc.InvalidArgumentError, match="exactly one"):
        client.for_user("ann", hash="ab" * 32, token="t")
    number: Any = 7  # as databases know people by
    with pytest.raises(sc.InvalidArgumentError, match=r"must be text, not int: write str\(user_id\)"):
        client.for_user(number)
    with pytest.raises(sc.InvalidArgumentError, match="for_user"):
        driver.finish(client.apps.list())  # whose?
    assert 3 == len(transport.requests)


def test_without_the_secret_each_user_brings_a_hash_or_a_token(driver: Driver) -> None:
    """A client that holds one user's hash or token cannot speak for another, and never sends the wrong one."""
    transport = memory(driver)
    url = "http://service.test"
    with_hash = driver.client_type(url, app_key="key", user_id="ann", hash="ab" * 32, transport=transport)
    with_token = driver.client_type(url, token="ann's", transport=transport)

    for each in (with_hash, with_token):
        with pytest.raises(sc.InvalidArgumentError, match="hash or token"):
            each.for_user("bob")
    users = (with_hash, with_hash.for_user("bob", hash="cd" * 32), with_token.for_user("dora", token=lambda: "d"))
    for user in users:
        driver.finish(user.apps.list())

    assert [("ann", "ab" * 32), ("bob", "cd" * 32), ("dora", "Bearer d")] == identities(transport)


Method = Callable[[Any], Any]
METHODS: dict[str, Method] = {
    "list": lambda client: client.apps.list(),
    "get": lambda client: client.apps.get("desk"),
    "items": lambda client: client.functions.items("desk-list"),
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_closed_client_says_so(driver: Driver, method: Method) -> None:
    """It, and those that came from it, send nothing; a user's client that is closed leaves the others open."""
    transport = memory(driver)
    client = driver.client_type("http://service.test", **KNOWN, transport=transport)
    ann, bob = client.for_user("ann"), client.for_user("bob")
    driver.close(ann)
    driver.finish(bob.apps.list())
    with pytest.raises(sc.ClientClosedError, match="closed"):
        driver.finish(method(ann))
    driver.close(client)

    for closed in (client, bob):
        with pytest.raises(sc.ClientClosedError, match="closed"):
            driver.finish(method(closed))
    assert 1 == len(transport.requests)


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
    """One without sockets, as tests use it, is taken as it is; but not beside a transport."""
    answers = httpx.MockTransport(lambda request: httpx.Response(200, json=APPS))
    with httpx.Client(transport=answers) as lent, sc.Client("http://service.test", **KNOWN, http_client=lent) as client:
        assert [] == list(client.apps.list())
        with pytest.raises(sc.InvalidArgumentError, match="not both"):
            sc.Client("http://service.test", **KNOWN, http_client=lent, transport=MemoryTransport(lambda request: None))
