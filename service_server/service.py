"""All the parts of one running service, put together once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from attrs import frozen

from service_server.administration.admin_keys import KeyAdministration
from service_server.administration.administration import Administration
from service_server.administration.app_setup import AppSetup
from service_server.administration.operators import OperatorAdministration
from service_server.administration.readiness import Readiness
from service_server.administration.sessions import SessionAdministration
from service_server.administration.users import UserAdministration
from service_server.administration.webhooks import WebhookAdministration
from service_server.answers.reader import AnswerReader
from service_server.answers.side_process import SideProcess
from service_server.catalog.catalog import Catalog
from service_server.catalog.directories import ConnectorDirectories
from service_server.catalog.load import SHIPPED
from service_server.catalog.values import Connector
from service_server.connect.pages.steps import Steps
from service_server.connect.sessions.changes import Changes
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.sessions.sessions import Sessions
from service_server.files import Files
from service_server.invoke import Invoker
from service_server.invoke.account_tests import AccountTests
from service_server.invoke.endings import Endings
from service_server.invoke.idempotency import IdempotentInvoker
from service_server.invoke.invocation import Parts
from service_server.invoke.looked_up import LookedUp
from service_server.oauth.credentials import Credentials
from service_server.oauth.unused_accounts import LOOK_SECONDS, UnusedAccounts
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.prediction.name_resolution import NameResolver
from service_server.prediction.prediction import Prediction
from service_server.settings import Settings
from service_server.store import (
    Accounts,
    AdminKeys,
    AppConfigurations,
    AppIds,
    Applications,
    AuditEvents,
    Budgets,
    CallCounts,
    CallEvents,
    CallLog,
    ConnectSessions,
    Database,
    DatabaseAway,
    IdempotencyRecords,
    Operators,
    OperatorSessions,
    Processes,
    Renewals,
    Retention,
    Schema,
    StoredFiles,
    UserData,
    VaultKeys,
    WebhookDeliveries,
    WebhookEndpoints,
)
from service_server.upkeep.counting import Counting
from service_server.upkeep.forgetting import forgetting, forgetting_files
from service_server.upkeep.reloading import follow_changes
from service_server.upkeep.repeating import repeated
from service_server.vault import Vault, open_vault
from service_server.webhooks.delivering import Deliverer
from service_server.webhooks.sending import sender_for_webhooks

if TYPE_CHECKING:
    from service_server.predict_llm import LanguageModelChooser


@frozen(kw_only=True)
class Service:
    """What the REST handlers, the connect pages and the console work with."""

    settings: Settings
    vault: Vault
    catalog: Catalog
    app_ids: dict[str, int]
    applications: Applications
    accounts: Accounts
    calls: CallLog
    counts: CallCounts
    files: Files
    administration: Administration
    webhooks: WebhookAdministration
    operators: OperatorAdministration
    sessions: SessionAdministration
    users: UserAdministration
    app_setup: AppSetup
    admin_keys: KeyAdministration
    audit: AuditEvents
    readiness: Readiness
    connect: Sessions
    connect_steps: Steps
    credentials: Credentials
    invoker: IdempotentInvoker
    prediction: Prediction
    names: NameResolver

    def icon_path(self, connector: Connector) -> str:
        """The path of an app's icon; it changes with the icon, so browsers may keep it for ever."""
        return f"/icons/{connector.name}.{connector.icon.digest[:16]}.svg"

    def icon_url(self, connector: Connector) -> str:
        """The address of an app's icon."""
        return f"{self.settings.public_url}{self.icon_path(connector)}"


@contextlib.asynccontextmanager
async def running_service(settings: Settings) -> AsyncIterator[Service]:
    """
    Open the database, the vault and the catalogue, and close them at the end.

    Calls that a killed process left open get an unknown outcome before anything new is served, and the keys of calls
    that it never sent are free again. What is still under way at the end is cut off; `app` has it end before.
    """
    directories = ConnectorDirectories([SHIPPED], settings.connector_directories, settings.cache_directory)
    catalog = directories.load()
    database = Database(settings.database_url)
    await database.open()
    try:
        vault = await open_vault(VaultKeys(database), settings.vault_key_file, settings.vault_key)
        changes = Changes()
        processes = Processes(database, changes)
        calls, keys = CallLog(database, lambda: processes.id), IdempotencyRecords(database)
        dropping = forgetting(Retention(database), settings.call_retention_days, settings.audit_retention_days)
        dropping_files = forgetting_files(StoredFiles(database))
        chooser = _chooser(settings)
        asking = chooser if chooser is not None else contextlib.nullcontext()
        call_events = CallEvents(database)
        endpoints, deliveries = WebhookEndpoints(database), WebhookDeliveries(database)
        async with (
            processes.serving(),
            dropping,
            Counting(CallCounts(database)).running(),
            dropping_files,
            Sender(_onward(settings)) as sender,
            sender_for_webhooks(settings.allow_hosts) as to_endpoints,
            Deliverer(endpoints, deliveries, call_events, vault, to_endpoints, settings.allow_hosts).running(),
            asking,
            SideProcess() as beside,
        ):
            prediction = Prediction(catalog, settings.model_directory, settings.cache_directory, chooser)
            service = await _assemble(
                settings, catalog, database, vault, calls, call_events, keys, sender, beside, changes, prediction
            )
            following = [
                asyncio.create_task(vault.follow(), name="vault key file"),
                asyncio.create_task(_follow_connectors(directories, service, AppIds(database)), name="connectors"),
            ]
            try:
                unused = UnusedAccounts(Renewals(database), service.credentials)
                renewing = repeated(
                    unused.look, LOOK_SECONDS, "account.unused_not_renewed", passing=DatabaseAway, at_once=False
                )
                async with service.connect.abandoned.clearing_up(), renewing:
                    yield service
                await service.credentials.drain()  # what was begun for an unused account
            finally:
                await service.invoker.give_up()
                for each in following:
                    each.cancel()
    finally:
        await database.close()


async def _follow_connectors(directories: ConnectorDirectories, service: Service, app_ids: AppIds) -> None:
    """Load changes in the operator's own directories; the built-in ones don't change."""

    async def number(names: Iterable[str]) -> None:
        service.app_ids.update(await app_ids.allocate(names))

    if service.settings.connector_directories:
        await follow_changes(directories, service.catalog, number, service.prediction.forget)


def _chooser(settings: Settings) -> "LanguageModelChooser | None":
    if settings.language_model is None:
        return None
    from service_server.predict_llm import LanguageModelChooser  # it reads prompts, and so takes long to import

    return LanguageModelChooser(settings.language_model)


def _onward(settings: Settings) -> OnwardSettings:
    return OnwardSettings(
        timeout_seconds=settings.onward_timeout_seconds,
        max_response_bytes=settings.max_onward_response_bytes,
        allow_hosts=settings.allow_hosts,
    )


async def _assemble(
    settings: Settings,
    catalog: Catalog,
    database: Database,
    vault: Vault,
    calls: CallLog,
    call_events: CallEvents,
    keys: IdempotencyRecords,
    sender: Sender,
    side_process: SideProcess,
    changes: Changes,
    prediction: Prediction,
) -> Service:
    accounts = Accounts(database)
    applications = Applications(database)
    configurations = AppConfigurations(database)
    credentials = Credentials(
        catalog=catalog, vault=vault, accounts=accounts, configurations=configurations, sender=sender
    )
    files = Files(StoredFiles(database), vault, settings.max_file_bytes, settings.max_user_files_bytes)
    parts = Parts(
        settings=settings,
        vault=vault,
        accounts=accounts,
        budgets=Budgets(database),
        calls=calls,
        call_events=call_events,
        audit=AuditEvents(database),
        files=files,
        endings=Endings(),
        account_tests=AccountTests(),
        credentials=credentials,
        sender=sender,
        reader=AnswerReader(side_process),
        looked_up=LookedUp(),
    )
    invoker = IdempotentInvoker(Invoker(parts), parts, keys)
    connecting = ConnectParts(
        settings=settings,
        catalog=catalog,
        vault=vault,
        applications=applications,
        accounts=accounts,
        sessions=ConnectSessions(database),
        credentials=credentials,
        sender=sender,
        changes=changes,
    )
    return Service(
        settings=settings,
        vault=vault,
        catalog=catalog,
        app_ids=await AppIds(database).allocate(catalog.connectors),
        applications=applications,
        accounts=accounts,
        calls=calls,
        counts=CallCounts(database),
        files=files,
        administration=Administration(vault, applications, configurations),
        webhooks=WebhookAdministration(
            vault, WebhookEndpoints(database), WebhookDeliveries(database), settings.allow_hosts
        ),
        operators=OperatorAdministration(Operators(database)),
        sessions=SessionAdministration(OperatorSessions(database), Operators(database)),
        app_setup=AppSetup(sender, AuditEvents(database), settings.callback_url),
        users=UserAdministration(
            vault=vault,
            accounts=accounts,
            sessions=connecting.sessions,
            credentials=credentials,
            data=UserData(database),
            audit=AuditEvents(database),
        ),
        admin_keys=KeyAdministration(AdminKeys(database)),
        audit=AuditEvents(database),
        readiness=Readiness(Schema(database), VaultKeys(database), vault),
        credentials=credentials,
        connect=Sessions(connecting),
        connect_steps=Steps(connecting),
        invoker=invoker,
        prediction=prediction,
        names=NameResolver(catalog, accounts, invoker, side_process),
    )
