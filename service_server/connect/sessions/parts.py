"""What connecting works with, put together once for the sessions and their pages."""

from collections import deque
from typing import Any

from attrs import field, frozen

from service_server.catalog.catalog import Catalog
from service_server.connect.sessions.changes import Changes
from service_server.oauth.credentials import Credentials
from service_server.onward.sender import Sender
from service_server.settings import Settings
from service_server.store import Accounts, Applications, ConnectSessionRow, ConnectSessions, NewAccount
from service_server.vault import Vault

_MOST_LOST = 1_000


def about_session(vault: Vault, session: ConnectSessionRow) -> dict[str, Any]:
    """What events say of a connect session."""
    return {
        "application": session.application_id,
        "app": session.app_name,
        "user": vault.pseudonym(session.application_id, session.user_id),
    }


@frozen(kw_only=True)
class ConnectParts:
    """
    The parts of the service that connecting needs, and the announcements of how its sessions change.

    `lost` are the accounts that users have just signed in to when the database went away, so that nobody has them.
    """

    settings: Settings
    catalog: Catalog
    vault: Vault
    applications: Applications
    accounts: Accounts
    sessions: ConnectSessions
    credentials: Credentials
    sender: Sender
    changes: Changes = field(factory=Changes)
    lost: deque[NewAccount] = field(factory=lambda: deque(maxlen=_MOST_LOST), repr=False)

    @property
    def callback_url(self) -> str:
        """Where providers send the browser back to."""
        return f"{self.settings.public_url}/oauth/callback"

    def page_url(self, session_id: str) -> str:
        """The address of a session's page."""
        return f"{self.settings.public_url}/connect/{session_id}"
