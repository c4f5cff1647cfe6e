"""Ends a session from its page, and says how it ended."""

from service_server.catalog.values import Connector
from service_server.connect.pages.answers import Ended
from service_server.connect.pages.appearance import Appearance
from service_server.connect.pages.endings import cancelled, how_it_ended, set_back
from service_server.connect.sessions.parts import ConnectParts, about_session
from service_server.connect.signing_in.setback import Setback
from service_server.events import tell
from service_server.store import ConnectSessionRow


class Conclusion:
    """Ends sessions for good; one that has ended in the meantime stays as it ended, and its page says so."""

    def __init__(self, parts: ConnectParts) -> None:
        self._vault = parts.vault
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._changes = parts.changes

    async def cancel(self, session: ConnectSessionRow, appearance: Appearance, connector: Connector) -> Ended:
        """End the session because the user says so."""
        if not await self._sessions.finish(session.id, "cancelled"):
            return await self._as_it_ended(session, appearance, connector)
        tell("connect.cancelled", **about_session(self._vault, session))
        self._changes.announce(session.id)
        return cancelled(session, appearance, connector)

    async def fail(
        self, session: ConnectSessionRow, appearance: Appearance, connector: Connector | None, setback: Setback
    ) -> Ended:
        """End the session because trying again in it can't help."""
        if not await self._sessions.finish(session.id, "failed", error=" ".join((setback.text, *setback.steps))):
            return await self._as_it_ended(session, appearance, connector)
        self._changes.announce(session.id)
        return set_back(session, appearance, connector, setback)

    async def _as_it_ended(
        self, session: ConnectSessionRow, appearance: Appearance, connector: Connector | None
    ) -> Ended:
        """The page of a session that something else has ended in the meantime, such as the same form sent twice."""
        session = await self._sessions.get(session.id) or session
        account_id = session.connected_account_id
        account = None if account_id is None else await self._accounts.get(account_id)
        return how_it_ended(session, appearance, connector, account)
