"""The steps of a call over a real log, between an app and credentials that do what a test has written down."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, cast

from attrs import define, evolve, field

from service_server.answers.reader import AnswerReader
from service_server.answers.side_process import SideProcess
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import load_catalog
from service_server.files import Files
from service_server.invoke import CallRequest, Executed, Invoker, JsonBody
from service_server.invoke.account_tests import AccountTests
from service_server.invoke.endings import Endings
from service_server.invoke.idempotency import IdempotentInvoker
from service_server.invoke.invocation import Parts
from service_server.invoke.looked_up import LookedUp
from service_server.oauth.credentials import Opened
from service_server.oauth.secrets_of_account import Secrets
from service_server.onward.values import OnwardRequest, OnwardResponse, Outcome, Unsent
from service_server.settings import Settings
from service_server.store import (
    Account,
    Accounts,
    CallEvents,
    CallLog,
    Database,
    IdempotencyRecords,
    Processes,
    StoredFiles,
    Turn,
)
from service_server.vault import Vault, keys_from_text
from tests.service_server.catalog.connector_folder import (
    ConnectorFolder,
    minimal_connector,
    minimal_function,
    parameter,
)
from tests.service_server.connected_world import VAULT_KEY
from tests.service_server.store.databases import connect, new_account, opened

GRANTED = Turn(granted=True, wait_seconds=0)


def whole(status: int = 200, body: bytes = b'{"done": true}', **headers: str) -> OnwardResponse:
    """A whole answer of the app."""
    return OnwardResponse(status, {"content-type": "application/json", **headers}, body, "https://api.acme.example/")


def written(directory: Path, *, tested: bool = True) -> Catalog:
    """A catalogue of one app with a budget: a PUT that is repeated after a 503, a POST, queries, three in a row."""
    inject = {"header": {"X-Key": "${creds.key}"}}
    key = {"id": "key", "type": "api_key", "title": "Key", "fields": {"key": {"title": "Key"}}, "inject": inject}
    connector = minimal_connector() | {
        "auth": [key],
        "retry": {"methods": ["GET", "PUT"], "max": 2},
        "budget": {"requests": 1000, "window": "1h", "per": "account"},
        "test": {"get": "/me"},
        "allow_hosts": ["files.acme.example"],
        "errors": [{"when": {"body": {"ok": "false"}}, "kind": "forbidden"}],
        "pagination": {"links": {"type": "link"}},
    }
    functions = {
        "replace": minimal_function() | {"type": "mutation", "request": {"put": "/things"}},
        "add": minimal_function() | {"type": "mutation", "request": {"post": "/things"}},
        "find": minimal_function() | {"request": {"get": "/things"}, "paginate": "links"},
        "fields": minimal_function()
        | {
            "lookup": {"request": {"get": "/tickets/${args.ticket}"}, "gives": {"queue": "body.queue.id"}},
            "request": {"get": "/queues/${lookup.queue}/fields"},
            "paginate": "links",
            "output": "items",
            "parameters": {"type": "object", "required": ["ticket"], "properties": {"ticket": parameter()}},
        },
        "put": minimal_function()
        | {
            "type": "mutation",
            "title": "Put a thing",
            "before": [
                {
                    "request": {"post": "/places", "body": {"name": "${args.name?}"}},
                    "gives": {"address": "body.address", "id": "body.id"},
                },
                {"request": {"put": "${before.address}", "raw": {"content": "content", "type": "text/plain"}}},
            ],
            "request": {"post": "/places/${before.id}/done"},
            "outcome": {"title": "Place ${output.id} is filled", "sample": {"id": "7"}},
            "parameters": {"type": "object", "properties": {"name": parameter()}},
        },
    }
    if not tested:
        del connector["test"]
    ConnectorFolder(connector, functions).write(directory)
    return load_catalog([directory])


@define
class ScriptedSender:
    """Gives one outcome after another, the last one for ever; `sent` are the requests that left."""

    outcomes: list[Outcome | Exception] = field(factory=list)
    sent: list[OnwardRequest] = field(factory=list)

    def on_behalf_of(self, *_: Any) -> "ScriptedSender":
        """Whoever it is for."""
        return self

    async def send(self, request: OnwardRequest, *_: Any, **__: Any) -> Outcome:
        """Do what is next in the script."""
        await asyncio.sleep(0)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if not isinstance(outcome, Unsent):
            self.sent.append(request)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@define
class ScriptedCredentials:
    """An account's credentials; what their renewal comes to is scripted: others, none, unusable ones, or a failure."""

    catalog: Catalog
    renewals: list[str | Exception] = field(factory=list)

    async def usable(self, account: Account) -> Opened:
        """Open them."""
        connector = self.catalog.connectors["acme"]
        context = {"creds": {"key": "first"}, "token": {}, "vars": {}}
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
    """Grants the first turn and then what is scripted."""

    turns: list[Turn | Exception] = field(factory=list)

    async def take_turn(self, *_: Any) -> Turn:
        """The next turn."""
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

    async def script(
        self,
        outcomes: Iterable[Outcome | Exception],
        renewals: Iterable[str | Exception] = (),
        turns: Iterable[Turn | Exception] = (),
    ) -> None:
        """Say what happens from now on, in an account that is connected anew."""
        await connect(self.database, new_account(app_name="acme", auth_id="key"))
        self.sender.outcomes, self.sender.sent = list(outcomes), []
        self.credentials.renewals = list(renewals)
        self.budgets.turns = [GRANTED, *turns]

    async def call(
        self, function: str, key: str | None = None, request_id: str = "r", arguments: dict[str, Any] | None = None
    ) -> tuple[Executed, bool]:
        """Call a function of the app."""
        request = CallRequest(
            application_id=1,
            user_id="ann",
            connector=self.catalog.connectors["acme"],
            function=self.catalog.connectors["acme"].functions[f"acme-{function}"],
            body=JsonBody(arguments or {}),
            connected_account_id=None,
            request_id=request_id,
        )
        return await self.invoker.call(request, key)


@contextlib.asynccontextmanager
async def scripted_calls(catalog: Catalog, database_url: str, folder: Path) -> AsyncIterator[ScriptedCalls]:
    """Put it together on an empty database."""
    async with opened(database_url) as database:
        processes = Processes(database)
        async with processes.serving():
            vault = Vault(keys_from_text(VAULT_KEY))
            sender, budgets = ScriptedSender(), ScriptedBudgets()
            credentials = ScriptedCredentials(catalog)
            call_events = CallEvents(database)
            accounts, log = Accounts(database), CallLog(database, lambda: processes.id)
            records = IdempotencyRecords(database)
            parts = Parts(
                settings=Settings(data_directory=folder, public_url="http://service.test", database_url=database_url),
                vault=vault,
                accounts=accounts,
                budgets=cast(Any, budgets),
                calls=log,
                call_events=call_events,
                files=Files(StoredFiles(database), vault, 1_000_000, 10_000_000),
                endings=Endings(),
                account_tests=AccountTests(),
                credentials=cast(Any, credentials),
                sender=cast(Any, sender),
                reader=AnswerReader(SideProcess()),
                looked_up=LookedUp(),
            )
            yield ScriptedCalls(
                catalog=catalog,
                database=database,
                sender=sender,
                credentials=credentials,
                budgets=budgets,
                log=log,
                records=records,
                accounts=accounts,
                invoker=IdempotentInvoker(Invoker(parts), parts, records),
                call_events=call_events,
            )
