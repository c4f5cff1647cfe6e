"""Checks the parts of a request that become lines on the wire."""

import re
from collections.abc import Container, Iterable

from service_server.onward.values import InvalidRequest, OnwardRequest

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})  # they ask for no change, so they may be sent twice

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*\Z")
_METHOD = re.compile(r"[A-Z]{1,20}\Z")
_REFUSED_METHODS = frozenset({"CONNECT", "TRACE"})
# They say how the message is framed or where it goes, which only the sender decides.
_FRAMING = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_HARMLESS = frozenset({"accept", "accept-language", "cache-control", "user-agent"})


def check_request(request: OnwardRequest) -> None:
    """Refuse (InvalidRequest) a method or header that could mean something else on the wire than it seems to."""
    if not _METHOD.match(request.method) or request.method in _REFUSED_METHODS:
        raise InvalidRequest("the request method is not allowed")
    for name, value in request.headers:
        if not _TOKEN.match(name):
            raise InvalidRequest("a header name holds characters that headers can't have")
        if name.lower() in _FRAMING:
            raise InvalidRequest(f"the header {name!r} is set by the service itself")
        if not _VALUE.match(value):
            raise InvalidRequest(f"the value of the header {name!r} holds line breaks or control characters")


def harmless_headers(headers: Iterable[tuple[str, str]], secret_headers: Container[str]) -> tuple[tuple[str, str], ...]:
    """
    Pick the headers that may go to another server than the one they were written for.

    Only well-known ones pass, so a credential in a header with a name of its own stays behind even if nobody listed it
    in `secret_headers` (lower-case names).
    """
    return tuple(
        (name, value) for name, value in headers if name.lower() in _HARMLESS and name.lower() not in secret_headers
    )
