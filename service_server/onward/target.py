"""Reads where a URL leads, by rules so narrow that no two URL parsers can disagree about it."""

import functools
import ipaddress
import re
from typing import Literal

from attrs import frozen

MAX_URL_LENGTH = 65_536

# Only printable ASCII without `\`: browsers read a backslash as `/`, other parsers as part of the host.
_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(?P<port>[0-9]{1,5}))?(?=[/?#]|\Z)"
    r"[\x21-\x5b\x5d-\x7e]*\Z",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
# Parsers read a host whose last label is such a number as an IPv4 address in decimal, octal or hexadecimal.
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)\Z")


@frozen
class Target:
    """The server a URL leads to: its host in lower case (an IPv6 address without brackets) and its port."""

    scheme: Literal["http", "https"]
    host: str
    port: int

    @property
    def uses_default_port(self) -> bool:
        """Whether the port is the one the scheme stands for."""
        return self.port == (443 if self.scheme == "https" else 80)

    @property
    def address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The address when the host is written as one, None when it is a name to be looked up."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


def parse_target(url: str) -> Target:
    """
    Tell which server an absolute http(s) URL leads to.

    Raises:
        ValueError: for anything that could be read in two ways: user information, backslashes, spaces,
            non-ASCII letters, a trailing dot, or an address that is not in the usual form.
    """
    if len(url) > MAX_URL_LENGTH:
        raise ValueError("the URL is too long")
    match = _URL.match(url)
    if match is None:
        raise ValueError("not an absolute http(s) URL of plain, percent-encoded ASCII without user information")
    scheme: Literal["http", "https"] = "https" if match["scheme"].lower() == "https" else "http"
    port = int(match["port"]) if match["port"] else (443 if scheme == "https" else 80)
    if not 0 < port < 65_536:
        raise ValueError("the URL's port is out of range")
    return Target(scheme, canonical_host(match["host"]), port)


@functools.lru_cache(maxsize=4096)
def canonical_host(host: str) -> str:
    """Bring a host to its one spelling (lower case, IPv6 without brackets, shortest form), or raise ValueError."""
    lowered = host.lower()
    if lowered.startswith("["):
        return str(ipaddress.IPv6Address(lowered[1:-1]))
    labels = lowered.split(".")
    if _NUMBER.match(labels[-1]):
        return str(ipaddress.IPv4Address(lowered))
    if not all(_LABEL.match(label) for label in labels):
        raise ValueError("the URL's host is not a valid name")
    return lowered
