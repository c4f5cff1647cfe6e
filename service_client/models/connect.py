"""Connect sessions: each is one attempt by a user to connect an account."""

from datetime import datetime
from typing import Literal

from attrs import frozen

ConnectStatus = Literal["pending", "connected", "cancelled", "failed", "expired"]
"""Today's states of a session; a newer service may know more ways to end."""


@frozen(kw_only=True)
class ConnectSession:
    """A freshly opened connect session; send the user to `url`, once, before `expires_at` (in UTC)."""

    id: str
    url: str
    expires_at: datetime


@frozen(kw_only=True)
class ConnectSessionState:
    """The state of a connect session; `connected_account_id` is set once it is `connected`."""

    status: ConnectStatus | str
    connected_account_id: int | None = None
    error: str | None = None
