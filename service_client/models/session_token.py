"""Short-lived tokens that a host's backend mints for its pages."""

from attrs import frozen


@frozen(kw_only=True)
class SessionToken:
    """A bearer token for one user; `expires_at` is UTC."""

    token: str
    expires_at: str
