"""
Renews the accounts that nobody uses before their refresh token ends, a few at a time.

An account in use is renewed by its calls. One that isn't would be lost to its user when its refresh token ends, which
takes 60 days at one provider and 90 at another.
"""

import asyncio
from itertools import groupby

import structlog

from service_client.models import Code
from service_server.catalog.auth import TokenMethod
from service_server.errors import ServiceError
from service_server.oauth.credentials import Credentials, Opened
from service_server.oauth.token_answer import lifetime
from service_server.store import RenewalDue, Renewals
from service_server.store.clock import now

LOOK_SECONDS = 60.0
SHARE = 2 / 3
"""The part of its life after which a refresh token is renewed; the rest is left for a provider that is away."""
SHORTEST_LIFETIME_SECONDS = 24 * 3600.0
"""Shorter-lived ones would have to be renewed over and over for nobody: their accounts are left alone."""
RETRY_SECONDS = 3600.0
LOOK_AGAIN_SECONDS = 30 * 24 * 3600.0
"""When to look again at an account of which nobody knows that it ends; its connector may say so by then."""
NOT_OPENED_SECONDS = 24 * 3600.0
"""When to look again at an account that can't be opened: its connector, or the vault's key, may be back by then."""
_PAUSE_SECONDS = 1.0  # between two renewals at one app
_MOST_READ = 200
# Providers name it in their own ways, in seconds, as OAuth2 has no word for it.
_SAID_AS = ("refresh_token_expires_in", "refresh_expires_in", "x_refresh_token_expires_in")

_LOG = structlog.get_logger(__name__)


class UnusedAccounts:
    """
    Renews accounts whose refresh token would end; `look` is called again and again.

    Of several processes one sees to an account: who has put it off. A process that dies leaves it for an hour later, as
    does a provider that is away.
    """

    def __init__(self, renewals: Renewals, credentials: Credentials, *, pause_seconds: float = _PAUSE_SECONDS) -> None:
        self._renewals = renewals
        self._credentials = credentials
        self._pause_seconds = pause_seconds
        self._left_alone: dict[str, float] = {}

    async def look(self) -> None:
        """See to all that is due: at one app one after the other, with pauses, at several apps at a time."""
        while True:
            moment = now()
            self._left_alone = {app: until for app, until in self._left_alone.items() if until > moment}
            found = await self._renewals.due(_MOST_READ, self._left_alone)
            if not found:
                return
            found.sort(key=lambda each: each.account.app_name)
            apps = [list(of_app) for _, of_app in groupby(found, key=lambda each: each.account.app_name)]
            ended = await asyncio.gather(*map(self._one_after_the_other, apps), return_exceptions=True)
            for failure in ended:
                if isinstance(failure, BaseException):
                    raise failure

    async def _one_after_the_other(self, due: list[RenewalDue]) -> None:
        for each in due:
            if each.account.app_name in self._left_alone:
                return
            if await self._see_to(each):
                await asyncio.sleep(self._pause_seconds)

    async def _see_to(self, due: RenewalDue) -> bool:
        """Renew an account if that is due; whether its provider was asked."""
        moment = now()
        taken = RenewalDue(account=due.account, due_at=moment + RETRY_SECONDS)
        if not await self._renewals.put_off(due, taken.due_at):
            return False
        was_due, later = False, LOOK_AGAIN_SECONDS
        try:
            opened = await self._credentials.opened(due.account)
            due_at = renewal_due_at(opened)
            was_due = due_at is not None and due_at <= moment
            if was_due:
                due_at = renewal_due_at(await self._credentials.renewed(opened))
        except ServiceError as refusal:
            due_at, later = None, NOT_OPENED_SECONDS  # one that its app refuses is not looked at again anyway
            if refusal.code == Code.APP_UNREACHABLE:
                # If the app is away, or wants to be left alone, so are its other accounts.
                self._left_alone[due.account.app_name] = taken.due_at
                _LOG.warning("account.renewals_put_off", app=due.account.app_name, seconds=RETRY_SECONDS)
                return True
        # Where a provider's clock runs on whoever uses the token, there is nothing to be gained sooner.
        again_at = moment + later if due_at is None else max(due_at, taken.due_at)
        await self._renewals.put_off(taken, again_at)
        return was_due


def renewal_due_at(opened: Opened) -> float | None:
    """When an account has to be renewed that nobody uses; None if that is never, or can't be known."""
    secrets = opened.secrets
    if not isinstance(opened.auth, TokenMethod) or secrets.refresh_token is None:
        return None
    said = next((secrets.token[name] for name in _SAID_AS if name in secrets.token), None)
    seconds = lifetime(said) or opened.auth.refresh.lifetime_seconds
    if seconds is None or seconds < SHORTEST_LIFETIME_SECONDS:
        return None
    return (secrets.obtained_at or 0.0) + seconds * SHARE
