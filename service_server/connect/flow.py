"""Connect sessions as the REST side sees them: create, watch, cancel, redeem; and disconnecting."""

from service_client.models import ConnectSession, ConnectSessionState
from service_server.catalog.values import Catalog
from service_server.oauth.credentials import Credentials
from service_server.onward.sender import Sender
from service_server.settings import Settings
from service_server.store import Accounts, AppConfigurations, Application, Applications, ConnectSessions
from service_server.vault import Vault


class ConnectFlow:
    """Everything around connecting accounts; one per process. The pages find it as `app.state.connect_flow`."""

    def __init__(
        self,
        *,
        settings: Settings,
        catalog: Catalog,
        vault: Vault,
        applications: Applications,
        accounts: Accounts,
        sessions: ConnectSessions,
        configurations: AppConfigurations,
        sender: Sender,
        credentials: Credentials,
    ) -> None:
        raise NotImplementedError

    async def create(
        self,
        application: Application,
        user_id: str,
        app_name: str,
        redirect_url: str | None = None,
        connected_account_id: int | None = None,
    ) -> ConnectSession:
        """Open a connect session for a user; ServiceError for an unknown app, account or a foreign redirect URL."""
        raise NotImplementedError

    async def state(
        self, application: Application, user_id: str, session_id: str, wait_seconds: float = 0
    ) -> ConnectSessionState:
        """Tell how a session stands; waits up to `wait_seconds` (25 at most) for a pending one to end."""
        raise NotImplementedError

    async def cancel(self, application: Application, user_id: str, session_id: str) -> None:
        """End a session as cancelled; one that ended before stays as it ended."""
        raise NotImplementedError

    async def redeem(self, application: Application, user_id: str, session_id: str, code: str) -> ConnectSessionState:
        """Finalise, in redirect mode, the account that waits for the code added to `redirect_url`."""
        raise NotImplementedError

    async def disconnect(self, application: Application, user_id: str, app_name: str, account_id: int | None) -> None:
        """Revoke and erase an account; without `account_id` the user's only one for the app."""
        raise NotImplementedError
