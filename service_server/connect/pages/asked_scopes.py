"""What a provider is asked for in an attempt to connect."""

from service_server.catalog.auth import OAuth2Code
from service_server.connect.pages.attempt import Attempt
from service_server.oauth.scopes import granted_scopes, scopes_to_ask_for
from service_server.oauth.secrets_of_account import open_secrets
from service_server.vault import Unsealable, Vault


def asked_scopes(vault: Vault, attempt: Attempt, method: OAuth2Code) -> tuple[str, ...]:
    """Return the scopes to ask for; an account that is reconnected keeps what it was granted before."""
    functions = attempt.connector.functions.values()
    return scopes_to_ask_for(method, _granted(vault, attempt, method), attempt.functions, functions)


def _granted(vault: Vault, attempt: Attempt, method: OAuth2Code) -> tuple[str, ...]:
    account = attempt.reconnecting
    if account is None or account.auth_id != method.id:
        return ()
    owner = (account.application_id, account.user_id, account.app_name)
    try:
        secrets = open_secrets(vault, account.sealed_credentials, *owner)
    except Unsealable:  # it can't be used any more, so it has nothing to keep
        return ()
    return granted_scopes(method, secrets.token) or ()
