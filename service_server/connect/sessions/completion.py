"""The end of a successful attempt: the credentials are tried, and kept or parked until the host page redeems them."""

from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from service_server.administration.origins import with_parameters
from service_server.catalog.auth import AuthMethod
from service_server.catalog.values import Connector
from service_server.connect.sessions.abandoned import AbandonedGrants
from service_server.connect.sessions.choosing import Choices, Choosing, not_to_be_chosen, session_over
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import verify
from service_server.events import tell
from service_server.html_pages.language import gettext as _
from service_server.html_pages.tokens import hashed, new_secret
from service_server.oauth.refresh import about_account
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.oauth.variables import captured_variables
from service_server.store import (
    Account,
    AccountGone,
    ConnectSessionRow,
    DatabaseAway,
    IdentityConflict,
    NewAccount,
    SessionEnded,
)
from service_server.vault import Kept

_PARKED = Kept.CONNECT_OUTCOME
_T = TypeVar("_T")


@frozen
class SignedIn:
    """Fresh credentials of an attempt."""

    session: ConnectSessionRow
    connector: Connector
    method: AuthMethod
    secrets: Secrets = field(repr=False)
    variables: Mapping[str, str]
    own_settings: bool


class Completion:
    """Keeps what attempts gained."""

    def __init__(self, parts: ConnectParts) -> None:
        self._vault = parts.vault
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._settings = parts.credentials.settings
        self._sender = parts.sender
        self._changes = parts.changes
        self._abandoned = AbandonedGrants(parts)
        self._choices = Choices(parts)

    async def complete(self, gained: SignedIn, known: Mapping[str, str]) -> str | Choosing | None:
        """
        Try the credentials and keep the account.

        In redirect mode return where to send the browser, with the code that finalises the account; else None. If the
        user has to choose first, return the choice. `known` has the variables of an account that is reconnected.

        Raises:
            Setback: the app does not accept them, they are someone else's, or the session has ended.
        """
        new = self._unverified(gained)
        try:
            context = await self._context(gained, new)
            settled = await self._choices.settled(gained.connector, gained.method, new, context, known)
            if not isinstance(settled, NewAccount):
                return await self._choices.park(gained.session, gained.connector, gained.method, new, settled)
        except Setback:
            await self._abandoned.give_up(new)
            raise
        except DatabaseAway:
            self._abandoned.give_up_later(new)
            raise
        return await self._finished(gained, settled)

    async def chosen(self, session: ConnectSessionRow, connector: Connector, value: str) -> str | None:
        """
        Go on with what the user has chosen, as `complete` does.

        The choice is used up by keeping or parking the account, or by a setback, and not before: if the database goes
        away, it can be made again.

        Raises:
            Setback: as `complete`; also if it wasn't offered, or was chosen already.
        """
        choosing = self._choices.waiting(session)
        new = None if choosing is None else self._choices.chosen(session, choosing, value)
        method = None if choosing is None else connector.auth_method(choosing.auth_id)
        if choosing is None or new is None or method is None:
            raise not_to_be_chosen()
        owner = (new.application_id, new.user_id, new.app_name)
        secrets = open_secrets(self._vault, new.sealed_credentials, *owner)
        # What was parked is this same grant, so it must not be revoked as one that was replaced.
        gained = SignedIn(
            evolve(session, sealed_outcome=None), connector, method, secrets, new.variables, new.own_settings
        )
        return await self._finished(gained, new, hashed(choosing.code))

    async def _finished(self, gained: SignedIn, new: NewAccount, choice_hash: str | None = None) -> str | None:
        """
        Keep the account, or park it in redirect mode; on failure give it up, also where it is parked.

        It is parked where there was a choice, the hash of whose code is `choice_hash`.
        """
        session = gained.session
        try:
            new = await self._verified(gained, new)
            if session.redirect_url is None:
                await self.keep(session, new, choice_hash)
                return None
            return await self._park(session, session.redirect_url, new, choice_hash)
        except Setback:
            if choice_hash is None:
                await self._abandoned.give_up(new)
            # Who has sent the choice twice may have the account by now, or be about to: only one may give it up.
            elif await self._sessions.take_code(session.id, choice_hash) and await self._abandoned.give_up(new):
                await self._sessions.erase_outcome(session.id)
            raise
        except DatabaseAway:
            if choice_hash is None:
                self._abandoned.give_up_later(new)
            raise

    async def redeem(self, session: ConnectSessionRow, code: str) -> bool:
        """
        Keep the account parked for this code; False if there is none. Raises Setback as `complete` does.

        The code is used up by keeping the account, and not before: if that fails, it is still good.
        """
        code_hash = hashed(code)
        if session.sealed_outcome is None or session.code_hash != code_hash:
            return False
        new = self._parked(session, session.sealed_outcome)

        async def connected() -> bool:
            try:
                await self._connected(session, new, code_hash)
            except SessionEnded:  # or somebody was faster
                return False
            return True

        return await self._explained(new, connected())

    async def keep(self, session: ConnectSessionRow, new: NewAccount, code_hash: str | None = None) -> Account:
        """Keep the account and end the session as connected; a code of this hash is used up by it."""
        return await self._explained(new, self._connected(session, new, code_hash))

    async def _connected(self, session: ConnectSessionRow, new: NewAccount, code_hash: str | None = None) -> Account:
        account = await self._accounts.connect(
            new, session_id=session.id, reconnect_account_id=session.reconnect_account_id, code_hash=code_hash
        )
        self._changes.announce(session.id)
        tell("account.connected", **about_account(self._vault, account), again=session.reconnect_account_id is not None)
        return account

    async def _park(
        self, session: ConnectSessionRow, redirect_url: str, new: NewAccount, choice_hash: str | None
    ) -> str:
        """Keep what was gained until it is redeemed; return where to send the browser."""
        await self._explained(new, self._accounts.check_connect(new, session.reconnect_account_id))
        code = new_secret()
        sealed = self._vault.seal(new.parked(), _PARKED, session.id)
        if not await self._sessions.await_redemption(session.id, hashed(code), sealed, in_place_of=choice_hash):
            raise session_over() if choice_hash is None else not_to_be_chosen()
        if session.sealed_outcome is not None:  # the user has gone back and signed in again
            replaced = self._parked(session, session.sealed_outcome)
            if replaced.external_id != new.external_id:
                await self._abandoned.give_up(replaced)
        return with_parameters(redirect_url, {"connect_session": session.id, "code": code})

    def _parked(self, session: ConnectSessionRow, sealed: str) -> NewAccount:
        return NewAccount(**self._vault.open(sealed, _PARKED, session.id))

    def _unverified(self, gained: SignedIn) -> NewAccount:
        """What was gained, before the app has said whose it is."""
        session = gained.session
        owner = (session.application_id, session.user_id, session.app_name)
        return NewAccount(
            application_id=session.application_id,
            user_id=session.user_id,
            app_name=session.app_name,
            auth_id=gained.method.id,
            external_id=None,
            display_name="",
            sealed_credentials=seal_secrets(self._vault, gained.secrets, *owner),
            variables={**gained.variables, **captured_variables(gained.connector, gained.secrets.token)},
            expires_at=gained.secrets.expires_at,
            own_settings=gained.own_settings,
        )

    async def _context(self, gained: SignedIn, new: NewAccount) -> dict[str, Any]:
        settings = await self._settings.of_account(gained.connector, new)
        return {
            "auth_id": gained.method.id,
            "creds": dict(gained.secrets.creds),
            "token": dict(gained.secrets.token),
            "vars": settings.context_variables(gained.connector, new.variables),
        }

    async def _verified(self, gained: SignedIn, new: NewAccount) -> NewAccount:
        context = await self._context(gained, new)
        sender = self._sender.on_behalf_of(gained.connector.name, new.application_id, new.user_id)
        identity = await verify(sender, gained.connector, gained.method, context)
        return evolve(new, external_id=identity.external_id, display_name=identity.display_name)

    async def _explained(self, new: NewAccount, keeping: Awaitable[_T]) -> _T:
        try:
            return await keeping
        except SessionEnded:
            raise session_over() from None
        except AccountGone:
            raise Setback(
                _("The account to reconnect has been disconnected in the meantime."),
                _("Go back and connect it as a new one."),
                final=True,
            ) from None
        except IdentityConflict as conflict:
            raise Setback(
                _(
                    "You signed in as “%(name)s”, but the account to reconnect is “%(other)s”.",
                    name=new.display_name,
                    other=conflict.display_name,
                ),
                _("Try again and sign in as “%(name)s”.", name=conflict.display_name),
                _("To use “%(name)s” as well, go back and connect it as another account.", name=new.display_name),
            ) from None
