"""An app that answers what a test has written down and records what it was sent, in the place of twenty vendors."""

from __future__ import annotations  # at run time Message takes no parameters before Python 3.13

import contextlib
import json
from collections.abc import Iterator, Mapping
from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from attrs import define, field, frozen

from tests.service_server.http_app import Answering, answering

# What an app answers to a request, by its method and path. `{"by": …}` has answers by a text in the query or the body.
Answers = Mapping[str, Any]


@frozen
class Received:
    """A request: its path without the app's prefix, its query (the last value of each name), and its body as read."""

    method: str
    path: str
    query: dict[str, str]
    body: Any

    @property
    def name(self) -> str:
        """What answers are found by."""
        return f"{self.method} {self.path}"


@define
class Recorder:
    """The app; `url` is where each of its apps stands below its name."""

    url: str = ""
    answers: dict[str, Answers] = field(factory=dict)
    received: list[tuple[str, Received]] = field(factory=list)
    unknown: list[str] = field(factory=list)

    def forget(self) -> None:
        """Forget what was received."""
        self.received.clear()
        self.unknown.clear()

    def sent(self, app: str, name: str) -> list[Received]:
        """The requests to an app by their method and path, in the order in which they came."""
        return [each for to, each in self.received if to == app and each.name == name]

    def answer(self, app: str, request: Received) -> tuple[int, Any]:
        """Record a request and answer it; one that no test has written down is none."""
        self.received.append((app, request))
        known = self.answers.get(app, {}).get(request.name)
        if known is None:
            self.unknown.append(request.name)
            return 404, {"error": f"nobody wrote down what {app} answers to {request.name}"}
        if isinstance(known, dict) and set(known) == {"by"}:
            asked = json.dumps([request.query, request.body])
            known = next(each for text, each in known["by"].items() if text in asked or text == "otherwise")
        return 200, known


@contextlib.contextmanager
def recorder() -> Iterator[Recorder]:
    """Run it on a free loopback port."""
    app = Recorder()

    class Handler(Answering):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            target = urlsplit(self.path)
            name, _, path = target.path.removeprefix("/").partition("/")
            query = {key: values[-1] for key, values in parse_qs(target.query).items()}
            body = _read(self.content(), self.headers["Content-Type"])
            status, answer = app.answer(name, Received(self.command, unquote(f"/{path}"), query, body))
            self.answer(status, json.dumps(answer).encode(), {"Content-Type": "application/json"})

        do_PUT = do_PATCH = do_DELETE = Answering.do_GET  # noqa: N815

    with answering(Handler) as app.url:
        yield app


def _read(content: bytes, media_type: str | None) -> Any:
    if not content:
        return None
    if media_type is not None and media_type.startswith("application/x-www-form-urlencoded"):
        return {name: values[-1] for name, values in parse_qs(content.decode()).items()}
    if media_type is not None and media_type.startswith("application/json"):
        return json.loads(content)
    if media_type == "message/rfc822":
        mail = message_from_bytes(content)
        text = mail.get_payload(decode=True)
        assert isinstance(text, bytes)
        return {**{name: mail[name] for name in ("To", "From", "Subject")}, "text": text.decode().strip()}
    return content.decode()
