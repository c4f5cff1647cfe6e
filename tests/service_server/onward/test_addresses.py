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
from service_server.onward.values import HostNotAllowed, HostRules, NotSent, OnwardRequest
from tests.service_server.onward.scripted import Gate, Serve, always


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "2606:4700::1111", "64:ff9b::808:808"]
)
def test_public_addresses(address: str) -> None:
    """Addresses of the public internet pass, also an IPv4 one behind NAT64."""
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "168.63.129.16",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "224.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2001::1", "2001:db8::1", "2002:7f00:1::", "fc00::1", "fd00:ec2::254",
        "fe80::1", "fec0::1", "ff02::1", "100::1", "5f00::1", "4000::1",
    ],
)  # fmt: skip
def test_other_addresses(address: str) -> None:
    """Loopback, private, link-local, metadata, shared, multicast, reserved and translated addresses don't pass."""
    assert not is_public(ipaddress.ip_address(address))


@given(st.ip_addresses())
def test_no_address_that_the_library_calls_private_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    """Our table never lets through what Python's own table holds back."""
    if is_public(address) and address not in ipaddress.ip_network("64:ff9b::/96"):
        assert address.is_global
        assert not address.is_multicast


async def test_private_hosts_are_refused(gate: Gate, serve: Serve) -> None:
    """An app's own host rules don't open private addresses, written out or behind a name; nothing is connected."""
    server = await serve()
    sender = await gate.open(allow_hosts=())
    hosts = ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1", "0.0.0.1"]

    for host in hosts:
        with pytest.raises(HostNotAllowed):
            await sender.fetch(OnwardRequest("GET", server.url(host=host)), HostRules((f"{host}:{server.port}",)))
    assert server.connections == 0


async def test_disguised_addresses_are_refused(gate: Gate, serve: Serve) -> None:
    """Other spellings of an address are refused, even where the operator allows the address itself."""
    server = await serve()
    sender, rules = await gate.open(), HostRules((f"127.0.0.1:{server.port}",))

    for host in ("2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "0177.0.0.1", "127.0.0.1."):
        with pytest.raises(HostNotAllowed):
            await sender.fetch(OnwardRequest("GET", server.url(host=host)), rules)
    assert server.connections == 0


async def test_one_private_address_among_public_ones_is_refused() -> None:
    """A name with several addresses passes only when all of them are public."""

    resolver = Resolver((), 5, always("8.8.8.8", "192.168.0.1"))

    with pytest.raises(HostNotAllowed) as refused:
        await resolver.addresses(parse_target("https://app.test/"), Errand())
    assert "192.168" not in str(refused.value)


async def test_the_operator_allows_by_name_and_port() -> None:
    """A host the operator names may be private; another port of it, or another name, may not."""

    resolver = Resolver(("erp.corp.test:8443", "wiki.corp.test"), 5, always("10.0.0.5"))

    assert ("10.0.0.5",) == await resolver.addresses(parse_target("https://ERP.corp.test:8443/"), Errand())
    assert ("10.0.0.5",) == await resolver.addresses(parse_target("https://wiki.corp.test:444/"), Errand())
    for url in ("https://erp.corp.test/", "https://other.corp.test:8443/", "https://a.wiki.corp.test/"):
        with pytest.raises(HostNotAllowed):
            await resolver.addresses(parse_target(url), Errand())


async def test_a_host_allowed_for_one_app_stays_closed_for_the_others() -> None:
    """`APP=HOST` opens a private host for that app only; another app, or none, is refused there."""

    resolver = Resolver(("erp=erp.corp.test:8443",), 5, always("10.0.0.5"))
    target = parse_target("https://erp.corp.test:8443/")

    assert ("10.0.0.5",) == await resolver.addresses(target, Errand("erp"))
    for app in ("", "wiki", "erp2"):
        with pytest.raises(HostNotAllowed):
            await resolver.addresses(target, Errand(app))
    for text in ("=erp.corp.test", "ERP=erp.corp.test", "a=b=erp.corp.test", "erp="):
        with pytest.raises(ValueError, match="not "):
            Resolver((text,), 5, always("10.0.0.5"))


async def test_rebinding_gains_nothing(gate: Gate, serve: Serve) -> None:
    """The request goes to the address that was checked, whatever the name answers a moment later."""
    server = await serve()
    answers = iter([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.3"]])

    async def lookup(host: str) -> Answer:
        return Answer(tuple(next(answers)))

    sender = await gate.open(lookup=lookup)
    rules = HostRules((f"app.test:{server.port}",))
    for _ in range(2):
        response = await sender.fetch(OnwardRequest("GET", server.url(host="app.test")), rules)

        assert 200 == response.status
    assert f"Host: app.test:{server.port}".encode() in server.requests[0]
    assert ["127.0.0.2"] == next(answers)


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


async def test_the_next_address_is_tried(gate: Gate, serve: Serve) -> None:
    """A name with a dead address in front still works, also for a request that changes data: nothing was sent."""
    server = await serve()

    sender = await gate.open(lookup=always("127.0.0.9", "127.0.0.1"))
    request = OnwardRequest("POST", server.url(host="app.test"), body=b"x")
    response = await sender.fetch(request, HostRules((f"app.test:{server.port}",)))

    assert 200 == response.status
    assert 1 == len(server.requests)


async def test_unknown_names_are_not_sent(gate: Gate) -> None:
    """A name that can't be looked up means that nothing left this machine."""

    async def lookup(host: str) -> Answer:
        raise OSError("no such name")

    sender = await gate.open(lookup=lookup)

    with pytest.raises(NotSent):
        await sender.fetch(OnwardRequest("POST", "https://gone.app.test/"), HostRules(("gone.app.test",)))


async def test_hosts_outside_the_rules_are_not_even_looked_up(gate: Gate) -> None:
    """A foreign host is refused before anything is asked about it."""
    asked: list[str] = []

    async def lookup(host: str) -> Answer:
        asked.append(host)
        return Answer(("8.8.8.8",))

    sender = await gate.open(lookup=lookup)

    with pytest.raises(HostNotAllowed):
        await sender.fetch(OnwardRequest("GET", "https://evil.test/"), HostRules(("api.example.com",)))
    assert asked == []
