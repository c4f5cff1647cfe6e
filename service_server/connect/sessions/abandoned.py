"""Grants that attempts have gained and nobody will use: revoked at the app if possible, and erased."""

from contextlib import AbstractAsyncContextManager

import structlog

from service_server.connect.sessions.parts import ConnectParts
from service_server.store import ConnectSessionRow, DatabaseAway, NewAccount
from service_server.store.clock import now
from service_server.upkeep.repeating import repeated
from service_server.vault import Kept, Unsealable

LOOK_SECONDS = 5.0
# How long one process has to revoke a grant before another may try; also how long until the next try if the app can't
# be reached.
CLAIM_SECONDS = 300.0
# How long after its session's end a grant is kept that could not be revoked because the app can't be reached.
LONGEST_SECONDS = 3600.0

_LOG = structlog.get_logger(__name__)


class AbandonedGrants:
    """
    Revokes what connect sessions gained but nobody kept, because they were cancelled, failed or ran out.

    A grant that waits to be redeemed is kept after its session has ended until it has been revoked, so that a restart
    does not leave it valid.
    """

    def __init__(self, parts: ConnectParts) -> None:
        self._vault = parts.vault
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._credentials = parts.credentials
        self._lost = parts.lost

    async def give_up(self, gained: NewAccount) -> bool:
        """
        Revoke what was gained; False if that may still succeed later.

        Nothing is revoked if the same identity is connected already (or may be, if the app names none): many apps end
        all that they have granted to an identity when a part of it is revoked.
        """
        if await self._accounts.is_connected(gained):
            return True
        return await self._credentials.revoke(gained)

    def give_up_later(self, gained: NewAccount) -> None:
        """Revoke what was gained once the database, which has just failed, is back; not if this process ends before."""
        self._lost.append(gained)

    async def clear_up(self) -> None:
        """Erase what ended sessions have left behind, after revoking what they gained."""
        while self._lost:
            await self.give_up(self._lost[0])  # if the database had kept it after all, it is connected
            self._lost.popleft()
        await self._sessions.erase_progress()
        for session in await self._sessions.unredeemed():
            if await self._sessions.claim_unredeemed(session.id, CLAIM_SECONDS):
                await self._clear_up(session)

    def clearing_up(self) -> AbstractAsyncContextManager[None]:
        """Clear up from now on, every few seconds."""
        return repeated(self.clear_up, LOOK_SECONDS, "connect.not_cleared_up", passing=DatabaseAway)

    async def _clear_up(self, session: ConnectSessionRow) -> None:
        try:
            gained = NewAccount(**self._vault.open(session.sealed_outcome or "", Kept.CONNECT_OUTCOME, session.id))
        except Unsealable:
            _LOG.warning("account.revocation_failed", app=session.app_name, reason="its credentials can't be unsealed")
        else:
            if not await self.give_up(gained) and now() < session.expires_at + LONGEST_SECONDS:
                return
        await self._sessions.erase_outcome(session.id)
