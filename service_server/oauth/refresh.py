"""Renews the tokens of an account: one refresher at a time, across tasks and processes."""

import asyncio
import secrets

import structlog
from attrs import evolve, frozen

from service_client.models import Action, Code
from service_server.catalog.values import Connector, InvalidRequest, OAuth2Code
from service_server.errors import ServiceError, refused
from service_server.oauth.app_settings import AppSettingsReader
from service_server.oauth.revocation import revoke
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.oauth.token_answer import TokenAnswer, TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TIMEOUT_SECONDS, TokenEndpointUnreachable, ask_for_token
from service_server.oauth.token_request import refresh_request
from service_server.oauth.variables import captured_variables
from service_server.onward.sender import Sender
from service_server.store import Account, Accounts
from service_server.store.clock import now
from service_server.vault import Vault

# Longer than a token request can take: who holds the lease longer than this has died.
LEASE_SECONDS = TIMEOUT_SECONDS + 5
_PATIENCE_SECONDS = LEASE_SECONDS + TIMEOUT_SECONDS
_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 0.5

_LOG = structlog.get_logger(__name__)


@frozen
class Subject:
    """An account whose tokens are to be renewed, with what its connector says about it."""

    account: Account
    connector: Connector
    auth: OAuth2Code


class Refresher:
    """
    Renews tokens, exactly once per expiry.

    Within a process all who need the same tokens wait for one task. Between processes a lease in the database decides
    who asks the provider; the others read the account again until its credentials have changed. No database lock is
    held while the provider is asked.
    """

    def __init__(self, vault: Vault, accounts: Accounts, settings: AppSettingsReader, sender: Sender) -> None:
        self._vault = vault
        self._accounts = accounts
        self._settings = settings
        self._sender = sender
        self._running: dict[tuple[int, int], asyncio.Task[Account]] = {}

    async def renewed(self, subject: Subject) -> Account:
        """
        Return the account with newer credentials than it came with, whoever renewed them.

        Raises:
            ServiceError: see `Credentials.usable`.
        """
        key = (subject.account.id, subject.account.version)
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._renew(subject), name="token refresh")
            task.add_done_callback(lambda done: self._forget(key, done))
        # Shielded: a caller that gives up must not take a rotated token with it.
        return await asyncio.shield(task)

    async def drain(self) -> None:
        """Wait for the refreshes under way."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _forget(self, key: tuple[int, int], done: asyncio.Task[Account]) -> None:
        self._running.pop(key, None)
        if not done.cancelled():
            done.exception()  # taken note of, even if every caller has gone

    async def _renew(self, subject: Subject) -> Account:
        owner = secrets.token_hex(8)
        give_up_at = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
        pause = _FIRST_PAUSE_SECONDS
        while asyncio.get_running_loop().time() < give_up_at:
            if await self._accounts.take_lease(subject.account, owner, LEASE_SECONDS):
                return await self._under_lease(subject, owner)
            current = await self._accounts.get(subject.account.id)
            if current is None:
                raise account_gone()
            if current.version != subject.account.version:
                return current
            if current.state != "active":
                raise reconnect_required(subject.connector.title, current)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
        raise unreachable(subject.connector, "another process has been renewing its access for too long")

    async def _under_lease(self, subject: Subject, owner: str) -> Account:
        try:
            return await self._ask(subject)
        except BaseException:
            await self._accounts.release_lease(subject.account, owner)
            raise

    async def _ask(self, subject: Subject) -> Account:
        account, connector = subject.account, subject.connector
        kept = open_secrets(
            self._vault, account.sealed_credentials, account.application_id, account.user_id, account.app_name
        )
        if kept.refresh_token is None:
            return await self._dead(subject, "its access has ended and the app gave nothing to renew it with")
        settings = await self._settings.of(connector)
        if settings.client is None or settings.lacks(connector, subject.auth.id):
            raise unreachable(connector, "the operator has not completed its configuration")
        asked_at = now()
        try:
            context = {"token": kept.token, "vars": settings.context_variables(connector, account.variables)}
            request = refresh_request(subject.auth, context, settings.client, kept.refresh_token)
            answer = await ask_for_token(self._sender, request)
        except TokenRefused as refusal:
            return await self._refused(subject, refusal)
        except (TokenEndpointUnreachable, TokenAnswerUnreadable) as failure:
            raise unreachable(connector, failure.reason) from None
        except InvalidRequest as failure:
            raise unreachable(connector, failure.message) from None
        return await self._keep(subject, kept, answer, asked_at)

    async def _keep(self, subject: Subject, kept: Secrets, answer: TokenAnswer, asked_at: float) -> Account:
        account = subject.account
        fresh = renewed_secrets(kept, answer, asked_at)
        sealed = seal_secrets(self._vault, fresh, account.application_id, account.user_id, account.app_name)
        variables = {**account.variables, **captured_variables(subject.connector, fresh.token)}
        replaced = await self._accounts.replace_credentials(account, sealed, fresh.expires_at, variables)
        if replaced:
            return evolve(
                account,
                sealed_credentials=sealed,
                expires_at=fresh.expires_at,
                variables=variables,
                version=account.version + 1,
            )
        if (
            await self._accounts.get(account.id) is None
        ):  # disconnected meanwhile, which revoked the tokens before these
            settings = await self._settings.of(subject.connector)
            context = {"token": fresh.token, "vars": settings.context_variables(subject.connector, variables)}
            await revoke(self._sender, subject.auth, context, settings.client, account.id)
        _LOG.info("refresh_superseded", account_id=account.id)  # reconnected meanwhile: those credentials are newer
        return await self._current(subject)

    async def _refused(self, subject: Subject, refusal: TokenRefused) -> Account:
        code = refusal.code
        if code is not None and code not in subject.auth.refresh.dead_on:
            # Its own fault or ours (invalid_client), not the account's: reconnecting would not help.
            _LOG.warning("refresh_failed", account_id=subject.account.id, app=subject.connector.name, error=code)
            raise unreachable(subject.connector, f"its token endpoint answered {code}")
        return await self._dead(subject, f"the app refused to renew its access ({code or 'without a reason'})")

    async def _dead(self, subject: Subject, reason: str) -> Account:
        if await self._accounts.require_reconnect(subject.account, reason):
            _LOG.info("reconnect_required", account_id=subject.account.id, app=subject.connector.name, reason=reason)
            raise reconnect_required(subject.connector.title, subject.account)
        return await self._current(subject)

    async def _current(self, subject: Subject) -> Account:
        current = await self._accounts.get(subject.account.id)
        if current is None:
            raise account_gone()
        return current


def renewed_secrets(kept: Secrets, answer: TokenAnswer, asked_at: float) -> Secrets:
    """Lay a token answer over what was there: what it leaves out (a refresh token, an id) stays as it was."""
    expires_at = None if answer.lifetime_seconds is None else asked_at + answer.lifetime_seconds
    return evolve(kept, token={**kept.token, **answer.token}, obtained_at=asked_at, expires_at=expires_at)


def reconnect_required(title: str, account: Account) -> ServiceError:
    """The refusal of a call for an account that only its user can bring back."""
    return refused(
        Code.RECONNECT_REQUIRED,
        f"{title} no longer accepts the connection of “{account.display_name}”. Reconnect the account.",
        action=Action.RECONNECT,
    )


def unreachable(connector: Connector, reason: str) -> ServiceError:
    """The refusal of a call whose credentials can't be renewed just now."""
    return refused(
        Code.APP_UNREACHABLE,
        f"{connector.title} can't renew its access right now: {reason}. Nothing was sent. Try again later.",
        action=Action.WAIT,
    )


def account_gone() -> ServiceError:
    """The refusal of a call whose account was disconnected meanwhile."""
    return refused(
        Code.ACCOUNT_NOT_FOUND, "This account has been disconnected. Connect it again.", action=Action.CONNECT
    )
