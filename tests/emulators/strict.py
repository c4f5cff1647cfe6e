"""
What emulators that we write are made of: routes that take what the vendor describes, and refuse anything else.

An emulator knows its vendor's paths, methods, names and types from what the vendor publishes, not from a connector.
"""

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from attrs import field, frozen

from tests.service_server.http_app import Answering, answering

Headers = Mapping[str, str]
# Says what is wrong with a value at a place, in one text each; nothing where it is right.
Shape = Callable[[str, Any], Iterator[str]]


class RefusedError(Exception):
    """A request that the vendor refuses, with what it answers."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status, body)
        self.status = status
        self.body = body


@frozen
class Asked:
    """A request: what stood in the places of its path, its query by names, its headers (lower case) and its body."""

    at: Mapping[str, str]
    query: Mapping[str, list[str]]
    headers: Headers
    body: Any

    def one(self, name: str, default: str = "") -> str:
        """Return the one value of a name in the query."""
        return self.query.get(name, [default])[-1]

    def every(self, name: str) -> list[str]:
        """Return the values of a name, which may be given again and again or with commas between them."""
        return [each for value in self.query.get(name, []) for each in value.split(",")]


@frozen
class Answer:
    """What is answered; no body where that is None."""

    body: Any = None
    status: int = 200
    headers: Headers = field(factory=dict)


@frozen
class Route:
    """One method of one path (`/a/{id}`): the names its query may have, the shape of its body, and what it does."""

    method: str
    path: str
    do: Callable[[Asked], Answer]
    query: Mapping[str, Shape] = field(factory=dict)
    body: Shape | None = None
    headers: Headers = field(factory=dict)

    def match(self, path: str) -> dict[str, str] | None:
        """Return what stands in the places of a path, decoded; None where it is another path."""
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.path))
        found = re.fullmatch(pattern, path)
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}

    def problems(self, asked: Asked, has_body: bool) -> Iterator[str]:
        """Say what is wrong with a request."""
        for name, values in asked.query.items():
            shape = self.query.get(name)
            if shape is None:
                yield f"the query has no {name}"
            else:
                for value in values:
                    yield from shape(name, value)
        for name, wanted in self.headers.items():
            if asked.headers.get(name) != wanted:
                yield f"the header {name} has to be {wanted}"
        if self.body is None:
            if has_body:
                yield "nothing is taken in the body"
        elif asked.headers.get("content-type", "").partition(";")[0] != "application/json":
            yield "the body has to be JSON"
        else:
            yield from self.body("body", asked.body)


class Emulator(Protocol):
    """An app that can be served."""

    def routes(self) -> Sequence[Route]:
        """All that can be asked for."""

    def admit(self, headers: Headers) -> None:
        """Raise `RefusedError` for whom the app doesn't know."""

    def refusal(self, status: int, problems: Sequence[str]) -> Any:
        """What the app answers to a request that it doesn't take."""


def answer(app: Emulator, method: str, target: str, headers: Headers, content: bytes) -> Answer:
    """Answer one request."""
    url = urlsplit(target)
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(url.query, keep_blank_values=True):
        query.setdefault(name, []).append(value)
    try:
        app.admit(headers)
        there = [(route, found) for route in app.routes() if (found := route.match(url.path)) is not None]
        fitting = [each for each in there if each[0].method == method]
        if not fitting:
            status = 405 if there else 404
            raise RefusedError(status, app.refusal(status, [f"there is no {method} {url.path}"]))
        route, at = fitting[0]
        asked = Asked(at, query, headers, json.loads(content) if content else None)
        problems = list(route.problems(asked, bool(content)))
        if problems:
            raise RefusedError(400, app.refusal(400, problems))
        return route.do(asked)
    except RefusedError as refused:
        return Answer(refused.body, refused.status)


@contextlib.contextmanager
def served(app: Emulator) -> Iterator[str]:
    """Run an emulator on a free loopback port; its address."""
    lock = threading.Lock()

    class Handler(Answering):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            content = self.content()
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                made = answer(app, self.command, self.path, headers, content)
            if made.body is None:
                self.answer(made.status, b"", made.headers)
            else:
                text = json.dumps(made.body).encode()
                self.answer(made.status, text, {**made.headers, "Content-Type": "application/json"})

        do_PUT = do_PATCH = do_DELETE = Answering.do_GET  # noqa: N815

    with answering(Handler) as url:
        yield url
