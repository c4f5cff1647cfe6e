"""Which addresses count as public, and what becomes of names that lead to others."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.onward import resolver as resolver_module
from service_server.onward.address import is_public
from service_server.onward.lookup import Answer
from service_server.onward.resolver import Errand, Resolver
from service_server.onward.target import parse_target
from service_server.onward.values import HostNotAllowed, NotSent
from tests.service_server.onward.scripted import Fetch, Serve, always

PUBLIC = "8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.0 2606:4700::1111 64:ff9b::808:808"
OTHERS = """
    0.1.2.3 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1
    ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 2001::1 2001:db8::1 2002:7f00:1:: fc00::1
    fd00:ec2::254 fe80::1 fec0::1 ff02::1 100::1 5f00::1 4000::1
"""
PRIVATE = "localhost 127.0.0.1 [::1] [::ffff:127.0.0.1] 169.254.169.254 10.0.0.1 0.0.0.1"
DISGUISED = """
    2130706433 0x7f.1 0x7f000001 017700000001 127.1 127.0.1 0177.0.0.1 127.0.0.1. 0 [::1%25lo] ①②⑦.0.0.1 127。0。0。1
    ⓛocalhost %6c%6f%63alhost 127.0.0.1%2f user:password@127.0.0.1 api.app.test@127.0.0.1 api.app.test\\@127.0.0.1
"""


@pytest.mark.parametrize(
    ("address", "public"), [*((each, True) for each in PUBLIC.split()), *((each, False) for each in OTHERS.split())]
)
def test_public_addresses(address: str, public: bool) -> None:
    """Also an IPv4 one behind NAT64; no loopback, private, link-local, metadata, shared, reserved and the like."""
    assert public == is_public(ipaddress.ip_address(address))


@given(st.ip_addresses())
def test_no_address_that_the_library_calls_private_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    """Our table never lets through what Python's own table holds back."""
    if is_public(address) and address not in ipaddress.ip_network("64:ff9b::/96"):
        assert address.is_global
        assert not address.is_multicast


async def test_private_hosts_are_refused(serve: Serve, fetch: Fetch) -> None:
    """An app's rules don't open them, nor do other spellings what the operator has opened; nothing is connected."""
    server = await serve()

    for host in PRIVATE.split():
        with pytest.raises(HostNotAllowed):
            await fetch(server, host=host, allow_hosts=())
    for host in DISGUISED.split():
        with pytest.raises(HostNotAllowed):
            await fetch(server, host=host, rules=[f"127.0.0.1:{server.port}", "*.app.test"])
    assert server.connections == 0


async def test_one_private_address_among_public_ones_is_refused() -> None:
    """A name with several addresses passes only when all of them are public; the refusal names none."""
    with pytest.raises(HostNotAllowed) as refused:
        await Resolver((), 5, always("8.8.8.8", "192.168.0.1")).addresses(parse_target("https://app.test/"), Errand())
    assert "192.168" not in str(refused.value)


@pytest.mark.parametrize(
    ("allowed", "url", "app", "passes"),
    [
        ("erp.corp.test:8443", "https://ERP.corp.test:8443/", "", True),
        ("erp.corp.test:8443", "https://erp.corp.test/", "", False),
        ("erp.corp.test:8443", "https://other.corp.test:8443/", "", False),
        ("wiki.corp.test", "https://wiki.corp.test:444/", "", True),
        ("wiki.corp.test", "https://a.wiki.corp.test/", "", False),
        ("erp=erp.corp.test:8443", "https://erp.corp.test:8443/", "erp", True),
        ("erp=erp.corp.test:8443", "https://erp.corp.test:8443/", "", False),
        ("erp=erp.corp.test:8443", "https://erp.corp.test:8443/", "erp2", False),
    ],
)
async def test_a_host_allowed_for_one_app_stays_closed_for_the_others(
    allowed: str, url: str, app: str, passes: bool
) -> None:
    """The operator opens a private host by its name, by a port if one is given, and by `APP=HOST` for that app only."""
    resolver = Resolver((allowed,), 5, always("10.0.0.5"))
    if passes:
        assert ("10.0.0.5",) == await resolver.addresses(parse_target(url), Errand(app))
    else:
        with pytest.raises(HostNotAllowed):
            await resolver.addresses(parse_target(url), Errand(app))


@pytest.mark.parametrize("allowed", ["=erp.corp.test", "ERP=erp.corp.test", "a=b=erp.corp.test", "erp="])
def test_what_opens_nothing(allowed: str) -> None:
    """An operator is told of what can't be meant."""
    with pytest.raises(ValueError, match="not "):
        Resolver((allowed,), 5, always("10.0.0.5"))


async def test_rebinding_gains_nothing(serve: Serve, fetch: Fetch) -> None:
    """The request goes to the address that was checked, whatever the name answers a moment later."""
    server, answers = await serve(), iter(["127.0.0.1", "127.0.0.2", "127.0.0.3"])

    async def lookup(host: str) -> Answer:
        return Answer((next(answers),))

    for _ in range(2):
        assert 200 == (await fetch(server, host="app.test", lookup=lookup)).status
    assert f"Host: app.test:{server.port}".encode() in server.requests[0]
    assert "127.0.0.2" == next(answers)


async def test_a_name_that_turns_private_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that was public when it was looked up first is checked again whenever it is looked up again."""
    answers = iter([["8.8.8.8"], ["169.254.169.254"], ["8.8.8.8", "::1"], ["2606:4700::1111"]])

    async def lookup(host: str) -> Answer:
        return Answer(tuple(next(answers)))

    monkeypatch.setattr(resolver_module, "_LONGEST_SECONDS", 0)
    resolver, target = Resolver((), 5, lookup), parse_target("https://app.test/")

    assert ("8.8.8.8",) == await resolver.addresses(target, Errand())
    for _ in range(2):
        with pytest.raises(HostNotAllowed):
            await resolver.addresses(target, Errand())
    assert ("2606:4700::1111",) == await resolver.addresses(target, Errand())


async def test_the_next_address_is_tried(serve: Serve, fetch: Fetch) -> None:
    """A name with a dead address in front still works, also for a request that changes data: nothing was sent."""
    server = await serve()
    response = await fetch(server, "POST", host="app.test", body=b"x", lookup=always("127.0.0.9", "127.0.0.1"))

    assert (200, 1) == (response.status, len(server.requests))


async def test_what_is_looked_up(serve: Serve, fetch: Fetch) -> None:
    """A foreign host is refused before anything is asked about it; of a name that is not found nothing was sent."""
    server, asked = await serve(), list[str]()

    async def lookup(host: str) -> Answer:
        asked.append(host)
        raise OSError("no such name")

    with pytest.raises(HostNotAllowed):
        await fetch(server, host="evil.test", rules=["api.example.com"], lookup=lookup)
    assert [] == asked
    with pytest.raises(NotSent):
        await fetch(server, "POST", host="gone.app.test", lookup=lookup)
