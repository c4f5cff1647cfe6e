"""`/apps`: the catalogue with the caller's accounts."""

from litestar import delete, get
from litestar.status_codes import HTTP_204_NO_CONTENT

from service_client.models import App, AppList
from service_server.catalog.values import Connector
from service_server.errors import unknown_app
from service_server.rest.caller import Caller
from service_server.rest.cursors import PAGE_SIZE, Cursors
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.parameters import AccountId, AppName, GivenCursor
from service_server.service import Service
from service_server.store import Account


@get("/apps", summary="List apps", tags=["Apps"])
async def list_apps(
    service: GivenService, caller: GivenCaller, connected_only: bool | None = None, cursor: GivenCursor = None
) -> AppList:
    """
    List all apps by name, 50 a page; with `connected_only` only those the user has connected.

    A session token that is limited to some apps or functions lists only the apps whose accounts it may connect.
    """
    return await page_of_apps(service, caller, connected_only=bool(connected_only), cursor=cursor)


async def page_of_apps(
    service: Service, caller: Caller, *, connected_only: bool = False, cursor: str | None = None, size: int = PAGE_SIZE
) -> AppList:
    """Return one page of the apps, `size` at most, the first without a cursor."""
    accounts = await caller.accounts(service.accounts)
    connected = {account.app_name for account in accounts}
    catalog = service.catalog
    names = sorted(name for name in connected if name in catalog.connectors) if connected_only else catalog.app_names
    names = [name for name in names if caller.may_connect(name)]
    page, following = Cursors(service.vault, caller, "apps", str(connected_only)).page(names, cursor, size)
    apps = tuple(public_app(service, service.catalog.connectors[name], accounts) for name in page)
    return AppList(apps=apps, cursor=following)


@get("/apps/{app_name:str}", summary="Get an app", tags=["Apps"])
async def get_app(service: GivenService, caller: GivenCaller, app_name: AppName) -> App:
    """Return one app."""
    connector = known_app(service, app_name)
    accounts = await caller.accounts(service.accounts, app_name)
    return public_app(service, connector, accounts)


@delete(
    "/apps/{app_name:str}/connected_accounts",
    status_code=HTTP_204_NO_CONTENT,
    summary="Disconnect the only account",
    tags=["Connected accounts"],
)
async def disconnect_only_account(service: GivenService, caller: GivenCaller, app_name: AppName) -> None:
    """Disconnect the user's account of an app; refused when there are several or none."""
    await _disconnect(service, caller, app_name, None)


@delete(
    "/apps/{app_name:str}/connected_accounts/{connected_account_id:int}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Disconnect an account",
    tags=["Connected accounts"],
)
async def disconnect_account(
    service: GivenService, caller: GivenCaller, app_name: AppName, connected_account_id: AccountId
) -> None:
    """Disconnect one account: revoke it at the provider where possible, and erase its credentials."""
    await _disconnect(service, caller, app_name, connected_account_id)


async def _disconnect(service: Service, caller: Caller, app_name: str, account_id: int | None) -> None:
    known_app(service, app_name)
    caller.require_app(app_name)
    await service.connect.disconnect(caller.application, caller.user_id, app_name, account_id)


def known_app(service: Service, app_name: str) -> Connector:
    """The connector of an app; 404 if there is none."""
    connector = service.catalog.connector(app_name)
    if connector is None:
        raise unknown_app(app_name)
    return connector


def public_app(service: Service, connector: Connector, accounts: list[Account]) -> App:
    """Return an app as the API tells it, with those of a user's accounts that are of it."""
    return App(
        id=service.app_ids[connector.name],
        name=connector.name,
        title=connector.title,
        also_called=connector.also_called,
        description=connector.description,
        icon_url=service.icon_url(connector),
        docs_url=connector.docs_url,
        categories=connector.categories,
        connected_accounts=tuple(account.public() for account in accounts if account.app_name == connector.name),
    )


APP_ROUTES = [list_apps, get_app, disconnect_only_account, disconnect_account]
