"""Short-lived tokens that a host's backend mints for its pages."""

from datetime import datetime

from attrs import field, frozen


@frozen(kw_only=True)
class SessionToken:
    """A bearer token for one user; `expires_at` is in UTC."""

    token: str = field(repr=False)
    expires_at: datetime
