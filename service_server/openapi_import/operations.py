"""Chooses the operations to import, and leaves out what no function can be made of and what nobody needs in a form."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from attrs import Factory, field, frozen

from service_server.catalog.problems import nearest
from service_server.catalog.requests import METHODS as FUNCTION_METHODS
from service_server.openapi_import.document import Document, Fault, ImportRefused, Part, refused
from service_server.openapi_import.read import METHODS
from service_server.openapi_import.report import Report
from service_server.openapi_import.texts import words_of
from service_server.openapi_import.verbs import DESTROYING, LOOKING

IN_BRACES: Final = re.compile(r"\{([^{}]*)\}")  # a parameter in a path

# Why nobody needs an operation or a parameter in a form; those are left out, unless all is asked for.
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
    r"(?i)(access[-_]?|refresh[-_]?)?tokens?|authori[sz](e|ation)|revoke([-_]?token)?|introspect(ion)?|keys|certs"
    r"|jwks|userinfo|openid-configuration|oauth-authorization-server"
)
_HEADERS = re.compile(
    r"(?i)if-(none-)?match|if-(un)?modified-since|(if-)?range|accept-\w+|user-agent|cache-control|pragma|prefer|origin"
    r"|referer|x-forwarded-\w+|traceparent|tracestate|baggage|x-b3-\w+|([\w-]+-)?(request|correlation|trace)-?id"
    r"|(x-)?idempotency-?key"
)
_SHOWS = re.compile(
    r"(?i)\$?(fields?|select|expand)(\[.*\])?|(opt)?_fields|(response|include|exclude|return|filter)_?(fields|properties)"
    r"|_?embed|projection|(opt_)?pretty|pretty_?print|human|alt|callback|(opt_)?jsonp"
)
_MOST_SEGMENTS = 2


def _of(found: Callable[["Operation"], Any]) -> Any:
    return field(init=False, eq=False, repr=False, default=Factory(found, takes_self=True))


def _tags(operation: "Operation") -> tuple[str, ...]:
    tags = operation.part.object.get("tags")
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


def _looks(operation: "Operation") -> bool:
    if operation.method != "post":
        return operation.method in ("get", "head")
    last = words_of(operation.last_segment)
    if last and "{" not in operation.last_segment and last[0] in {"search", "query", "find", "lookup", "count"}:
        return True
    words = [word for word in words_of(operation.identifier.rpartition("/")[2]) if word not in ("api", "post")]
    return bool(words) and words[0] in LOOKING - {"read", "fetch", "get", "list"}


def _destroys(operation: "Operation") -> bool:
    words = words_of(operation.identifier.rpartition("/")[2])[:2]
    return operation.method == "delete" or (not operation.looks and not DESTROYING.isdisjoint(words))


@frozen
class Operation:
    """
    One operation: its method (lower case), path, and the parts that describe it. `identifier` is its operationId, which
    is empty where it has none, as its summary is. `place` is its path without what says nothing of the thing there: a
    query, a slash at the end, or `.json`; `nouns` are the segments of it that name things, without parameters. `looks`
    tells that it gets, or searches by POST, `destroys` that it can't be undone, by its method or its name.
    """

    method: str
    path: str
    part: Part
    path_item: Part
    identifier: str = _of(lambda own: own.part.at("operationId").words)
    summary: str = _of(lambda own: own.part.at("summary").words)
    tags: tuple[str, ...] = _of(_tags)
    label: str = _of(lambda own: f"{own.method.upper()} {own.path}")
    place: str = _of(lambda own: re.sub(r"\.(?:json|xml)\Z", "", own.path.partition("?")[0].rstrip("/")))
    last_segment: str = _of(lambda own: own.place.rpartition("/")[2])
    nouns: tuple[str, ...] = _of(lambda own: tuple(each for each in own.place.split("/") if each and "{" not in each))
    ends_with_parameter: bool = _of(lambda own: own.place.endswith("}"))
    looks: bool = _of(_looks)
    destroys: bool = _of(_destroys)


def without_names(path: str) -> str:
    """Return a path without the names of its parameters, which differ from one operation to the next."""
    return IN_BRACES.sub("{}", path.strip("/"))


def choose_operations(document: Document, include: Sequence[str], keeps_all: bool, report: Report) -> list[Operation]:
    """
    Return the operations that are asked for and can be functions; what nobody needs only where that `keeps_all`.

    `include` holds tags and, beginning with a slash, paths, which stand for all below them; empty means everything.
    """
    chosen = _asked_for(document, include, report)
    spared = [] if keeps_all else _unneeded(chosen)
    # What is included by its own path is asked for.
    report.unneeded = [(each.label, rule) for each, rule in spared if each.path not in include]
    labels = dict(report.unneeded)
    kept: list[Operation] = []
    for operation in (each for each in chosen if each.label not in labels):
        known = operation.method in FUNCTION_METHODS
        told = "its path has a '#' or a blank" if known else f"a function makes no {operation.method.upper()} requests"
        if known and not re.search(r"[#\s]", operation.path):
            kept.append(operation)
        else:
            report.operations_left_out.append((operation.label, told))
    if not kept:
        reasons = sorted({reason for _, reason in report.operations_left_out})
        if report.unneeded:
            reasons.append("what is left is nothing that people need (--all imports it)")
        told = f": {'; '.join(reasons)}" if reasons else ""
        raise refused(f"there is no operation to import{told}", "#/paths")
    return kept


def _asked_for(document: Document, include: Sequence[str], report: Report) -> list[Operation]:
    found: list[Operation] = []
    faults: list[Fault] = []
    for path, item in document.root.at("paths").members:
        try:
            if path.startswith("/"):
                item = document.followed(item)
                found += [Operation(method, path, each, item) for method, each in item.members if method in METHODS]
            elif not path.startswith("x-"):
                faults.append(Fault("#/paths", f"the path {path[:200]!r} must begin with a slash"))
        except ImportRefused as error:
            faults.extend(error.faults)
    chosen = [each for each in found if not include or any(_fits(wanted, each) for wanted in include)]
    faults += [_not_there(wanted, found) for wanted in include if not any(_fits(wanted, each) for each in chosen)]
    if faults:
        raise ImportRefused(faults)
    report.not_included = len(found) - len(chosen)
    return chosen


def _fits(wanted: str, operation: Operation) -> bool:
    if not wanted.startswith("/"):
        return wanted.lower() in [tag.lower() for tag in operation.tags]
    return f"{operation.path.rstrip('/')}/".startswith(f"{wanted.rstrip('/')}/")


def _not_there(wanted: str, operations: Sequence[Operation]) -> Fault:
    kind = "path" if wanted.startswith("/") else "tag"
    named = ([each.path] if kind == "path" else each.tags for each in operations)
    known = sorted({name for names in named for name in names})
    hint = nearest(wanted, known) or (f"; tags are {', '.join(known[:20])}" if kind == "tag" else "")
    return Fault("", f"--include {wanted[:200]}: the document has no {kind} of that name{hint}")


def _unneeded(operations: Collection[Operation]) -> Iterator[tuple[Operation, str]]:
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
