"""Renews the tokens of an account: one refresher at a time, across tasks and processes."""

import asyncio
import secrets
from functools import partial
from typing import Any

from attrs import evolve, frozen

from service_server.catalog.auth import TokenMethod
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.values import Connector
from service_server.errors import ServiceError
from service_server.events import tell, warn
from service_server.oauth.app_settings import AppSettings, AppSettingsReader
from service_server.oauth.grants import is_renewable, next_token
from service_server.oauth.late_tokens import LateTokens
from service_server.oauth.refusals import account_gone, reconnect_required, unreachable
from service_server.oauth.revocation import revoke
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.oauth.token_answer import TokenAnswer, TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TIMEOUT_SECONDS, TokenEndpointUnreachable
from service_server.oauth.variables import captured_variables
from service_server.onward.sender import Sender
from service_server.store import Account, Accounts, DatabaseAway, Lease
from service_server.store.clock import now
from service_server.vault import Vault

# Longer than a token request can take: whoever holds the lease longer has died.
LEASE_SECONDS = TIMEOUT_SECONDS + 5
_PATIENCE_SECONDS = LEASE_SECONDS + TIMEOUT_SECONDS
_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 0.5


@frozen
class Subject:
    """An account whose tokens are to be renewed, with what its connector says about it."""

    account: Account
    connector: Connector
    auth: TokenMethod


class _NotRenewed(Exception):
    """
    Nothing was renewed, for a `reason`; `refusal` is what callers are told.

    If it was `interrupted`, the provider may have issued new tokens that never arrived here.
    """

    def __init__(self, refusal: ServiceError, reason: str, *, interrupted: bool) -> None:
        super().__init__(reason)
        self.refusal = refusal
        self.reason = reason
        self.interrupted = interrupted


class Refresher:
    """
    Renews tokens, exactly once per expiry.

    Within a process, all who need the same tokens wait for one task. Between processes, a lease in the database decides
    who asks the provider; the others read the account again until its credentials have changed. No database lock is
    held while the provider is asked.

    A provider that rotates refresh tokens may have issued a new one that never arrived: the answer was lost, or the
    process died before it had kept the token. The account remembers that (`Lease.follows_interruption`), so that it can
    explain a refusal of the old token. One that did arrive while the database was away is kept once that is back; until
    then its lease is held, and nobody asks with the old one.
    """

    def __init__(self, vault: Vault, accounts: Accounts, settings: AppSettingsReader, sender: Sender) -> None:
        self._vault = vault
        self._accounts = accounts
        self._settings = settings
        self._sender = sender
        self._running: dict[tuple[int, int], asyncio.Task[Account]] = {}
        self._late = LateTokens()

    async def renewed(self, subject: Subject) -> Account:
        """
        Return the account with newer credentials than it came with, whoever renewed them.

        Raises:
            ServiceError: see `Credentials.usable`.
        """
        key = _key(subject)
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._renew(subject), name="token refresh")
            task.add_done_callback(lambda done: self._forget(key, done))
        # Shielded: a caller that gives up must not take a rotated token with it.
        return await asyncio.shield(task)

    async def drain(self) -> None:
        """Wait for the refreshes under way."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        await self._late.drain()

    def _forget(self, key: tuple[int, int], done: asyncio.Task[Account]) -> None:
        self._running.pop(key, None)
        if not done.cancelled():
            done.exception()  # marks the error as seen, even if every caller has gone

    async def _renew(self, subject: Subject) -> Account:
        await self._late.wait(_key(subject))
        owner = secrets.token_hex(8)
        account = subject.account
        give_up_at = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
        pause = _FIRST_PAUSE_SECONDS
        while asyncio.get_running_loop().time() < give_up_at:
            lease = await self._accounts.take_lease(account, owner, LEASE_SECONDS)
            if lease is not None:
                return await self._under_lease(subject, lease)
            current = await self._current(subject)
            if current.version != account.version or current.state != "active":
                return current
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
        raise unreachable(subject.connector, "another process has been renewing its access for too long")

    async def _under_lease(self, subject: Subject, lease: Lease) -> Account:
        try:
            return await self._ask(subject, lease)
        except _NotRenewed as failure:
            await self._accounts.release_lease(
                subject.account, lease, interrupted=failure.interrupted, reason=failure.reason
            )
            raise failure.refusal from None
        except Exception:
            if _key(subject) not in self._late:
                await self._accounts.release_lease(subject.account, lease, interrupted=False)
            raise
        # Anything else ends the process; then the lease shows that it died.

    async def _ask(self, subject: Subject, lease: Lease) -> Account:
        account, connector = subject.account, subject.connector
        kept = open_secrets(
            self._vault, account.sealed_credentials, account.application_id, account.user_id, account.app_name
        )
        if not is_renewable(subject.auth, kept):
            return await self._dead(subject, "Its access has ended, and the app gave nothing to renew it with.")
        settings = await self._settings.of_account(connector, account)
        if settings.lacks(connector, subject.auth.id):
            raise self._failed(subject, "the operator has not completed its configuration")
        if not self._vault.can_seal:  # a rotated token that cannot be kept would be lost
            raise self._failed(subject, "this service's own key was replaced by another one")
        asked_at = now()
        try:
            answer = await next_token(
                _sender_for(self._sender, account),
                connector,
                subject.auth,
                _context(subject, kept, settings),
                settings.client,
                kept.refresh_token,
            )
        except TokenRefused as refusal:
            return await self._refused(subject, refusal, lease)
        except TokenEndpointUnreachable as failure:
            raise self._failed(subject, failure.reason, interrupted=failure.sent) from None
        except TokenAnswerUnreadable as failure:
            if failure.kind == "unexplained":  # nothing was issued, and nobody knows whether anything ever will be
                advice = "Try again later; if this goes on, reconnect."
                raise self._failed(subject, failure.reason, advice=advice) from None
            raise self._failed(subject, failure.reason, interrupted=True) from None
        except InvalidRequest as failure:
            raise self._failed(subject, failure.message) from None
        return await self._keep(subject, kept, answer, asked_at)

    async def _keep(self, subject: Subject, kept: Secrets, answer: TokenAnswer, asked_at: float) -> Account:
        account, fresh = subject.account, renewed_secrets(kept, answer, asked_at)
        sealed = seal_secrets(self._vault, fresh, account.application_id, account.user_id, account.app_name)
        try:
            return await self._replace(subject, fresh, sealed)
        except DatabaseAway:
            self._late.keep(_key(subject), account.id, partial(self._replace, subject, fresh, sealed))
            raise

    async def _replace(self, subject: Subject, fresh: Secrets, sealed: str) -> Account:
        account = subject.account
        variables = {**account.variables, **captured_variables(subject.connector, fresh.token)}
        replaced = await self._accounts.replace_credentials(account, sealed, fresh.expires_at, variables)
        current = await self._accounts.get(account.id) if not replaced else None
        if replaced or (current is not None and current.sealed_credentials == sealed):  # an attempt got through before
            tell("account.refreshed", **self._about(subject))
            return evolve(
                account,
                sealed_credentials=sealed,
                expires_at=fresh.expires_at,
                variables=variables,
                version=account.version + 1,
            )
        if current is None:  # disconnected meanwhile, which revoked the tokens before these
            settings = await self._settings.of_account(subject.connector, account)
            context = _context(subject, fresh, settings)
            sender = _sender_for(self._sender, account)
            await revoke(sender, subject.connector, subject.auth, context, settings.client, account.id)
        tell("account.refresh_superseded", **self._about(subject))  # reconnected meanwhile: its new credentials count
        return await self._current(subject)

    async def _refused(self, subject: Subject, refusal: TokenRefused, lease: Lease) -> Account:
        code = refusal.code
        if code is not None and code not in subject.auth.refresh.dead_on:
            # The app's fault or ours (invalid_client), not the account's: reconnecting would not help.
            raise self._failed(subject, f"its token endpoint answered {code}")
        said = f" ({code})" if code else ""
        if lease.follows_interruption and subject.auth.refresh.rotates:
            return await self._dead(
                subject,
                f"An earlier renewal of its access was cut off before the answer could be kept, and the app no longer "
                f"takes what it was renewed with{said}.",
            )
        return await self._dead(subject, f"The app refused to renew its access{said}.")

    async def _dead(self, subject: Subject, reason: str) -> Account:
        if await self._accounts.require_reconnect(subject.account, reason):
            warn("account.reconnect_required", **self._about(subject), reason=reason)
            raise reconnect_required(subject.connector.title, evolve(subject.account, state_reason=reason))
        return await self._current(subject)

    def _failed(
        self, subject: Subject, reason: str, *, interrupted: bool = False, advice: str = "Try again later."
    ) -> _NotRenewed:
        """Tell that a renewal failed; gives what to raise."""
        warn("account.refresh_failed", **self._about(subject), reason=reason)
        return _NotRenewed(unreachable(subject.connector, reason, advice), reason, interrupted=interrupted)

    def _about(self, subject: Subject) -> dict[str, Any]:
        return about_account(self._vault, subject.account)

    async def _current(self, subject: Subject) -> Account:
        current = await self._accounts.get(subject.account.id)
        if current is None:
            raise account_gone()
        return current


def about_account(vault: Vault, account: Account) -> dict[str, Any]:
    """What events say of an account."""
    return {
        "account": account.id,
        "application": account.application_id,
        "app": account.app_name,
        "auth": account.auth_id,
        "user": vault.pseudonym(account.application_id, account.user_id),
    }


def _sender_for(sender: Sender, account: Account) -> Sender:
    return sender.on_behalf_of(account.app_name, account.application_id, account.user_id)


def _key(subject: Subject) -> tuple[int, int]:
    return (subject.account.id, subject.account.version)


def _context(subject: Subject, secrets_: Secrets, settings: AppSettings) -> dict[str, Any]:
    variables = settings.context_variables(subject.connector, subject.account.variables)
    return {
        "auth_id": subject.auth.id,
        "creds": dict(secrets_.creds),
        "token": dict(secrets_.token),
        "vars": variables,
    }


def renewed_secrets(kept: Secrets, answer: TokenAnswer, asked_at: float) -> Secrets:
    """Merge a token answer into the kept secrets: what it leaves out (a refresh token, an id) stays as it was."""
    expires_at = None if answer.lifetime_seconds is None else asked_at + answer.lifetime_seconds
    return evolve(kept, token={**kept.token, **answer.token}, obtained_at=asked_at, expires_at=expires_at)
