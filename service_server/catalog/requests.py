"""Templates of onward requests: a method, a path, a query, headers and a body, filled from a call's values."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from attrs import evolve, field, frozen

from service_server.catalog.bodies import BodyTemplate, ListStyle, flattened, json_bytes
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    Evaluate,
    InvalidRequest,
    Reference,
    parse_text,
    stringify,
)
from service_server.onward.target import parse_target
from service_server.onward.values import OnwardRequest, StreamedBody

BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_NOT_TEXT = "has characters that can't be sent (lone surrogates)"

_DOTS = re.compile(r"(?:\.|%2e){1,2}\Z", re.IGNORECASE)
_PATH_CHARACTERS = "/!$&'()*+,;=:@-._~%"
_QUERY_CHARACTERS = _PATH_CHARACTERS + "?[]"


@frozen(kw_only=True)
class RequestTemplate:
    """
    One request of an app's API.

    `origin` is where it goes, None for below the app's base URL; `address` stands for a whole address that the app
    gave, in place of both. `segments` are the parts of the path, each a function
    that returns it percent-encoded; `joins` names the query parameters whose lists are sent as one value, and what
    stands between the items; `lists` how the others' are written (by default repeated).
    """

    method: str
    segments: tuple[Callable[[Context], str], ...] = field(repr=False)
    origin: str | None = None
    address: Reference | None = None
    query: Mapping[str, Evaluate] = field(factory=dict, repr=False)
    joins: Mapping[str, str] = field(factory=dict)
    headers: Mapping[str, Evaluate] = field(factory=dict, repr=False)
    lists: Mapping[str, ListStyle] = field(factory=dict)
    body: BodyTemplate | None = field(default=None, repr=False)

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """
        Return the request, without credentials.

        Raises:
            InvalidRequest: a value is missing, would leave its path segment or would break out of its header.
        """
        try:
            return self._build(base_url, context)
        except UnicodeEncodeError as error:
            raise InvalidRequest(None, _NOT_TEXT) from error

    def _build(self, base_url: str, context: Context) -> OnwardRequest:
        if self.address is None:
            url = (self.origin or base_url) + "".join(f"/{segment(context)}" for segment in self.segments)
        else:
            url = _given_address(stringify(self.address.require(context)))
        pairs = [pair for name, evaluate in self.query.items() for pair in self._pairs(name, evaluate(context))]
        if pairs:
            url += f"{'&' if '?' in url else '?'}{urlencode(pairs, quote_via=quote)}"
        headers = {
            name: header_value(name, stringify(value))
            for name, evaluate in self.headers.items()
            if (value := evaluate(context)) is not ABSENT
        }
        body, content_type = (b"", None) if self.body is None else self.body.encode(context)
        streamed = body if isinstance(body, StreamedBody) else None
        if content_type is not None:
            headers = {"content-type": content_type, **headers}
        whole = body if isinstance(body, bytes) else b""
        return OnwardRequest(self.method, url, tuple(headers.items()), whole, streamed)

    def _pairs(self, name: str, value: Any) -> list[tuple[str, str]]:
        if value is ABSENT:
            return []
        if name in self.joins and isinstance(value, list):
            return [(name, self.joins[name].join(stringify(item, name) for item in value))] if value else []
        return flattened(name, value, self.lists.get(name, "repeat"))


@frozen(kw_only=True)
class PassthroughTemplate:
    """The free-form request of an app: method, URL and JSON body are the caller's."""

    methods: frozenset[str]

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """
        Return the request, without credentials; a URL without a scheme is taken as a path below the base URL.

        The caller checks the URL's host against the app's host rules.
        """
        arguments = context["args"]
        method, url, body = arguments["method"], arguments["url"], arguments.get("body")
        if method not in self.methods:
            raise InvalidRequest("method", f"must be one of {', '.join(sorted(self.methods))}")
        if body is None:
            return OnwardRequest(method, _passthrough_url(base_url, url))
        if method not in BODY_METHODS:
            raise InvalidRequest("body", f"a {method} request has no body; put its values into the query of the url")
        headers = (("content-type", "application/json"),)
        return OnwardRequest(method, _passthrough_url(base_url, url), headers, json_bytes(body))


def compile_path(path: str) -> tuple[Callable[[Context], str], ...]:
    """Compile a path such as `/projects/${args.project_id}/labels` to its segments; raise ValueError for others."""
    if not path.startswith("/") or re.search(r"[?#\s]", re.sub(r"\$\{[^}]*\}", "", path)):
        raise ValueError("a path starts with '/' and has no query, fragment or blank")
    return tuple(_compile_segment(segment) for segment in path[1:].split("/"))


def _compile_segment(text: str) -> Callable[[Context], str]:
    parts = parse_text(text)
    literal = quote("".join(part for part in parts if isinstance(part, str)), safe=_PATH_CHARACTERS)
    if all(isinstance(part, str) for part in parts):
        if _DOTS.match(literal):
            raise ValueError("a path has no '.' or '..' segments")
        return lambda _: literal
    fields = [part.field for part in parts if isinstance(part, Reference)]

    def segment(context: Context) -> str:
        encoded = "".join(_encode_part(part, context) for part in parts)
        if not encoded or _DOTS.match(encoded):
            raise InvalidRequest(
                fields[0], "must not be empty, '.' or '..', because it is a part of the request's path"
            )
        return encoded

    return segment


def _encode_part(part: str | Reference, context: Context) -> str:
    if isinstance(part, str):
        return quote(part, safe=_PATH_CHARACTERS)
    value = part.require(context)
    return "" if value is ABSENT else _quote(stringify(value, part.field), part.field)


def _quote(text: str, field: str | None) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise InvalidRequest(field, _NOT_TEXT) from error


def header_value(name: str, value: str) -> str:
    """Return the value of a header, or raise `InvalidRequest` where it would end the header or is not plain text."""
    if not value.isascii() or not all(character == "\t" or 32 <= ord(character) < 127 for character in value):
        raise InvalidRequest(None, f"the header {name} can only hold printable ASCII")
    return value


def with_headers(request: OnwardRequest, headers: Mapping[str, str]) -> OnwardRequest:
    """Return the request with these headers in place of any of the same names."""
    if not headers:
        return request
    names = {name.lower() for name in headers}
    kept = [(name, value) for name, value in request.headers if name.lower() not in names]
    return evolve(request, headers=(*kept, *headers.items()))


def with_query(request: OnwardRequest, query: Mapping[str, str]) -> OnwardRequest:
    """Return the request with these query parameters in place of any of the same names; others stay as they are."""
    if not query:
        return request
    scheme, host, path, old, _ = urlsplit(request.url)
    kept = [pair for pair in old.split("&") if pair and pair.partition("=")[0] not in {quote(name) for name in query}]
    added = [f"{quote(name)}={_quote(value, None)}" for name, value in query.items()]
    return evolve(request, url=urlunsplit((scheme, host, path, "&".join([*kept, *added]), "")))


@lru_cache(maxsize=1024)
def check_base_url(url: str) -> str:
    """Return an address without a slash at its end, or raise ValueError where it is not a plain http(s) one."""
    parse_target(url)
    _, _, path, query, fragment = urlsplit(url)
    if query or fragment or "?" in url or "#" in url:
        raise ValueError("the URL must not have a query or a fragment")
    if any(_DOTS.match(segment) for segment in path.split("/")):
        raise ValueError("the URL's path must not have '.' or '..' segments")
    return url.rstrip("/")


@lru_cache(maxsize=1024)
def own_host(base_url: str) -> str:
    """Return the host rule of a base URL: its host, with the port unless it is https on its usual one."""
    target = parse_target(base_url)
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.scheme == "https" and target.uses_default_port else f"{host}:{target.port}"


def _given_address(url: str) -> str:
    """Return an address that an app gave, or raise `InvalidRequest` where it is none."""
    try:
        parse_target(url)
    except ValueError:
        raise InvalidRequest(None, "the app gave no address where one was expected") from None
    return url.partition("#")[0]


def _passthrough_url(base_url: str, url: str) -> str:
    if "\\" in url or not url.isprintable() or url != url.strip():
        raise InvalidRequest("url", "has characters that a URL can't hold")
    absolute = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url) is not None
    if not absolute and url.startswith("//"):
        raise InvalidRequest("url", "must be a whole URL or a path such as /items")
    try:
        whole = url if absolute else f"{base_url}/{url.removeprefix('/')}"
        scheme, host, path, query, _ = urlsplit(whole)
        encoded = (quote(path, safe=_PATH_CHARACTERS), quote(query, safe=_QUERY_CHARACTERS))
    except ValueError as error:
        raise InvalidRequest("url", "is not a URL") from error
    if any(_DOTS.match(segment) for segment in path.split("/")):
        raise InvalidRequest("url", "must not have '.' or '..' in its path")
    return urlunsplit((scheme, host, *encoded, ""))
