"""The one shape in which an account's secrets are sealed: what the user typed in, or what the token endpoint gave."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, field, frozen

from service_server.vault import Kept, Vault

_PURPOSE = Kept.CREDENTIALS


@frozen(kw_only=True)
class Secrets:
    """Credentials of one account; times are Unix seconds by our clock, None when the provider named no end."""

    creds: Mapping[str, str] = field(factory=dict, repr=False)
    token: Mapping[str, Any] = field(factory=dict, repr=False)
    obtained_at: float | None = None
    expires_at: float | None = None

    @property
    def refresh_token(self) -> str | None:
        """The token that access tokens are renewed with."""
        value = self.token.get("refresh_token")
        return value if isinstance(value, str) and value else None


def seal_secrets(vault: Vault, secrets: Secrets, application_id: int, user_id: str, app_name: str) -> str:
    """Seal secrets so that they open for this owner and app only."""
    return vault.seal(asdict(secrets), _PURPOSE, application_id, user_id, app_name)


def open_secrets(vault: Vault, sealed: str, application_id: int, user_id: str, app_name: str) -> Secrets:
    """Open what `seal_secrets` sealed; Unsealable if it is someone else's."""
    return Secrets(**vault.open(sealed, _PURPOSE, application_id, user_id, app_name))
