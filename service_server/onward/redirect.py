"""Decides whether an answer that points elsewhere is followed, and with which request. Does no I/O."""

from collections.abc import Container
from urllib.parse import urldefrag, urljoin

from attrs import evolve

from service_server.onward.headers import SAFE_METHODS, harmless_headers
from service_server.onward.target import parse_target
from service_server.onward.values import OnwardRequest, OnwardResponse

_KEEPS_METHOD = frozenset({301, 302, 307, 308})
_SEE_OTHER = 303


def following_request(
    request: OnwardRequest, response: OnwardResponse, secret_headers: Container[str]
) -> OnwardRequest | None:
    """
    Make the request that a redirect asks for; None if the answer is to be relayed as it is.

    A request that changes something is never sent again to another URL: after one, only a 303 ("the result is over
    there") is followed, by a GET without the body. Another server gets only harmless headers, and no body. A redirect
    to something that can't be read as a URL, or from https to plain http, is not followed.
    """
    location = response.headers.get("location")
    if not location or not (response.status == _SEE_OTHER or _may_repeat(request, response.status)):
        return None
    try:
        origin = parse_target(request.url)
        url = urldefrag(urljoin(request.url, location)).url
        target = parse_target(url)
    except ValueError:
        return None
    if origin.scheme == "https" and target.scheme == "http":
        return None
    following = evolve(request, url=url)
    if response.status == _SEE_OTHER:
        described = tuple(header for header in request.headers if not header[0].lower().startswith("content-"))
        method = "HEAD" if request.method == "HEAD" else "GET"
        following = evolve(following, method=method, headers=described, body=b"", streamed=None, changing=False)
    if target == origin:
        return following
    return evolve(following, headers=harmless_headers(following.headers, secret_headers), body=b"", streamed=None)


def _may_repeat(request: OnwardRequest, status: int) -> bool:
    return status in _KEEPS_METHOD and request.method in SAFE_METHODS
