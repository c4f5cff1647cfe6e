"""Refusals of calls whose account can't be used: until its user or its app has done something, or for good."""

from service_client.models import Action, Code
from service_server.catalog.values import Connector
from service_server.errors import ServiceError, refused
from service_server.store import Account


def reconnect_required(title: str, account: Account) -> ServiceError:
    """The refusal of a call for an account that only its user can bring back."""
    return refused(
        Code.RECONNECT_REQUIRED,
        f"{title} no longer accepts the connection of “{account.display_name}”. "
        f"{account.state_reason or ''} Reconnect the account.".replace("  ", " "),
        action=Action.RECONNECT,
    )


def unreachable(connector: Connector, reason: str, advice: str = "Try again later.") -> ServiceError:
    """The refusal of a call whose credentials can't be renewed just now."""
    return refused(
        Code.APP_UNREACHABLE,
        f"{connector.title} can't renew its access right now: {reason}. Nothing was sent. {advice}",
        action=Action.WAIT,
    )


def account_gone() -> ServiceError:
    """The refusal of a call whose account was disconnected meanwhile."""
    return refused(
        Code.ACCOUNT_NOT_FOUND, "This account has been disconnected. Connect it again.", action=Action.CONNECT
    )
