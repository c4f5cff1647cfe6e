"""An app without its functions: what its `connector.yaml` says, and the hooks beside it."""

from attrs import field, frozen

from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.hooks import Hooks


@frozen(eq=False)
class App:
    """What the functions of an app share."""

    declared: DeclaredConnector
    hooks: Hooks = field(factory=Hooks)
