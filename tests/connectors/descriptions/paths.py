"""Templates of paths, in whatever way a description or client writes their parameters."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Protocol, TypeVar
from urllib.parse import unquote

from tests.connectors.descriptions.sent import Sent

# `${encode(id)}`, `{id}`, `<id>` and `/:id`; OData's `{?query}` names no part of the path.
_QUERY = re.compile(r"\{[?&][^{}]*\}")
_PARAMETER = re.compile(r"\$\{[^{}]*\}|\{[^{}]*\}|<[^<>]*>|(?<=/):\w+")


class Described(Protocol):
    """Anything that has a method and a path in our own form (see `template`)."""

    @property
    def method(self) -> str:
        """The method in capitals."""
        ...

    @property
    def path(self) -> str:
        """The path, its parameters written `{}` or, where they may hold slashes, `{+}`."""
        ...


Operation = TypeVar("Operation", bound=Described)
Document = TypeVar("Document")


def template(path: str) -> str:
    """
    Write a path in our own form: `/users/{}/posts`.

    An expression that joins texts is read too: `"/users/".concat(id,"/posts")`, `'/users/' + id`, `["users",id]`.
    """
    if path[:1] in "\"'[":
        path = _joined(path)
    written = _PARAMETER.sub(_written, _QUERY.sub("", unquote(path)))
    return "/" + written.strip("/")


def find(operations: Iterable[Operation], method: str, path: str) -> tuple[list[Operation], str | None]:
    """
    Return the operations that a path, percent-encoded as it is sent, fits best.

    Else what is wrong: no such path, or not with this method.
    """
    sent = path.rstrip("/") or "/"
    fitting = [
        operation
        for operation in operations
        # Of thousands of expressions only those are compiled that can fit.
        if sent.startswith(operation.path.partition("{")[0]) and _expression(operation.path).fullmatch(sent)
    ]
    if not fitting:
        return [], f"there is no path {path}"
    right = [operation for operation in fitting if operation.method == method]
    if not right:
        return [], f"{path} is for {', '.join(sorted({operation.method for operation in fitting}))}, not for {method}"
    fewest = min(operation.path.count("{") for operation in right)
    return [operation for operation in right if operation.path.count("{") == fewest], None


def held_against(
    base_url: str, operations: Iterable[Operation], request: Sent, faults: Callable[[Operation], Iterable[str]]
) -> Iterator[str]:
    """
    Yield what is wrong with a request: where it goes, or else what `faults` says of the operation that is there.

    Several may share a method and path, such as one for older clients; one of them has to agree.
    """
    path = below(base_url, request.url)
    if path is None:
        yield f"{request.url} isn't below {base_url}"
        return
    found, problem = find(operations, request.method, path)
    if problem is not None:
        yield problem
        return
    yield from min((list(faults(each)) for each in found), key=len)


def located(
    request: Sent, parts: Iterable[tuple[Document, str, Iterable[Operation]]]
) -> tuple[Document, list[Operation], str] | str:
    """
    Return the first document that describes a request, the operations that it fits, and its path; else what is wrong.

    `parts` are documents with an address and the operations below it.
    """
    problem = "no document describes its host"
    for document, base_url, operations in parts:
        path = below(base_url, request.url)
        if path is not None:
            found, unfit = find(operations, request.method, path)
            if unfit is None:
                return document, found, path
            problem = unfit
    return problem


def below(base_url: str, url: str) -> str | None:
    """Return the path of a URL below a base (in which `*` stands for part of a host or one segment), else None."""
    expression = re.escape(base_url.rstrip("/")).replace(r"\*", "[^/]+")
    match = re.match(expression + r"(?=/|\Z)", url)
    return None if match is None else url[match.end() :] or "/"


def _joined(expression: str) -> str:
    between = "/" if expression.startswith("[") else ""
    parts = re.findall(
        r"""(?P<q>["'])(?P<text>[^"']*)(?P=q)|(?P<code>[\w.]+(?:\([\w.]*\))?)""", expression.replace(".concat(", ",")
    )
    return between.join(text if quote else "{}" for quote, text, _ in parts)


def _written(match: re.Match[str]) -> str:
    return "{+}" if match[0].startswith("{+") else "{}"


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in re.split(r"(\{\+?\})", pattern))
    return re.compile("".join({r"\{\}": "[^/]+", r"\{\+\}": ".+"}.get(part, part) for part in parts))
