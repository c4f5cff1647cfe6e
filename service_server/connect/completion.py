"""The end of a successful attempt: the credentials are tried, and kept or parked until the host page redeems them."""

from collections.abc import Awaitable, Mapping
from typing import TypeVar

import structlog
from attrs import asdict, field, frozen

from service_server.catalog.values import AuthMethod, Connector
from service_server.connect.browser import hashed, new_secret
from service_server.connect.changes import Changes
from service_server.connect.origins import with_query
from service_server.connect.setback import Setback
from service_server.connect.verification import verify
from service_server.oauth.app_settings import AppSettingsReader
from service_server.oauth.secrets_of_account import Secrets, seal_secrets
from service_server.oauth.variables import captured_variables
from service_server.onward.sender import Sender
from service_server.store import (
    Account,
    AccountGone,
    Accounts,
    ConnectSessionRow,
    ConnectSessions,
    IdentityConflict,
    NewAccount,
    SessionEnded,
)
from service_server.vault import Kept, Vault

_PARKED = Kept.CONNECT_OUTCOME
_T = TypeVar("_T")

_LOG = structlog.get_logger(__name__)


@frozen
class SignedIn:
    """Fresh credentials of an attempt."""

    session: ConnectSessionRow
    connector: Connector
    method: AuthMethod
    secrets: Secrets = field(repr=False)
    variables: Mapping[str, str]


class Completion:
    """Keeps what attempts gained."""

    def __init__(
        self,
        *,
        vault: Vault,
        accounts: Accounts,
        sessions: ConnectSessions,
        settings: AppSettingsReader,
        sender: Sender,
        changes: Changes,
    ) -> None:
        self._vault = vault
        self._accounts = accounts
        self._sessions = sessions
        self._settings = settings
        self._sender = sender
        self._changes = changes

    async def complete(self, gained: SignedIn) -> str | None:
        """
        Try the credentials and keep the account.

        In redirect mode return where to send the browser, with the code that finalises the account; else None.

        Raises:
            Setback: the app does not accept them, they are someone else's, or the session has ended.
        """
        session = gained.session
        new = await self._new_account(gained)
        if session.redirect_url is None:
            await self.keep(session, new)
            return None
        await self._explained(new, self._accounts.check_connect(new, session.reconnect_account_id))
        code = new_secret()
        if not await self._sessions.await_redemption(
            session.id, hashed(code), self._vault.seal(asdict(new), _PARKED, session.id)
        ):
            raise session_over()
        return with_query(session.redirect_url, {"connect_session": session.id, "code": code})

    async def redeem(self, session: ConnectSessionRow, code: str) -> bool:
        """Keep the account parked for this code; False if there is none. Raises Setback as `complete`."""
        if session.sealed_progress is None or not await self._sessions.take_code(session.id, hashed(code)):
            return False
        await self.keep(session, NewAccount(**self._vault.open(session.sealed_progress, _PARKED, session.id)))
        return True

    async def keep(self, session: ConnectSessionRow, new: NewAccount) -> Account:
        """Keep the account and end the session as connected."""
        account = await self._explained(
            new,
            self._accounts.connect(new, session_id=session.id, reconnect_account_id=session.reconnect_account_id),
        )
        self._changes.announce(session.id)
        _LOG.info("account_connected", account_id=account.id, app=account.app_name, auth=account.auth_id)
        return account

    async def _new_account(self, gained: SignedIn) -> NewAccount:
        session, connector = gained.session, gained.connector
        variables = {**gained.variables, **captured_variables(connector, gained.secrets.token)}
        settings = await self._settings.of(connector)
        context = {
            "creds": dict(gained.secrets.creds),
            "token": dict(gained.secrets.token),
            "vars": settings.context_variables(connector, variables),
        }
        identity = await verify(self._sender, connector, gained.method, context)
        owner = (session.application_id, session.user_id, session.app_name)
        return NewAccount(
            application_id=session.application_id,
            user_id=session.user_id,
            app_name=session.app_name,
            auth_id=gained.method.id,
            external_id=identity.external_id,
            display_name=identity.display_name,
            sealed_credentials=seal_secrets(self._vault, gained.secrets, *owner),
            variables=variables,
            expires_at=gained.secrets.expires_at,
        )

    async def _explained(self, new: NewAccount, keeping: Awaitable[_T]) -> _T:
        try:
            return await keeping
        except SessionEnded:
            raise session_over() from None
        except AccountGone:
            raise Setback(
                "The account to reconnect has been disconnected meanwhile.",
                "Go back and connect it as a new one.",
                final=True,
            ) from None
        except IdentityConflict as conflict:
            raise Setback(
                f"You signed in as “{new.display_name}”, but the account to reconnect is “{conflict.display_name}”.",
                f"Try again and sign in as “{conflict.display_name}”.",
                f"To use “{new.display_name}” as well, go back and connect it as another account.",
            ) from None


def session_over() -> Setback:
    """The end of an attempt whose session was cancelled or expired before it succeeded."""
    return Setback("Connecting was cancelled or took too long, so nothing was connected.", final=True)
