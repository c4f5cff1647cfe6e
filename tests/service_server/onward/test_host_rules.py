"""Which URLs an app's host rules let through."""

import ipaddress
import string
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyreqwest.http import Url

from service_server.onward.target import parse_target
from service_server.onward.values import ANY_HTTPS_HOST, HostRules

RULES = HostRules(("api.example.com", "*.example.org", "legacy.example.com:8080", "[2606:4700::1]", "8.8.8.8"))
ALLOWED = """
    https://api.example.com https://api.example.com/a?b=c#d HTTPS://API.Example.COM/ https://api.example.com:443/
    https://eu.example.org/ https://a.b.example.org/ http://legacy.example.com:8080/ https://legacy.example.com:8080/
    https://[2606:4700:0:0::1]/ https://8.8.8.8/
"""
REFUSED = """
    http://api.example.com/ https://api.example.com:8443/ https://legacy.example.com/ https://example.org/
    https://evilexample.org/ https://api.example.com.evil.test/ https://api.example.com./
    https://api.example.com@evil.test/ https://evil.test\\@api.example.com/ https://evil.test#@api.example.com/
    https://user:password@api.example.com/ https://evil.test/?https://api.example.com/
    https://api.example.com%2eevil.test/ https://api%2eexample.com/ https://api.example。com/ https://аpi.example.com/
    https:///api.example.com/ https:api.example.com/ //api.example.com/ /v1/users ftp://api.example.com/
    file:///etc/passwd https://api.example.com:0/ https://api.example.com:99999/ https://api.example.com:443x/
    https://134744072/ https://0x8.8.8.8/ https://010.8.8.8/ https://8.8.2056/ https://[2606:4700::1%25eth0]/
    https://[::ffff:8.8.8.8]/ https://a..example.org/ https://.example.org/
"""
WITH_SPACES = [
    *("", " https://api.example.com/", "https://api.example.com\n.evil.test/"),
    *("https://api.example.com/\r\nHost: evil.test", "https://api.example.com/" + "a" * 70_000),
]


@pytest.mark.parametrize("url", ALLOWED.split())
def test_allows_named_hosts(url: str) -> None:
    """A host is allowed exactly, case-insensitively, below a wildcard, and on the port that its pattern names."""
    assert RULES.allows(url)


@pytest.mark.parametrize("url", [*REFUSED.split(), *WITH_SPACES])
def test_refuses_every_other_reading(url: str) -> None:
    """Another host, another port, plain http, or a spelling that parsers read differently is refused."""
    assert not RULES.allows(url)


@pytest.mark.parametrize("pattern", ["", "http://a.b", "*", "*.com", "*.", "a.*.com", "a.example/x", "a:b", "a:0"])
def test_patterns_are_checked(pattern: str) -> None:
    """A pattern that could mean anything else than hosts is an error when the rules are made."""
    with pytest.raises(ValueError, match=r"."):
        HostRules((pattern,))


@given(st.text(alphabet=string.ascii_letters + string.digits + ".:/@#?[]%\\-_~ \t", max_size=60))
def test_parsers_never_disagree(rest: str) -> None:
    """Whatever we read as a host is what the HTTP client and the standard library read, too."""
    url = "https://" + rest
    try:
        target = parse_target(url)
    except ValueError:
        return
    client_view, library_view = Url(url), urlsplit(url)

    assert target.host == (client_view.host_str or "").strip("[]")
    assert target.port == client_view.port_or_known_default
    assert target.host == _canonical(library_view.hostname or "")
    assert target.port == (library_view.port or 443)


def _canonical(host: str) -> str:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host


@pytest.mark.parametrize("url", ["https://files.example.com/a", "https://93.184.216.34/a"])
def test_any_host_by_https_on_its_usual_port(url: str) -> None:
    """Addresses that are not public are another matter: the resolver refuses them whatever the rule is."""
    assert ANY_HTTPS_HOST.allows(url)
    for other in (("https:", "http:"), ("/a", ":8443/a"), ("https://", "https://user@")):
        assert not ANY_HTTPS_HOST.allows(url.replace(*other))
