"""What the functions of an app have to know of its `connector.yaml`."""

from collections.abc import Mapping

from attrs import field, frozen

from service_server.catalog.hooks import Hooks
from service_server.catalog.outcome_checks import Addresses
from service_server.catalog.pagination import Pagination
from service_server.onward.values import HostRules


@frozen
class AppParts:
    """
    What the functions of an app share.

    `default_scopes` is None where nothing can be granted any; `hosts` are those beside the base URL's own, `addresses`
    what the app's own pages are known by; `ways` are the ids of its ways of signing in.
    """

    name: str
    variables: frozenset[str]
    headers: Mapping[str, str]
    pagination: Mapping[str, Pagination]
    hooks: Hooks = field(factory=Hooks)
    default_scopes: frozenset[str] | None = None
    hosts: HostRules = field(factory=lambda: HostRules(()))
    addresses: Addresses = field(factory=Addresses)
    ways: tuple[str, ...] = ()
