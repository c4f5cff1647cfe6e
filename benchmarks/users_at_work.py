"""
Users of a service who go on calling the sandbox app, each with an account of their own, and know what they asked for.

Every ticket's title names its user, so that an answer that was meant for another one is seen.
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from attrs import Factory, define, frozen

from benchmarks.watched_app import WatchedApp, watched_app
from benchmarks.whole_service import NO_LIMITS
from tests.examples.processes import CLIENT_ID, CLIENT_SECRET
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import dictionaries, note_database
from tests.service_server.processes import RunningService, configure_app, create_application, service

# Users whose every try fails at once would take the processor from the service that is being started.
AWAY_SECONDS = 0.2
_MARKS = re.compile(r"\bof-(\w+)-")
_CREATE = "/functions/sandbox-create-ticket"


@frozen
class User:
    """A user of the application; `login` is the person in the app whose account is connected, by sign-in or by key."""

    name: str
    login: str
    by_key: bool

    def ticket(self) -> dict[str, Any]:
        """The arguments for a ticket that nobody else makes."""
        place: dict[str, Any] = {"project_id": "office"}
        if self.login == "bob":
            place = {"project_id": "research", "fields": {"hypothesis": "It is lost"}}
        return {"title": f"of-{self.name}-{random.randbytes(8).hex()}", **place}

    @property
    def projects(self) -> set[str]:
        """Names of projects that the app shows this user, and nobody of another login."""
        return {"Office", "Website"} if self.login == "alice" else {"Research", "Hardware"}


USERS = (
    User("first", "alice", by_key=False),
    User("second", "alice", by_key=True),
    User("third", "bob", by_key=False),
    User("fourth", "bob", by_key=True),
)


@frozen
class Place:
    """A data directory, the port of the service on it, and the app beside it; the service comes and goes."""

    folder: Path
    port: int
    application: dict[str, str]
    app: WatchedApp

    @contextlib.contextmanager
    def start(self, program: Sequence[str | Path], env: Mapping[str, str]) -> Iterator[RunningService]:
        """Run the service."""
        variables = {**NO_LIMITS, **env}
        options = ("--allow-host", self.app.address)
        with service(
            self.folder, *options, port=self.port, application=self.application, env=variables, program=program
        ) as running:
            yield running

    def configure(self) -> None:
        """Set the app up, whatever somebody has made of that meanwhile."""
        variables = {"base_url": f"http://{self.app.address}"}
        configure_app(self.folder, "sandbox", client_id=CLIENT_ID, client_secret=CLIENT_SECRET, variables=variables)

    def connect(self, running: RunningService, users: Sequence[User]) -> None:
        """Give each user an account."""
        for user in users:
            if user.by_key:
                connect_by_key(running, user.name, self.app.api_keys[user.login])
            else:
                connect_by_sign_in(running, self.app, user.name, user.login)

    def log(self) -> dict[str, list[tuple[str, str | None]]]:
        """The outcomes and network codes that the log has for a ticket, by the ticket's title."""
        found = defaultdict(list)
        rows = "SELECT arguments, outcome, network_code FROM calls WHERE function_name = 'sandbox-create-ticket'"
        for row in dictionaries(self.folder, rows):
            found[json.loads(row["arguments"])["title"]].append((row["outcome"], row["network_code"]))
        return found


@contextlib.contextmanager
def place(folder: Path, database_url: str, app_host: str = "127.0.0.1") -> Iterator[Place]:
    """Everything set up on a database, the service not yet started; `app_host` is what it knows the app's host as."""
    note_database(folder, database_url)
    port = free_port()
    application = create_application(folder, "Users at work")
    with watched_app(f"http://127.0.0.1:{port}/oauth/callback", app_host) as app:
        here = Place(folder, port, application, app)
        here.configure()
        yield here


@define
class Work:
    """What users ask of a service, and what becomes of it."""

    http: httpx.AsyncClient
    running: RunningService
    users: Sequence[User] = USERS
    counts: Counter[str] = Factory(Counter)
    acknowledged: dict[str, int] = Factory(dict)
    "The titles of the tickets that the service says were made, with the ids that the app gave them."
    unsure: dict[str, tuple[User, dict[str, Any]]] = Factory(dict)
    "The arguments of the calls of which nobody said that the ticket was made, by key."
    kinds_of_refusal: Counter[str] = Factory(Counter)
    wrong_user: list[str] = Factory(list)

    async def call(
        self, user: User, path: str, body: dict[str, Any] | None = None, **headers: str
    ) -> httpx.Response | None:
        """
        Call a function as a user, or without a body get something; None where it was not answered with 200.

        Counts what came, and looks for what is others'.
        """
        self.counts["sent"] += 1
        own = {**self.running.headers(user.name), **headers}
        try:
            answer = await self.http.request("GET" if body is None else "POST", path, json=body, headers=own)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            self.counts["not_reached"] += 1
            await asyncio.sleep(AWAY_SECONDS)
            return None
        except httpx.TransportError:
            self.counts["cut_off"] += 1
            return None
        if set(_MARKS.findall(answer.text)) - {user.name}:
            self.wrong_user.append(answer.headers.get("request-id", ""))
        if answer.status_code == 200:
            return answer
        code = _code_of(answer)
        self.counts["refused" if code else "unclear"] += 1
        self.kinds_of_refusal[f"{answer.status_code} {code}"] += 1
        return None

    async def create(self, user: User, ticket: dict[str, Any] | None = None) -> bool:
        """Make a ticket, or ask again for one that may have been made; whether it was acknowledged."""
        ticket = ticket or user.ticket()
        title = ticket["title"]
        self.unsure[title] = (user, ticket)
        answer = await self.call(user, _CREATE, ticket, **{"Idempotency-Key": title})
        if answer is None:
            return False
        result = answer.json()
        made = result["output"] if isinstance(result.get("output"), dict) else {}
        if (result["network_code"], made.get("title")) != ("201", title):
            self.counts["failed_at_app"] += 1
            self.kinds_of_refusal[f"app: {result['network_code']}"] += 1
            return False
        self.counts["acknowledged"] += 1
        self.acknowledged[title] = made["id"]
        del self.unsure[title]
        return True

    async def read(self, user: User, title: str) -> bool:
        """Read a ticket of one's own, and see that it is the right one."""
        answer = await self.call(user, "/functions/sandbox-get-ticket", {"ticket_id": self.acknowledged[title]})
        return self._read(answer, lambda output: not _names_another(output, title))

    async def delete(self, user: User, title: str) -> bool:
        """Delete a ticket of one's own."""
        body = {"ticket_id": self.acknowledged.pop(title)}
        answer = await self.call(user, "/functions/sandbox-delete-ticket", body)
        if answer is None:
            return False
        gone: bool = answer.json()["network_code"] == "204"
        self.counts["deleted" if gone else "failed_at_app"] += 1
        return gone

    async def list(self, user: User, path: str) -> bool:
        """Ask the service itself for a list."""
        answer = await self.call(user, path)
        if answer is None:
            return False
        self.counts["listed"] += 1
        return True

    async def look(self, user: User) -> bool:
        """List the projects that this user's account shows."""
        answer = await self.call(user, "/functions/sandbox-list-projects", {})
        return self._read(answer, lambda output: {each["name"] for each in output} >= user.projects)

    def _read(self, answer: httpx.Response | None, is_own: Callable[[Any], bool]) -> bool:
        if answer is None:
            return False
        result = answer.json()
        if result["network_code"] != "200":
            self.counts["failed_at_app"] += 1
            return False
        if not is_own(result["output"]):
            self.wrong_user.append(answer.headers["request-id"])
        self.counts["read"] += 1
        return True

    async def work_on(self, user: User, pause: float, ended: Callable[[], bool]) -> None:
        """Make tickets, read some of them, and look around, until told to end."""
        for turn in itertools.count():
            if ended():
                return
            ticket = user.ticket()
            if await self.create(user, ticket) and turn % 3 == 0:
                await self.read(user, ticket["title"])
            if turn % 3 == 1:
                await self.look(user)
            await asyncio.sleep(pause)

    @contextlib.asynccontextmanager
    async def under_way(self, callers: int, pause: float) -> AsyncIterator[None]:
        """Have users work while the block lasts; what is under way then ends."""
        ends = asyncio.Event()
        users = itertools.islice(itertools.cycle(self.users), callers)
        working = [asyncio.create_task(self.work_on(user, pause, ends.is_set)) for user in users]
        try:
            yield
        finally:
            ends.set()
            await asyncio.gather(*working)


@contextlib.asynccontextmanager
async def connections(running: RunningService) -> AsyncIterator[httpx.AsyncClient]:
    """Connections to a service, as many as are asked for."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=running.url, limits=limits, trust_env=False, timeout=60) as http:
        yield http


def _names_another(output: Any, title: str) -> bool:
    """Whether it is another ticket of ours; what an app makes up is none."""
    found = str(output.get("title")) if isinstance(output, dict) else ""
    return found.startswith("of-") and found != title


def _code_of(answer: httpx.Response) -> str:
    """The code by which the service refuses a call; empty where it says nothing of the kind."""
    try:
        code: str = answer.json()["error_details"][0]["code"]
    except (ValueError, LookupError, TypeError):
        return ""
    return code
