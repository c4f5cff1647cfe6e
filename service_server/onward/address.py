"""Tells public network addresses from those of this machine, its networks and its cloud."""

import ipaddress

# Written out instead of asking `ipaddress.is_global`, whose answers differ between Python releases.
_NOT_PUBLIC_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # "this network"; Linux connects 0.0.0.0 to itself
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and a cloud's metadata at 100.100.100.200
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's host agent, on an address that looks public
        "169.254.0.0/16",  # link-local, the usual place of cloud metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved and broadcast
    )
)
_PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",
    )
)
# Networks without IPv4 reach it through this prefix, so the address behind it decides.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address belongs to the public internet; unassigned and translated ranges count as not public."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return address in _PUBLIC_V6 and not any(address in network for network in _NOT_PUBLIC_V6)
