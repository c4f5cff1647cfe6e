"""What goes out to a third-party app, what comes back, and the three ways to get no whole answer."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from service_server.onward.target import Target, canonical_host, parse_target


def _without_query(url: str) -> str:
    # Some apps take their credential in the query.
    return repr(url.partition("?")[0])


@frozen
class StreamedBody:
    """
    A body that is never whole in memory: its `length` in bytes, and what yields it from its beginning.

    `chunks` may be called again if the request is sent again.
    """

    length: int
    chunks: Callable[[], AsyncIterator[bytes]] = field(repr=False, eq=False)


@frozen
class OnwardRequest:
    """
    A request to a third-party app. The URL is absolute, http or https, and percent-encoded already.

    Its body is `body`, or what is `streamed`. One that changes something in the app although its method says otherwise
    is marked as `changing`.
    """

    method: str
    url: str = field(repr=_without_query)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)
    streamed: StreamedBody | None = None
    changing: bool = False


@frozen
class OnwardResponse:
    """
    A whole answer of a third-party app, decompressed.

    Header names are in lower case, repeated ones joined with ", ". `url` is where the answer came from: another URL
    than was asked for if redirects were followed. `poured` is what a `Pour` made of the body, which is empty then.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    url: str = field(repr=_without_query)
    poured: Any = None


Pour: TypeAlias = Callable[[OnwardResponse, AsyncIterator[bytes]], Awaitable[Any]]
"""
Takes the body of a 2xx answer chunk by chunk, in place of having it read into memory.

It gets the answer without its body, and may raise `Interrupted`.
"""


Interruption: TypeAlias = Literal["timed_out", "broken_off", "too_large"]


@frozen
class Unsent:
    """
    Nothing of the request left this machine.

    `unreachable`: looking up the name, connecting or TLS failed, but may work later. `invalid`: the request can never
    be sent. `not_allowed`: it leads outside the app's hosts, or to an address that is not public.
    """

    kind: Literal["unreachable", "invalid", "not_allowed"]
    reason: str


@frozen
class Unanswered:
    """The request was sent, or may have been, but no whole answer came: whatever it asks for may have happened."""

    kind: Interruption
    reason: str


Outcome: TypeAlias = Unsent | Unanswered | OnwardResponse
"""What came of sending a request. All but `Unsent` says that it was sent, which nothing later can take back."""


class NotSent(Exception):
    """Nothing of the request left this machine: looking up the name, connecting or TLS failed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidRequest(NotSent):
    """The request itself can't be sent: a bad method, header name or header value. Trying again won't help."""


class HostNotAllowed(Exception):
    """The URL, or a redirect, leads to a host outside the app's hosts or to an address that is not public."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Interrupted(Exception):
    """The request was sent, or may have been, but no whole answer came: whatever it asks for may have happened."""

    def __init__(self, kind: Interruption, reason: str) -> None:
        super().__init__(reason)
        self.kind: Interruption = kind
        self.reason = reason


_PATTERN = re.compile(r"(?P<wildcard>\*\.)?(?P<host>\[[^\]]*\]|[^:\[\]*]+)(?::(?P<port>[0-9]{1,5}))?\Z")


@frozen
class HostPattern:
    """One allowed host, or with `wildcard` every host below it (but not itself)."""

    host: str
    port: int | None
    wildcard: bool

    @classmethod
    def parse(cls, text: str) -> "HostPattern":
        """Read `HOST[:PORT]` or `*.HOST[:PORT]`, an IPv6 address in brackets. Raise ValueError for anything else."""
        match = _PATTERN.match(text)
        if match is None:
            raise ValueError(f"not a host, HOST:PORT or *.HOST: {text!r}")
        host, port, wildcard = canonical_host(match["host"]), match["port"], match["wildcard"] is not None
        if port is not None and not 0 < int(port) < 65_536:
            raise ValueError(f"the port is out of range: {text!r}")
        if wildcard and ("." not in host or host.replace(".", "").isdigit() or ":" in host):
            raise ValueError(f"a wildcard needs a domain of at least two parts behind it: {text!r}")
        return cls(host, None if port is None else int(port), wildcard)

    def names(self, host: str) -> bool:
        """Whether the pattern covers a host, leaving the port aside."""
        return host.endswith(f".{self.host}") if self.wildcard else host == self.host


_APP = re.compile(r"[a-z][a-z0-9_]*\Z")


@frozen
class AllowedHost:
    """A host that the operator lets requests reach though its address is not public; without `app`, for every app."""

    app: str | None
    pattern: HostPattern

    @classmethod
    def parse(cls, text: str) -> "AllowedHost":
        """Read `[APP=]HOST[:PORT]`. Raise ValueError for anything else."""
        app, equals, pattern = text.rpartition("=")
        if equals and not _APP.match(app):
            raise ValueError(f"not the name of an app: {app!r}")
        return cls(app if equals else None, HostPattern.parse(pattern))

    def covers(self, target: Target, app: str) -> bool:
        """Whether requests for an app may go to a server even if its address is not public."""
        pattern = self.pattern
        return self.app in (None, app) and pattern.names(target.host) and pattern.port in (None, target.port)


@frozen
class HostRules:
    """
    The hosts an app's requests may go to: `api.example.com`, `*.example.com`, each with an optional `:port`.

    A pattern without a port stands for https on its usual port, so that credentials never travel in the clear by
    accident; one that names a port allows http and https there (`legacy.example.com:80`).
    """

    patterns: tuple[str, ...]
    _parsed: tuple[HostPattern, ...] = field(init=False, repr=False, eq=False)

    @_parsed.default
    def _parse(self) -> tuple[HostPattern, ...]:
        return tuple(HostPattern.parse(pattern) for pattern in self.patterns)

    def allows(self, url: str) -> bool:
        """Whether a URL leads to one of the hosts; a URL that could be read in two ways never does."""
        try:
            target = parse_target(url)
        except ValueError:
            return False
        return self.allows_target(target)

    def allows_target(self, target: Target) -> bool:
        """Whether a URL that was read already leads to one of the hosts."""
        return any(pattern.names(target.host) and _port_allowed(pattern, target) for pattern in self._parsed)


class _AnyHttpsHost(HostRules):
    """Every host by https on its usual port; as always, its addresses have to be public."""

    def allows_target(self, target: Target) -> bool:
        """Whether it is https on the usual port."""
        return target.scheme == "https" and target.uses_default_port


ANY_HTTPS_HOST = _AnyHttpsHost(())
"""For files that somebody gives by an address: to be sent without credentials and on no app's behalf."""


def _port_allowed(pattern: HostPattern, target: Target) -> bool:
    if pattern.port is None:
        return target.scheme == "https" and target.uses_default_port
    return pattern.port == target.port
