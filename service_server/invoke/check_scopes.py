"""Compares what the account has been granted with what the function needs, before the app itself would refuse."""

from service_client.models import Action, Code
from service_server.errors import refused
from service_server.invoke.invocation import CallRequest
from service_server.oauth.credentials import Opened
from service_server.oauth.scopes import granted_scopes, missing_scopes


def check_scopes(request: CallRequest, opened: Opened) -> None:
    """Refuse a call that the app would refuse because a permission is missing that the user can give."""
    missing = missing_scopes(request.function, granted_scopes(opened.auth, opened.context["token"]))
    if missing:
        raise refused(
            Code.MISSING_SCOPE,
            f"“{request.function.title}” needs a permission that hasn’t been given yet for "
            f"“{opened.account.display_name}” in {request.connector.title}: {', '.join(missing)}. "
            "Reconnect the account to give it.",
            action=Action.RECONNECT,
        )
