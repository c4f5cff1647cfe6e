"""The steps of a call over a real log, between an app and credentials that do what a test has written down."""

import asyncio
import contextlib
import copy
import json
from collections.abc import AsyncIterator, Container, Iterable
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from service_server.answers.reader import AnswerReader
from service_server.answers.side_process import SideProcess
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import load_catalog
from service_server.files import Files
from service_server.invoke import Executed, Invoker, JsonBody
from service_server.invoke.account_tests import AccountTests
from service_server.invoke.endings import Endings
from service_server.invoke.idempotency import IdempotentInvoker
from service_server.invoke.invocation import Parts
from service_server.invoke.looked_up import LookedUp
from service_server.oauth.credentials import Opened
from service_server.oauth.secrets_of_account import Secrets
from service_server.onward.values import (
    HostRules,
    Interrupted,
    OnwardRequest,
    OnwardResponse,
    Outcome,
    Pour,
    Unanswered,
    Unsent,
)
from service_server.settings import Settings
from service_server.store import (
    Account,
    Accounts,
    AuditEvents,
    Call,
    CallEvents,
    CallLog,
    Database,
    IdempotencyRecords,
    Processes,
    StoredFiles,
    Turn,
)
from service_server.vault import Vault, keys_from_text
from tests.service_server.calls.callers import request_of
from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_connector, parameter
from tests.service_server.connected_world import VAULT_KEY
from tests.service_server.databases import EmptyDatabases
from tests.service_server.function_files import mutation, query
from tests.service_server.store.databases import connect, new_account, opened

HOOKS = '''
def unlocked(body):
    """Keep the fields that may be written."""
    return {"items": [item for item in body.get("items", []) if "locked" not in item]}


def with_tags(arguments, before):
    """Put new tags behind those there."""
    return {"tags": f"{before['tags']} {arguments['tags']}"} if "tags" in arguments else {}
'''

KEY = {
    "id": "key",
    "type": "api_key",
    "title": "Key",
    "fields": {"key": {"title": "Key"}},
    "inject": {"header": {"X-Key": "${creds.key}"}},
}
GRANTED = Turn(granted=True, wait_seconds=0)


def whole(status: int = 200, body: bytes = b'{"done": true}', **headers: str) -> OnwardResponse:
    """A whole answer of the app."""
    return OnwardResponse(status, {"content-type": "application/json", **headers}, body, "https://api.acme.example/")


def in_errors(code: str) -> bytes:
    """The body of an answer that says itself that it is none."""
    return json.dumps({"errors": [{"code": "OTHER"}, {"code": code}]}).encode()


def written(directory: Path, *, tested: bool = True, **changes: Any) -> Catalog:
    """
    A catalogue of one app with a budget: a PUT repeated after a 503, a POST, queries, three in a row, and files.

    Keys of its connector may be changed.
    """
    kinds = {"LIMITED": "rate_limited", "UNAUTHENTICATED": "reconnect"}
    errors: list[Any] = [{"when": {"body": {"errors.*.code": code}}, "kind": kind} for code, kind in kinds.items()]
    connector = minimal_connector() | {
        "auth": [KEY],
        "retry": {"methods": ["GET", "PUT"], "max": 2},
        "budget": {"requests": 1000, "window": "1h", "per": "account"},
        "test": {"get": "/me"},
        "vars": {"town": {"title": "Town", "set_by": "user"}},
        "allow_hosts": ["files.acme.example"],
        "errors": [{"when": {"body": {"ok": "false"}}, "kind": "forbidden"}, *errors],
        "passthrough": {"methods": ["GET", "HEAD", "POST"]},
        "pagination": {"links": {"type": "link"}},
        **changes,
    }
    files = {"file": parameter(format="file"), "files": parameter("array", items={"type": "string", "format": "file"})}
    given = {"name": parameter(), "as_file": parameter("boolean")}
    place = {"address": "body.address", "id": "body.id"}
    look_up = {"request": {"get": "/tickets/${args.ticket}"}, "gives": {"queue": "body.queue.id"}}
    of_ticket: dict[str, Any] = {"required": ["ticket"], "lookup": look_up}
    functions = {
        "attach": mutation({"post": "/files", "body": {name: f"${{args.{name}?}}" for name in files}}, takes=files),
        "load": query(
            {"get": "/files/1"}, takes=given, output={"format": "file", "when": "as_file", "name": "${args.name?}"}
        ),
        "replace": mutation({"put": "/things"}),
        "add": mutation({"post": "/things"}),
        "ring": mutation({"get": "/things/ring"}),
        "unlock": mutation(
            {"post": "/unlock", "body": {"pin": "${args.pin?}"}}, takes={"pin": parameter() | {"x-sensitive": True}}
        ),
        "find": query({"get": "/things"}, paginate="links"),
        "search": query({"post": "/search"}),
        "fields": query(
            {"get": "/queues/${lookup.queue}/fields"},
            "ticket",
            **of_ticket | {"paginate": "links", "reshape": "unlocked", "output": "items"},
        ),
        "download": query({"get": "/queues/${lookup.queue}/export"}, "ticket", **of_ticket, output={"format": "file"}),
        "put": mutation(
            {"post": "/places/${before.id}/done"},
            "name",
            title="Put a thing",
            before=[
                {"request": {"post": "/places", "body": {"name": "${args.name?}"}}, "gives": place},
                {"request": {"put": "${before.address}", "raw": {"content": "content", "type": "text/plain"}}},
            ],
            outcome={
                "title": "Place ${output.id} is filled",
                "facts": {"With": "${args.name?} in ${vars.town}"},
                "sample": {"id": "7"},
            },
        ),
        "tag": mutation(
            {"post": "/things", "body": {"name": "${args.name?}", "tags": "${prepared.tags?}"}},
            *("name", "tags"),
            before=[{"request": {"get": "/things"}, "gives": {"tags": "body.tags"}, "given": ["tags"]}],
            prepare="with_tags",
        ),
    }
    if not tested:
        del connector["test"]
    ConnectorFolder(connector, functions, hooks=HOOKS).write(directory)
    return load_catalog([directory])


@frozen
class Errand:
    """What the way out was asked to do: for which app and user, to which hosts, with which secrets, and how long."""

    on_behalf_of: tuple[str, int, str] | None
    rules: HostRules
    secret_headers: Container[str]
    timeout_seconds: float | None


@define
class ScriptedSender:
    """
    Gives one outcome after another, the last one for ever; `sent` are the requests that left.

    As the way out does, it refuses what leads elsewhere, and lets the body of a good answer be poured.
    """

    outcomes: list[Outcome | Exception] = field(factory=list)
    sent: list[OnwardRequest] = field(factory=list)
    errands: list[Errand] = field(factory=list)
    bound: tuple[str, int, str] | None = None

    def on_behalf_of(self, app_name: str, application_id: int, user_id: str) -> "ScriptedSender":
        """Bind it to an app and a user."""
        sender = copy.copy(self)
        sender.bound = (app_name, application_id, user_id)
        return sender

    async def send(
        self,
        request: OnwardRequest,
        rules: HostRules,
        *,
        timeout_seconds: float | None = None,
        secret_headers: Container[str] = (),
        pour: Pour | None = None,
    ) -> Outcome:
        """Do what is next in the script."""
        await asyncio.sleep(0)
        self.errands.append(Errand(self.bound, rules, secret_headers, timeout_seconds))
        if not rules.allows(request.url):
            return Unsent("not_allowed", "elsewhere")
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if not isinstance(outcome, Unsent):
            self.sent.append(request)
        if isinstance(outcome, Exception):
            raise outcome
        if pour is not None and isinstance(outcome, OnwardResponse) and 200 <= outcome.status < 300:
            try:
                poured = await pour(evolve(outcome, body=b""), _chunks(outcome.body))
            except Interrupted as interruption:
                return Unanswered(interruption.kind, interruption.reason)
            except Exception:
                return Unanswered("broken_off", "sending failed")
            return evolve(outcome, body=b"", poured=poured)
        return outcome


async def _chunks(body: bytes) -> AsyncIterator[bytes]:
    yield body


@define
class ScriptedCredentials:
    """An account's credentials; what their renewal comes to is scripted: others, none, unusable ones, or a failure."""

    catalog: Catalog
    renewals: list[str | Exception] = field(factory=list)

    async def usable(self, account: Account) -> Opened:
        """Open them."""
        connector = self.catalog.connectors["acme"]
        context = {"creds": {"key": "first"}, "token": {}, "vars": {"town": "Rome"}}
        return Opened(account=account, connector=connector, auth=connector.auth[0], context=context, secrets=Secrets())

    async def refresh_after_401(self, opened: Opened) -> Opened | None:
        """Renew them."""
        renewal = self.renewals.pop(0) if self.renewals else "none"
        if isinstance(renewal, Exception):
            raise renewal
        if renewal == "none":
            return None
        creds = {"key": "second"} if renewal == "renewed" else {}
        return evolve(opened, context={**opened.context, "creds": creds})


@define
class ScriptedBudgets:
    """Grants the first turn and then what is scripted; `asked` is what each was to be, by whom."""

    turns: list[Turn | Exception] = field(factory=list)
    asked: list[tuple[int, int, float, float]] = field(factory=list)

    async def take_turn(self, account_id: int, requests: int, window_seconds: float, longest_wait: float) -> Turn:
        """The next turn."""
        self.asked.append((account_id, requests, window_seconds, longest_wait))
        turn = self.turns.pop(0) if self.turns else GRANTED
        if isinstance(turn, Exception):
            raise turn
        return turn


@define(kw_only=True)
class ScriptedCalls:
    """Calls of one user in one account, with what the test scripts and reads."""

    catalog: Catalog
    database: Database
    sender: ScriptedSender
    credentials: ScriptedCredentials
    budgets: ScriptedBudgets
    log: CallLog
    records: IdempotencyRecords
    accounts: Accounts
    invoker: IdempotentInvoker
    call_events: CallEvents
    endings: Endings
    files: Files

    async def script(
        self,
        outcomes: Iterable[Outcome | Exception],
        renewals: Iterable[str | Exception] = (),
        turns: Iterable[Turn | Exception] = (),
    ) -> None:
        """Say what happens from now on, in an account that is connected again."""
        await connect(self.database, new_account(app_name="acme", auth_id="key"))
        self.sender.outcomes, self.sender.sent, self.sender.errands = list(outcomes), [], []
        self.credentials.renewals = list(renewals)
        self.budgets.turns, self.budgets.asked = [GRANTED, *turns], []

    async def call(
        self, function: str, key: str | None = None, request_id: str = "r", arguments: dict[str, Any] | None = None
    ) -> tuple[Executed, bool]:
        """Call a function of the app."""
        request = request_of(self.catalog, f"acme-{function}", JsonBody(arguments or {}), request_id=request_id)
        return await self.invoker.call(request, key)

    async def rows(self) -> list[Call]:
        """The rows of the log, whole, in the order in which they began."""
        listed = sorted((await self.log.calls(limit=99)).entries, key=lambda row: row.id)
        return [row for each in listed if (row := await self.log.get(each.id)) is not None]

    async def account(self) -> Account:
        """The user's account, as it stands."""
        (account,) = await self.accounts.of_user(1, "ann", "acme")
        return account


@contextlib.asynccontextmanager
async def scripted_calls(catalog: Catalog, database_url: str, folder: Path) -> AsyncIterator[ScriptedCalls]:
    """Put it together on an empty database."""
    async with opened(database_url) as database:
        processes = Processes(database)
        async with processes.serving():
            vault, calls = Vault(keys_from_text(VAULT_KEY)), CallLog(database, lambda: processes.id)
            shared: dict[str, Any] = {
                "sender": ScriptedSender(),
                "budgets": ScriptedBudgets(),
                "credentials": ScriptedCredentials(catalog),
                "accounts": Accounts(database),
                "call_events": CallEvents(database),
                "endings": Endings(),
                "files": Files(StoredFiles(database), vault, 1_000_000, 10_000_000),
            }
            parts = Parts(
                settings=Settings(data_directory=folder, public_url="http://service.test", database_url=database_url),
                vault=vault,
                calls=calls,
                audit=AuditEvents(database),
                account_tests=AccountTests(),
                reader=AnswerReader(SideProcess()),
                looked_up=LookedUp(),
                **shared,
            )
            records = IdempotencyRecords(database)
            invoker = IdempotentInvoker(Invoker(parts), parts, records)
            yield ScriptedCalls(
                catalog=catalog, database=database, log=calls, records=records, invoker=invoker, **shared
            )


@contextlib.asynccontextmanager
async def calls_of(catalog: Catalog, empty_database: Path, folder: Path) -> AsyncIterator[ScriptedCalls]:
    """Put it together on a copy of an empty SQLite database."""
    with EmptyDatabases(str(empty_database)).new(folder) as url:
        async with scripted_calls(catalog, url, folder) as scripted:
            yield scripted
