"""The one shape in which an account's secrets are sealed: what the user typed in, or what the token endpoint gave."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import asdict, field, frozen

from service_server.redaction.spellings import Spellings, texts_in
from service_server.vault import Kept, Vault

KEPT_SECONDS = 60.0
MOST_KEPT = 2_000
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

    @cached_property
    def spellings(self) -> Spellings:
        """How they may appear in texts of others."""
        return Spellings.of([*texts_in(self.creds), *texts_in(self.token)])


def seal_secrets(vault: Vault, secrets: Secrets, application_id: int, user_id: str, app_name: str) -> str:
    """Seal secrets so that they open for this owner and app only."""
    return vault.seal(asdict(secrets), _PURPOSE, application_id, user_id, app_name)


def open_secrets(vault: Vault, sealed: str, application_id: int, user_id: str, app_name: str) -> Secrets:
    """Open what `seal_secrets` sealed; Unsealable if it is someone else's."""
    return Secrets(**vault.open(sealed, _PURPOSE, application_id, user_id, app_name))


class OpenedSecrets:
    """
    Opens secrets, and keeps what it has opened in this process's memory for a minute.

    Sealing again gives another text, so replaced secrets are never taken for the current ones.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._kept: OrderedDict[tuple[str, int, str, str], tuple[float, Secrets]] = OrderedDict()

    def open(self, sealed: str, application_id: int, user_id: str, app_name: str) -> Secrets:
        """Open what `seal_secrets` sealed; Unsealable if it is someone else's."""
        key = (sealed, application_id, user_id, app_name)
        now = time.monotonic()
        if key in self._kept and self._kept[key][0] > now:
            return self._kept[key][1]
        self._forget(now)
        secrets = open_secrets(self._vault, *key)
        self._kept[key] = (now + KEPT_SECONDS, secrets)
        return secrets

    def _forget(self, now: float) -> None:
        """Drop what has been kept long enough, and the oldest ones when there are too many."""
        while self._kept and (len(self._kept) >= MOST_KEPT or next(iter(self._kept.values()))[0] <= now):
            self._kept.popitem(last=False)
