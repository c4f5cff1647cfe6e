"""Apps of the catalogue and the accounts a user has connected in them."""

from datetime import datetime
from typing import Literal

from attrs import frozen

AccountState = Literal["active", "reconnect_required"]
"""Today's states; a newer service may have others."""


@frozen(kw_only=True)
class ConnectedAccount:
    """
    One third-party account that a user has connected.

    `modified_at` is in UTC; lists are sorted by it, newest first.
    `state_reason` says in words why the account must be reconnected.
    """

    id: int
    display_name: str
    modified_at: datetime
    state: AccountState | str = "active"
    state_reason: str | None = None


@frozen(kw_only=True)
class App:
    """
    A third-party app of the catalogue, with the accounts the asking user has connected in it.

    `description` says in one sentence what the app is for; a service older than this client doesn't send it.
    `categories` are words such as `sales` that marketplaces sort apps by; `also_called` are further names that people
    search for.
    """

    id: int
    name: str
    title: str
    also_called: tuple[str, ...] = ()
    description: str = ""
    icon_url: str
    docs_url: str = ""
    categories: tuple[str, ...] = ()
    connected_accounts: tuple[ConnectedAccount, ...] = ()

    def _repr_html_(self) -> str:
        from service_client.models.notebook import app_html  # only notebooks need it

        return app_html(self)


@frozen(kw_only=True)
class AppList:
    """One page of apps; `cursor` is empty on the last page."""

    apps: tuple[App, ...]
    cursor: str = ""
