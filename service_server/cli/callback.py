"""The callback URL, told wherever somebody sets up an app that signs in on a provider's page."""

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.values import Connector
from service_server.settings import callback_url_of


def callback_told(connector: Connector, public_url: str) -> str | None:
    """Say under which callback URL to register this service with an app; None where the app needs no registration."""
    if not any(isinstance(method, OAuth2Code) for method in connector.auth):
        return None
    return (
        f"Register this service with {connector.title} under the callback URL {callback_url_of(public_url)} "
        "(it begins with the --public-url of `serve`, and has to be the same to the letter)."
    )
