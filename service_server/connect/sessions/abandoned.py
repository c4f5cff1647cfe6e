"""What attempts have gained and nobody will use: revoked at the app as far as it can be, and erased."""

from contextlib import AbstractAsyncContextManager

import structlog

from service_server.connect.sessions.parts import ConnectParts
from service_server.store import ConnectSessionRow, DatabaseAway, NewAccount
from service_server.store.clock import now
from service_server.upkeep.repeating import repeated
from service_server.vault import Kept, Unsealable

LOOK_SECONDS = 5.0
# How long one process has for revoking before another one may; and then, where the app can't be reached, tries again.
CLAIM_SECONDS = 300.0
# How long after its end a grant is kept that could not be revoked, since the app can't be reached.
LONGEST_SECONDS = 3600.0

_LOG = structlog.get_logger(__name__)


class AbandonedGrants:
    """
    Revokes what connect sessions have gained that then nobody kept: they were cancelled, failed or ran out.

    What waits to be redeemed outlives its session until it has been revoked, so that no restart lets it live on.
    """

    def __init__(self, parts: ConnectParts) -> None:
        self._vault = parts.vault
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._credentials = parts.credentials

    async def give_up(self, gained: NewAccount) -> bool:
        """
        Revoke what was gained; False if that may still succeed later.

        Not where the same identity is connected already (or may be, where the app names none): many apps end all that
        they have granted for an identity when a part of it is revoked.
        """
        if await self._accounts.is_connected(gained):
            return True
        return await self._credentials.revoke(gained)

    async def clear_up(self) -> None:
        """Erase what sessions that are over have left behind, after revoking what they had gained."""
        await self._sessions.erase_progress()
        for session in await self._sessions.unredeemed():
            if await self._sessions.claim_unredeemed(session.id, CLAIM_SECONDS):
                await self._clear_up(session)

    def clearing_up(self) -> AbstractAsyncContextManager[None]:
        """Clear up from now on, every few seconds."""
        failure = "connect sessions that are over could not be cleared up"
        return repeated(self.clear_up, LOOK_SECONDS, failure, passing=DatabaseAway)

    async def _clear_up(self, session: ConnectSessionRow) -> None:
        try:
            gained = NewAccount(**self._vault.open(session.sealed_outcome or "", Kept.CONNECT_OUTCOME, session.id))
        except Unsealable:
            _LOG.warning("revocation_failed", app=session.app_name, reason="its credentials can't be unsealed")
        else:
            if not await self.give_up(gained) and now() < session.expires_at + LONGEST_SECONDS:
                return
        await self._sessions.erase_outcome(session.id)
