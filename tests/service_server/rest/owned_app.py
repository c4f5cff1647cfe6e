"""A third-party app that says whose key it was shown, and the service with many applications and users beside it."""

import contextlib
import itertools
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from attrs import evolve, frozen

from tests.service_server.catalog.connector_folder import BY_API_KEY, ConnectorFolder, known_at
from tests.service_server.connecting import given_values
from tests.service_server.function_files import mutation, query
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, create_application, http, service

ORIGIN = "https://{}.example"


@frozen
class Principal:
    """One user of one application."""

    application: str
    user_id: str


@frozen
class World:
    """The service, its applications (name → key and secret), and a client for all of them."""

    running: RunningService
    applications: dict[str, dict[str, str]]
    client: httpx.Client

    def headers(self, principal: Principal) -> dict[str, str]:
        """The three headers of a principal."""
        made = self.applications[principal.application]
        theirs = evolve(self.running, app_key=made["app_key"], app_secret=made["app_secret"])
        return theirs.headers(principal.user_id)

    def ask(self, principal: Principal, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer to a request that is signed for a principal; `options` are httpx's."""
        headers = {**self.headers(principal), **options.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **options)

    def fill_in(self, url: str, owner: str) -> str:
        """Connect with the key of an owner in a browser of its own; where it was sent on to, in redirect mode."""
        with http(self.running.url) as browser:
            page = browser.get(url)
            form = given_values(page.text)
            answer = browser.post(urlsplit(url).path, data={**form, "field.api_key": f"key of {owner}"})
            assert answer.status_code in (200, 303), answer.text
            return f"{answer.headers.get('location', '')}{unescape(answer.text)}"


def code_in(answer: str) -> str:
    """The redemption code in the address that the browser is sent on to."""
    found = re.search(r"[?&]code=([\w-]+)", answer)
    assert found is not None, answer
    return found[1]


@contextlib.contextmanager
def world(folder: Path, *applications: str) -> Iterator[World]:
    """Run the app and the service."""
    numbers = itertools.count()

    class Handler(Answering):
        def respond(self) -> None:
            self.content()
            owner = self.headers.get("X-Api-Key", "").replace("key of ", "")
            page = int(parse_qs(urlsplit(self.path).query).get("page", ["1"])[0])
            answer: dict[str, object] = {"id": owner, "name": owner}
            if not self.path.startswith("/me"):
                answer = {"items": [{"owner": owner, "page": page, "number": next(numbers)}], "more": page < 3}
            self.answer(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    with answering(Handler) as url:
        _write_connector(folder / "connectors", url)
        made = {name: create_application(folder / "data", name, ORIGIN.format(name.lower())) for name in applications}
        options = ["--connectors", str(folder / "connectors"), "--allow-host", url.removeprefix("http://")]
        started = service(folder / "data", *options, application=made[applications[0]])
        with started as running, http(running.url) as client:
            yield World(running, made, client)


def _write_connector(folder: Path, url: str) -> None:
    pages = {"type": "page", "send": "query.page", "first": 1, "more": "body.more"}
    connector = known_at(url, BY_API_KEY, name="owned", pagination={"pages": pages})
    functions = {f"read-{number:02}": query({"get": "/things"}) for number in range(60)}  # more than a page of the list
    functions["things"] = query({"get": "/things"}, paginate="pages", output="items")
    functions["change"] = mutation({"post": "/change"})
    ConnectorFolder(connector, functions).write(folder, "owned")
