"""Redirect mode: the user leaves the page to connect, and comes back with a code that finishes it."""

import asyncio
from urllib.parse import parse_qsl, urlsplit

from attrs import frozen

from service_client import AsyncClient
from service_client.errors import (
    BadRequestError,
    InternalServerError,
    NotFoundError,
    RateLimitError,
    ServiceClientError,
    ServiceUnreachableError,
)
from service_client.models import ConnectSessionState
from servicejs.accounts import Accounts
from servicejs.errors import SdkError, describe_error
from servicejs.options import Options
from servicejs.page.page import Emit, Page

SESSION, CODE = "connect_session", "code"
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between attempts to ask a service that does not answer: a minute in all."""


@frozen
class Return:
    """What the page's address says about a user who comes back."""

    session: str
    code: str


def read_return(location: str) -> Return | None:
    """Read the page's address; None when nobody comes back from connecting."""
    given = dict(parse_qsl(urlsplit(location).query))
    if SESSION not in given or CODE not in given:
        return None
    return Return(given[SESSION], given[CODE])


async def redeem_return(options: Options, accounts: Accounts, page: Page, emit: Emit) -> None:
    """
    Finish connecting if the user just came back from it; if the service already did for its first screen, announce it.

    A session that the service does not know for this user is left alone: it may be another instance's.
    """
    returned = read_return(options.location)
    if returned is None:
        return
    forget = {SESSION: returned.session, CODE: returned.code}
    try:
        state = options.redeemed or await _redeemed(returned, accounts.client)
    except NotFoundError:
        return
    except ServiceClientError as error:
        page.forget_parameters(forget)
        emit("error", describe_error(error))
        return
    page.forget_parameters(forget)
    if state.connected_account_id is not None:
        await _tell(state.connected_account_id, accounts, emit)
    elif state.error:
        emit("error", describe_error(SdkError("connect_failed", state.error)))


async def _redeemed(returned: Return, client: AsyncClient) -> ConnectSessionState:
    """Redeem the code, though the service be away for a while, or its answer get lost."""
    for pause in PAUSES:
        try:
            return await _redeemed_at_once(returned, client)
        except (ServiceUnreachableError, InternalServerError, RateLimitError):
            await asyncio.sleep(pause)
    return await _redeemed_at_once(returned, client)


async def _redeemed_at_once(returned: Return, client: AsyncClient) -> ConnectSessionState:
    try:
        return await client.connect_sessions.redeem(returned.session, returned.code)
    except BadRequestError:
        state = await client.connect_sessions.get(returned.session)
        if state.connected_account_id is None:
            raise
        return state  # the code was redeemed before, and the answer to that never came


async def _tell(account_id: int, accounts: Accounts, emit: Emit) -> None:
    """Announce that an account is connected, once its app is known; if that can't be asked, it stays connected."""
    for pause in (*PAUSES, None):
        try:
            app_name = await _app_of(accounts.client, account_id)
        except ServiceClientError as error:
            if pause is None:
                emit("error", describe_error(error))
                return
            await asyncio.sleep(pause)
        else:
            await accounts.connected(app_name, account_id)
            return


async def _app_of(client: AsyncClient, account_id: int) -> str:
    async for app in client.apps.list(connected_only=True):
        if any(account.id == account_id for account in app.connected_accounts):
            return app.name
    raise LookupError(f"No app has the account {account_id} that was just connected.")
