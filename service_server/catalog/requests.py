"""Requests of apps as their files write them: a method, a path, a query, headers and a body, filled for each call."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import attrs
from attrs import evolve, frozen

from service_server.catalog.bodies import (
    NO_BODY,
    Body,
    DeclaredContent,
    DeclaredOperation,
    DeclaredPart,
    ListStyle,
    flattened,
    form_body,
    json_body,
    json_bytes,
    multipart_body,
    raw_body,
)
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    InvalidRequest,
    Reference,
    filled,
    members,
    parse_text,
    stringify,
)
from service_server.catalog.format.keys import Headers, Keywords, key
from service_server.onward.target import parse_target
from service_server.onward.values import OnwardRequest, StreamedBody

METHODS: Final = ("get", "head", "post", "put", "patch", "delete")
BODY_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
PATH_CHARACTERS: Final = "/!$&'()*+,;=:@-._~%"
DOTS: Final = re.compile(r"(?:\.|%2e){1,2}\Z", re.IGNORECASE)

_NOT_TEXT = "has characters that can't be sent (lone surrogates)"
_ORIGIN = re.compile(r"https?://[^/]+")
_GIVEN_ADDRESS = re.compile(r"\$\{(?:before|lookup)\.\w+\}")

Target = Annotated[
    str,
    Keywords(
        description="Below the base URL, or a whole https URL (http with a port) on one of the connector's "
        "allow_hosts; each value is one segment. Or an address on one of these hosts that the app gave before, such as "
        "${before.upload_url}.",
        pattern=r"^(/|https://[A-Za-z0-9.-]+(:[0-9]+)?/|http://[A-Za-z0-9.-]+:[0-9]+/|\$\{(before|lookup)\.\w+\}$)",
    ),
]


@frozen(kw_only=True)
class DeclaredList:
    """A list in the query, and how it is written."""

    keywords: ClassVar = Keywords(minProperties=2, maxProperties=2)

    value: str = key("The list.")
    join: Literal[",", " ", "|", ";"] | None = key("What stands between the items in one value.", None)
    lists: ListStyle | None = key(default=None)


@frozen(kw_only=True)
class Request:
    """A method with its path, then query, headers and body."""

    keywords: ClassVar = Keywords(minProperties=1, oneOf=[{"required": [method]} for method in METHODS])

    get: Target | None = key(default=None)
    head: Target | None = key(default=None)
    post: Target | None = key(default=None)
    put: Target | None = key(default=None)
    patch: Target | None = key(default=None)
    delete: Target | None = key(default=None)
    query: Mapping[str, str | float | bool | DeclaredList] = key(
        "Lists are repeated, joined ({value: …, join: ','}) or written with brackets ({value: …, lists: brackets}: "
        "a[]=1; indexes: a[0]=1).",
        {},
    )
    headers: Headers = key("Headers of this request, which replace the app's of the same names.", {})
    body: Annotated[Any, Keywords(type=["object", "string", "array"])] = key(
        "Sent as JSON; '...' spreads an object.", None
    )
    form: Mapping[str, Any] | None = key(
        "Sent as a form: what is inside objects as a[b]=c, lists as form_lists says.", None
    )
    form_lists: ListStyle | None = key("How lists in the form are written (default: repeat).", None)
    multipart: Annotated[Mapping[str, str | float | bool | DeclaredPart], Keywords(minProperties=1)] | None = key(
        "Sent as multipart/form-data: plain values, and files as {file: …, name: …, type: …}.", None
    )
    graphql: DeclaredOperation | None = key(default=None)
    raw: DeclaredContent | None = key(default=None)

    @property
    def method(self) -> str:
        """The key of its method, such as `get`."""
        return next(method for method in METHODS if getattr(self, method) is not None)

    @property
    def target(self) -> str:
        """Where it goes: what stands at the key of its method."""
        target: str = getattr(self, self.method)
        return target

    @property
    def templates(self) -> dict[str, Any]:
        """What can hold expressions, by its keys; the text of a GraphQL operation can't."""
        templates: dict[str, Any] = {self.method: self.target, "query": self.query, "headers": self.headers}
        templates |= {"body": self.body, "form": self.form, "multipart": self.multipart, "raw": self.raw}
        return templates if self.graphql is None else {**templates, "graphql": {"variables": self.graphql.variables}}

    @property
    def origin(self) -> str | None:
        """Where it goes, None for below the app's base URL."""
        match = _ORIGIN.match(self.target)
        return None if match is None else match[0]

    @property
    def path(self) -> str:
        """The path, behind the origin where there is one."""
        return self.target.removeprefix(self.origin or "")

    @property
    def address(self) -> Reference | None:
        """What stands for a whole address that the app gave before, None where the request names a path."""
        parts = parse_text(self.target) if _GIVEN_ADDRESS.fullmatch(self.target) else ()
        return parts[0] if len(parts) == 1 and isinstance(parts[0], Reference) else None

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """Return the request, without credentials; raise `InvalidRequest` where the values don't make one."""
        try:
            return self._build(base_url, context)
        except UnicodeEncodeError as error:
            raise InvalidRequest(None, _NOT_TEXT) from error

    def _build(self, base_url: str, context: Context) -> OnwardRequest:
        address = self.address
        if address is None:
            segments = [_segment(text, context) for text in self.path[1:].split("/")]
            url = "/".join([self.origin or base_url, *segments])
        else:
            url = _given_address(stringify(address.require(context)))
        pairs = [pair for name, value in self.query.items() for pair in _pairs(name, value, context)]
        if pairs:
            url += f"{'&' if '?' in url else '?'}{urlencode(pairs, quote_via=quote)}"
        headers = filled_headers(self.headers, context)
        body, content_type = self._encoded(context)
        streamed = body if isinstance(body, StreamedBody) else None
        if content_type is not None:
            headers = {"content-type": content_type, **headers}
        whole = body if isinstance(body, bytes) else b""
        return OnwardRequest(self.method.upper(), url, tuple(headers.items()), whole, streamed)

    def _encoded(self, context: Context) -> Body:
        if self.multipart is not None:
            return multipart_body(self.multipart, context)
        if self.graphql is not None:
            operation = {"query": self.graphql.query, "variables": filled(self.graphql.variables, context)}
            return json_bytes(operation), "application/json"
        if self.raw is not None:
            return raw_body(self.raw, context)
        if self.form is not None:
            return form_body(filled(self.form, context), self.form_lists or "repeat")
        body = ABSENT if self.body is None else filled(self.body, context)
        return NO_BODY if body is ABSENT else (json_body(body), "application/json")


T = TypeVar("T")


def with_app_headers(value: T, headers: Mapping[str, str]) -> T:
    """Return a value whose requests have an app's headers, too, in place of which each keeps those of its own."""
    if isinstance(value, Request):
        own = {name.lower() for name in value.headers}
        others = {name: text for name, text in headers.items() if name.lower() not in own}
        return evolve(value, headers={**others, **value.headers}) if others else value
    if isinstance(value, tuple):
        return tuple(with_app_headers(each, headers) for each in value)  # type: ignore[return-value]
    declared: Any = type(value)
    if not attrs.has(declared):
        return value
    return cast(T, declared(**{name: with_app_headers(part, headers) for name, part in members(value)}))


def _pairs(name: str, declared: Any, context: Context) -> list[tuple[str, str]]:
    of_list = declared if isinstance(declared, DeclaredList) else None
    value = filled(declared if of_list is None else of_list.value, context)
    if value is ABSENT:
        return []
    if of_list is not None and of_list.join is not None and isinstance(value, list):
        return [(name, of_list.join.join(stringify(item, name) for item in value))] if value else []
    return flattened(name, value, "repeat" if of_list is None else of_list.lists or "repeat")


def check_path(path: str) -> None:
    """Raise ValueError for what is no path such as `/projects/${args.project_id}/labels`."""
    if not path.startswith("/") or re.search(r"[?#\s]", re.sub(r"\$\{[^}]*\}", "", path)):
        raise ValueError("a path starts with '/' and has no query, fragment or blank")
    for segment in path[1:].split("/"):
        is_literal = all(isinstance(part, str) for part in parse_text(segment))
        if is_literal and DOTS.match(quote(segment, safe=PATH_CHARACTERS)):
            raise ValueError("a path has no '.' or '..' segments")


def _segment(text: str, context: Context) -> str:
    """Return a part of a path, percent-encoded; raise `InvalidRequest` where it would be another part, or none."""
    parts = parse_text(text)
    encoded = "".join(_encode_part(part, context) for part in parts)
    field = next((part for part in parts if isinstance(part, Reference)), None)
    if field is not None and (not encoded or DOTS.match(encoded)):
        raise InvalidRequest(field.field, "must not be empty, '.' or '..', because it is a part of the request's path")
    return encoded


def _encode_part(part: str | Reference, context: Context) -> str:
    if isinstance(part, str):
        return quote(part, safe=PATH_CHARACTERS)
    value = part.require(context)
    return "" if value is ABSENT else _quote(stringify(value, part.field), part.field)


def _quote(text: str, field: str | None) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise InvalidRequest(field, _NOT_TEXT) from error


def filled_headers(templates: Mapping[str, str], context: Context) -> dict[str, str]:
    """Return what the templates of headers come to; raise `InvalidRequest` where that is none."""
    return {
        name: header_value(name, stringify(value))
        for name, template in templates.items()
        if (value := filled(template, context)) is not ABSENT
    }


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
    if any(DOTS.match(segment) for segment in path.split("/")):
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
