"""What nobody needs in a form: operations and parameters that are left out, by these rules, unless all is asked for."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from service_server.openapi_import.operations import Operation, without_names

DEPRECATED: Final = "is deprecated"
PAGE_SIZE: Final = "is the size of a page, and lists are read page by page anyway"
_DOUBLE: Final = "does for several at once, or for the connection alone, what another operation does"
_HEALTH: Final = "tells whether the service is up"
_ITSELF: Final = "describes the API itself"
_TOKENS: Final = "gives or checks tokens, which signing in does"
_PROTOCOL: Final = "is a header for caches, tracing and connections"
_PROJECTION: Final = "only chooses what the answer shows, or how it is written"

_VERSION = re.compile(r"v?\d+(\.\d+)*|api|apis|rest", re.IGNORECASE)
_UP = re.compile(r"(lb)?(health|heartbeat)(z|[-_]?checks?)?|ping|pong|livez?|readyz?|alive|liveness|readiness", re.I)
_DESCRIBING = re.compile(r"meta|metadata|versions?|(openapi|swagger)([-_.]\w+)*|api[-_]docs?|api", re.IGNORECASE)
_SEVERAL = re.compile(
    r":?_?(batch|bulk)([-_]?(create|read|get|retrieve|update|modify|change|upsert|delete|destroy|archive))?", re.I
)
_OF_OAUTH = re.compile(r"oauth\d?|openid|openid[-_]connect|oidc|\.well-known", re.IGNORECASE)
_FOR_TOKENS = re.compile(
    r"(access[-_]?|refresh[-_]?)?tokens?|authori[sz]e|authori[sz]ation|revoke([-_]?token)?|introspect(ion)?|keys|certs"
    r"|jwks|userinfo|openid-configuration|oauth-authorization-server",
    re.IGNORECASE,
)
_HEADERS = re.compile(
    r"if-(none-)?match|if-(un)?modified-since|if-range|accept-\w+|user-agent|cache-control|pragma|prefer|range|origin"
    r"|referer|x-forwarded-\w+|traceparent|tracestate|baggage|x-b3-\w+|([\w-]+-)?(request|correlation|trace)-?id"
    r"|(x-)?idempotency-?key",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"\$?(fields?|select|expand)(\[.*\])?|_fields|opt_fields|(response|include|exclude|return|filter)_?(fields|properties)"
    r"|_?embed|projection|(opt_)?pretty|pretty_?print|prettyprint|human|alt|callback|jsonp|opt_jsonp",
    re.IGNORECASE,
)
_MOST_SEGMENTS = 2


def unneeded_operations(operations: Collection[Operation]) -> Iterator[tuple[Operation, str]]:
    """Yield the operations that people don't need, each with the rule it falls under."""
    gets = {each.place for each in operations if each.method == "get"}
    shapes = {without_names(each.place) for each in operations}
    things = {each.place.rpartition("/{")[0] for each in operations if each.ends_with_parameter}
    things |= {each.place for each in operations if each.method not in ("get", "head", "options")}
    for operation in operations:
        segments = operation.place.strip("/").split("/")
        named = [each for each in segments if each and not _VERSION.fullmatch(each)]
        is_get = operation.method in ("get", "head")
        looks = is_get and "{" not in operation.path and operation.place not in things and len(named) <= _MOST_SEGMENTS
        last = named[-1].strip("_") if named else ""
        is_double = operation.method in ("options", "trace") or (operation.method == "head" and operation.place in gets)
        if operation.part.object.get("deprecated") is True:
            yield operation, DEPRECATED
        elif is_double or (not is_get and _does_several(segments, shapes)):
            yield operation, _DOUBLE
        elif looks and _UP.fullmatch(last):
            yield operation, _HEALTH
        elif looks and (not named or (len(named) == 1 and _DESCRIBING.fullmatch(last))):
            yield operation, _ITSELF
        elif _FOR_TOKENS.fullmatch(last) and any(map(_OF_OAUTH.fullmatch, named[:-1])):
            yield operation, _TOKENS


def unneeded_parameter(location: str, name: str, is_deprecated: bool) -> str | None:
    """Return the rule that an optional parameter falls under, None where people may need it."""
    if is_deprecated:
        return DEPRECATED
    if location == "header" and _HEADERS.fullmatch(name):
        return _PROTOCOL
    return _PROJECTION if location == "query" and _SHOWS.fullmatch(name) else None


def _does_several(segments: list[str], shapes: Collection[str]) -> bool:
    """Whether a path ends in doing to many things what another operation, at the path before, does to one."""
    for index, segment in enumerate(segments):
        before, colon, last = segment.rpartition(":")
        if _SEVERAL.fullmatch(last) and index + 2 >= len(segments):
            above = [*segments[:index], *([before] if colon else [])]
            says_nothing = all(map(_VERSION.fullmatch, above))
            return says_nothing or without_names("/".join(above)) in shapes
    return False
