"""The account's credentials, refreshed if they are due; nothing before this step has seen them."""

from service_server.invoke.invocation import Invocation, Parts


async def open_credentials(invocation: Invocation, parts: Parts) -> None:
    """Open the credentials; a refresh the provider refuses or cannot answer ends the call here."""
    invocation.opened = await parts.credentials.usable(invocation.account)
    invocation.account = invocation.opened.account
