"""Names are looked up side by side: a slow name server delays nobody but who asked for its name."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from service_server.onward import resolver as resolver_module
from service_server.onward.lookup import Answer, NameServers, NoAddress
from service_server.onward.resolver import MOST_AT_ONCE_PER_USER, Errand, Resolver
from service_server.onward.target import parse_target
from service_server.onward.values import NotSent
from tests.service_server.onward.name_server import NameServer, name_server

pytestmark = pytest.mark.slow

ALICE, BOB = Errand("desk", (1, "alice")), Errand("desk", (1, "bob"))
ADDRESS = ("192.0.2.1",)


class Names:
    """A name server and who asks it, allowed to find the addresses that are kept for documentation."""

    def __init__(self, server: NameServer, servers: NameServers) -> None:
        self.server, self.servers = server, servers
        self.looked_up: list[str] = []
        self.resolver = self.giving_up_after(60)  # seconds: no test depends on how fast the machine is

    def giving_up_after(self, seconds: float) -> Resolver:
        """A resolver that waits so long."""
        return Resolver(("*.names.test",), seconds, self._lookup)

    async def look_up(self, host: str, errand: Errand) -> tuple[str, ...]:
        """The addresses of a host below names.test."""
        return await self.resolver.addresses(parse_target(f"https://{host}.names.test/"), errand)

    async def begun(self, *hosts: str, errand: Errand | None = None) -> list[asyncio.Task[tuple[str, ...]]]:
        """Look hosts up, each for a user of its own or all for one, until the name server was asked for them."""
        tasks = [asyncio.create_task(self.look_up(host, errand or Errand("desk", (1, host)))) for host in hosts]
        for host in hosts if errand is None else hosts[:MOST_AT_ONCE_PER_USER]:
            await self.server.asked_for(f"{host}.names.test")
        return tasks

    async def _lookup(self, host: str) -> Answer:
        self.looked_up.append(host.removesuffix(".names.test"))
        return await self.servers(host)


@pytest.fixture
async def names() -> AsyncIterator[Names]:
    """A name server, and a resolver that asks it."""
    async with name_server() as (server, address):
        names = Names(server, NameServers([address]))
        yield names
        await names.resolver.close()
        await names.servers.close()


SLOW = [f"slow{number}" for number in range(100)]


async def test_slow_names_delay_no_other_name(names: Names) -> None:
    """However many slow names are being looked up, another user's name is found while they still are."""
    waiting = await names.begun(*SLOW)

    assert ADDRESS == await names.look_up("quick", BOB)
    assert not any(task.done() for task in waiting)


async def test_slow_names_of_one_user_keep_nobody_else_waiting(names: Names) -> None:
    """A user has a few look-ups under way and the next ones wait for a free place; others have places of their own."""
    waiting = await names.begun(*SLOW[:20], "quick", errand=ALICE)

    assert ADDRESS == await names.look_up("other", BOB)
    assert [*SLOW[:MOST_AT_ONCE_PER_USER], "other"] == names.looked_up
    assert not any(task.done() for task in waiting)
    async with asyncio.timeout(30):
        while not all(task.done() for task in waiting):
            names.server.let_go()
            await asyncio.sleep(0.01)
    assert {ADDRESS} == {task.result() for task in waiting}


async def test_one_look_up_for_all_who_need_a_name(names: Names) -> None:
    """Those who ask for a name while it is looked up wait for the same answer, and count for nobody."""
    waiting = [asyncio.create_task(names.look_up("slow", errand)) for errand in (ALICE, BOB) for _ in range(50)]
    await names.server.asked_for("slow.names.test")
    waiting[0].cancel()
    names.server.let_go()
    answers = await asyncio.gather(*waiting, return_exceptions=True)

    assert [ADDRESS] * 99 == answers[1:]
    assert isinstance(answers[0], asyncio.CancelledError)
    assert ["slow"] == names.looked_up


async def test_what_takes_too_long_is_given_up(names: Names) -> None:
    """After the time for connecting the call is refused, and the place of its look-up is free again."""
    names.resolver = names.giving_up_after(0.2)
    for _ in range(2):
        slow = [names.look_up(host, ALICE) for host in SLOW[:MOST_AT_ONCE_PER_USER]]
        for failure in await asyncio.gather(*slow, return_exceptions=True):
            assert isinstance(failure, NotSent)
            assert "took too long" in failure.reason


async def test_answers_are_kept_for_their_time(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is asked for again when its time is over, which is held between our own limits."""
    now = 0.0
    monkeypatch.setattr(resolver_module, "time", SimpleNamespace(monotonic=lambda: now))
    for ttl, kept_until, over in ((0, 4.9, 5.1), (60, 59.0, 61.0), (86_400, 299.0, 301.0)):
        names.server.ttl, start, asked = ttl, now, list[int]()
        for after in (0.0, kept_until, over):
            now = start + after
            assert ADDRESS == await names.look_up(f"for-{ttl}", BOB)
            asked.append(names.looked_up.count(f"for-{ttl}"))

        assert [1, 1, 2] == asked


async def test_a_name_without_address_is_refused_and_kept_briefly(names: Names) -> None:
    """That there is no such name is remembered for a moment, whoever asks."""
    for errand in (ALICE, BOB, BOB):
        with pytest.raises(NotSent, match="has no address"):
            await names.look_up("gone", errand)

    assert ["gone"] == names.looked_up
    with pytest.raises(NoAddress):
        await names.servers("gone.names.test")


async def test_names_of_this_machine() -> None:
    """`localhost` is known without a name server."""
    servers = NameServers(["127.0.0.1:9"])

    assert "127.0.0.1" in (await servers("localhost")).addresses
    await servers.close()
