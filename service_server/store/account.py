"""A connected account as it is kept, and what may be said against keeping one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import Factory, asdict, field, frozen

from service_client.models import ConnectedAccount
from service_client.models.app import AccountState


@frozen(kw_only=True)
class Account:
    """
    A connected account as it is kept; `version` moves whenever its credentials are replaced.

    `own_settings` tells that it was connected with settings of the app that are its application's own.
    """

    id: int
    application_id: int
    user_id: str
    app_name: str
    auth_id: str
    external_id: str | None
    display_name: str
    state: AccountState
    state_reason: str | None
    sealed_credentials: str = field(repr=False)
    variables: Mapping[str, str]
    expires_at: float | None
    version: int
    modified_at: str
    own_settings: bool = False
    refreshed_at: str | None = None

    def public(self) -> ConnectedAccount:
        """What callers see of it."""
        return ConnectedAccount(
            id=self.id,
            display_name=self.display_name,
            modified_at=datetime.fromisoformat(self.modified_at),
            state=self.state,
            state_reason=self.state_reason,
        )


@frozen(kw_only=True)
class NewAccount:
    """What a finished connect flow hands over; `own_settings` as of an `Account`."""

    application_id: int
    user_id: str
    app_name: str
    auth_id: str
    external_id: str | None
    display_name: str
    sealed_credentials: str = field(repr=False)
    variables: Mapping[str, str] = Factory(dict)
    expires_at: float | None = None
    own_settings: bool = False

    def parked(self) -> dict[str, Any]:
        """What is kept of it while it waits; the release before knows no `own_settings`."""
        return {name: value for name, value in asdict(self).items() if name != "own_settings" or value}


@frozen
class Lease:
    """
    The right to refresh an account's credentials, for a while.

    `follows_interruption` tells that an earlier refresh was cut off after its request may have been sent: the third
    party may have replaced what the credentials are refreshed with.
    """

    owner: str
    follows_interruption: bool


class SessionEnded(Exception):
    """An account's connect session had ended before the account could be kept."""


class AccountGone(LookupError):
    """The account to reconnect is not there (any more)."""


class IdentityConflict(Exception):
    """The credentials belong to another identity than the account that was to be reconnected."""

    def __init__(self, display_name: str) -> None:
        super().__init__("another third-party identity")
        self.display_name = display_name
