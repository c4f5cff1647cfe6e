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

    def __init__(self, server: NameServer, servers: NameServers, seconds: float) -> None:
        self.server = server
        self.servers = servers
        self.looked_up: list[str] = []
        self.resolver = Resolver(("*.names.test",), seconds, self._lookup)

    async def look_up(self, host: str, errand: Errand) -> tuple[str, ...]:
        """The addresses of a host below names.test."""
        return await self.resolver.addresses(parse_target(f"https://{host}.names.test/"), errand)

    async def close(self) -> None:
        """End what is under way."""
        await self.resolver.close()
        await self.servers.close()

    async def _lookup(self, host: str) -> Answer:
        self.looked_up.append(host.removesuffix(".names.test"))
        return await self.servers(host)

    async def asked_for(self, host: str) -> None:
        """Wait until the name server was asked for a host."""
        await self.server.asked_for(f"{host}.names.test")


@pytest.fixture
async def names() -> AsyncIterator[Names]:
    """A resolver that gives up after a minute, so that no test depends on how fast the machine is."""
    async with name_server() as (server, address):
        names = Names(server, NameServers([address]), 60)
        yield names
        await names.close()


@pytest.mark.parametrize("slow", [2, 10, 100])
async def test_slow_names_delay_no_other_name(names: Names, slow: int) -> None:
    """However many slow names are being looked up, another user's name is found while they still are."""
    waiting = [
        asyncio.create_task(names.look_up(f"slow{number}", Errand("desk", (1, f"user-{number}"))))
        for number in range(slow)
    ]
    for number in range(slow):
        await names.asked_for(f"slow{number}")

    assert ADDRESS == await names.look_up("quick", BOB)
    assert not any(task.done() for task in waiting)


async def test_slow_names_of_one_user_keep_nobody_else_waiting(names: Names) -> None:
    """A user has a few look-ups under way and waits for a free place with the next; others have places of their own."""
    waiting = [asyncio.create_task(names.look_up(f"slow{number}", ALICE)) for number in range(20)]
    for number in range(MOST_AT_ONCE_PER_USER):
        await names.asked_for(f"slow{number}")
    own = asyncio.create_task(names.look_up("quick", ALICE))

    assert ADDRESS == await names.look_up("other", BOB)
    assert [*(f"slow{number}" for number in range(MOST_AT_ONCE_PER_USER)), "other"] == names.looked_up
    assert not own.done()
    assert not any(task.done() for task in waiting)


async def test_free_places_are_used(names: Names) -> None:
    """When a slow name has answered, the user's next one is looked up; in the end all are found."""
    waiting = [asyncio.create_task(names.look_up(f"slow{number}", ALICE)) for number in range(20)]
    async with asyncio.timeout(30):
        while not all(task.done() for task in waiting):
            names.server.let_go()
            await asyncio.sleep(0.01)

    assert {ADDRESS} == {task.result() for task in waiting}


async def test_one_look_up_for_all_who_need_a_name(names: Names) -> None:
    """Those who ask for a name while it is looked up wait for the same answer, and count for nobody."""
    waiting = [asyncio.create_task(names.look_up("slow", errand)) for errand in (ALICE, BOB) for _ in range(50)]
    await names.asked_for("slow")
    waiting[0].cancel()
    names.server.let_go()
    answers = await asyncio.gather(*waiting, return_exceptions=True)

    assert [ADDRESS] * 99 == answers[1:]
    assert isinstance(answers[0], asyncio.CancelledError)
    assert ["slow"] == names.looked_up


async def test_what_takes_too_long_is_given_up() -> None:
    """After the time for connecting the call is refused, and the place of its look-up is free again."""
    async with name_server() as (server, address):
        names = Names(server, NameServers([address]), 0.2)
        for _ in range(2):
            slow = [names.look_up(f"slow{number}", ALICE) for number in range(MOST_AT_ONCE_PER_USER)]
            for failure in await asyncio.gather(*slow, return_exceptions=True):
                assert isinstance(failure, NotSent)
                assert "took too long" in failure.reason
        await names.close()


async def test_answers_are_kept_for_their_time(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is asked for again when its time is over, which is held between our own limits."""
    now = 0.0
    monkeypatch.setattr(resolver_module, "time", SimpleNamespace(monotonic=lambda: now))
    for ttl, kept_until, over in ((0, 4.9, 5.1), (60, 59.0, 61.0), (86_400, 299.0, 301.0)):
        names.server.ttl = ttl
        start = now
        for after in (0.0, kept_until):
            now = start + after
            assert ADDRESS == await names.look_up(f"for-{ttl}", BOB)
        before = names.looked_up.count(f"for-{ttl}")
        now = start + over
        await names.look_up(f"for-{ttl}", BOB)

        assert (1, 2) == (before, names.looked_up.count(f"for-{ttl}"))


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
