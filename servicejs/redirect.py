"""Redirect mode: the user leaves the page to connect, and comes back with a code that finishes it."""

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from attrs import frozen

from service_client import AsyncClient
from service_client.errors import NotFound, ServiceClientError
from servicejs.accounts import Accounts
from servicejs.bus import Bus
from servicejs.errors import describe_error
from servicejs.page.page import Page

SESSION, CODE = "connect_session", "code"


@frozen
class Return:
    """What the page's address says about a user who comes back, and the address without it."""

    session: str
    code: str
    location: str


def read_return(location: str) -> Return | None:
    """Read the page's address; None when nobody comes back from connecting."""
    parts = urlsplit(location)
    query = parse_qsl(parts.query, keep_blank_values=True)
    given = dict(query)
    if not given.get(SESSION) or not given.get(CODE):
        return None
    rest = urlencode([(name, value) for name, value in query if name not in (SESSION, CODE)])
    return Return(given[SESSION], given[CODE], urlunsplit(parts._replace(query=rest)))


async def redeem_return(location: str, accounts: Accounts, page: Page, bus: Bus) -> None:
    """
    Finish connecting if the user just came back from it.

    A session that the service does not know for this user is left alone: it may be another instance's.
    """
    returned = read_return(location)
    if returned is None:
        return
    try:
        state = await accounts.client.connect_sessions.redeem(returned.session, returned.code)
        if state.connected_account_id is not None:
            app_name = await _app_of(accounts.client, state.connected_account_id)
            await accounts.connected(app_name, state.connected_account_id)
    except NotFound:
        return
    except ServiceClientError as error:
        bus.emit("error", describe_error(error))
    page.replace_location(returned.location)


async def _app_of(client: AsyncClient, account_id: int) -> str:
    async for app in client.apps.all(connected_only=True):
        if any(account.id == account_id for account in app.connected_accounts):
            return app.name
    raise LookupError(f"No app has the account {account_id} that was just connected.")
