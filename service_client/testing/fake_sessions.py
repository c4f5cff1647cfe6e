"""Connect sessions in memory."""

from datetime import UTC, datetime, timedelta

from service_client.models import Code, ConnectSession, ConnectSessionState
from service_client.testing.refusals import refused

SOME_DAY = datetime(2030, 1, 1, tzinfo=UTC)
_LIFETIME = timedelta(minutes=10)


class FakeSessions:
    """The connect sessions of a fake service; what those who watch them say they waited counts as time passing."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._sessions: dict[str, tuple[str, ConnectSessionState]] = {}
        self._watched: dict[str, float] = {}

    def open(self, app: str) -> ConnectSession:
        """Open a session in which an account of an app can be connected."""
        id = f"session-{len(self._sessions) + 1}"
        self._sessions[id] = app, ConnectSessionState(status="pending")
        return ConnectSession(id=id, url=f"{self._address}/connect/{id}", expires_at=SOME_DAY + _LIFETIME)

    def app(self, id: str) -> str:
        """Return the app of a session."""
        return self._sessions[id][0]

    def finish(self, id: str, account_id: int) -> None:
        """Let a session have connected an account."""
        self._sessions[id] = self.app(id), ConnectSessionState(status="connected", connected_account_id=account_id)

    def watch(self, id: str, seconds: float) -> ConnectSessionState:
        """Answer at once, but count the seconds: a session that nobody finishes expires for those who wait."""
        app, state = self._session(id)
        if state.status == "pending":
            self._watched[id] = self._watched.get(id, 0.0) + seconds
            if self._watched[id] > _LIFETIME.total_seconds():
                state = ConnectSessionState(status="expired")
                self._sessions[id] = app, state
        return state

    def cancel(self, id: str) -> None:
        """End a session that nobody has finished."""
        app, state = self._session(id)
        if state.status == "pending":
            self._sessions[id] = app, ConnectSessionState(status="cancelled")

    def _session(self, id: str) -> tuple[str, ConnectSessionState]:
        if id not in self._sessions:
            raise refused(404, Code.UNKNOWN_CONNECT_SESSION, f"There is no connect session {id!r}.")
        return self._sessions[id]
