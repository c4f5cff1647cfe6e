"""What the address of `/mcp` offers: which functions, and whether as two tools that find and call them or as tools."""

from collections.abc import Collection
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl

from attrs import frozen

from service_client.models import Action, Code, FunctionType
from service_server.catalog.catalog import Catalog
from service_server.errors import refused, shortened, unknown_app
from service_server.rest.caller import Caller
from service_server.rest.queries import read_query

_PARAMETERS: dict[str, Any] = {"tools": str, "apps": str, "types": str, "connected": str}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
KINDS: tuple[FunctionType, ...] = get_args(FunctionType)


@frozen(kw_only=True)
class Offer:
    """
    The functions that an agent may find and call; None means all apps.

    With `connected` only functions of apps that the user has connected are found and listed.
    """

    tools: Literal["find", "functions"] = "find"
    apps: frozenset[str] | None = None
    types: frozenset[FunctionType] = frozenset(KINDS)
    connected: bool = False

    @property
    def is_read_only(self) -> bool:
        """Whether nothing that is offered changes anything."""
        return self.types == {"query"}

    @property
    def is_everything(self) -> bool:
        """Whether all functions are offered."""
        return self.apps is None and self.types == frozenset(KINDS) and not self.connected

    @property
    def filters(self) -> tuple[str, ...]:
        """The offer as texts, so that a cursor can tell which list it belongs to."""
        apps = "*" if self.apps is None else ",".join(sorted(self.apps))
        return (apps, ",".join(sorted(self.types)), str(self.connected))

    def names(self, catalog: Catalog, caller: Caller, connected: Collection[str]) -> list[str]:
        """The names of the functions offered to a caller who has connected these apps, sorted."""
        apps = self.apps
        if self.connected:
            apps = frozenset(connected) if apps is None else apps & frozenset(connected)
        return sorted(name for kind in self.types for name in catalog.names(kind, apps) if caller.may_call(name, kind))

    def require(self, name: str, kind: FunctionType) -> None:
        """Refuse a function that is not offered, as far as that can be told without the user's accounts."""
        if kind not in self.types:
            offered = ", ".join(sorted(self.types))
            raise refused(Code.FORBIDDEN, f"{name} is a {kind}; this connection offers only: {offered}.")
        if self.apps is not None and name.partition("-")[0] not in self.apps:
            raise refused(
                Code.FORBIDDEN, f"{name} is not offered; this connection offers only: {', '.join(sorted(self.apps))}."
            )


def offer_in(query: bytes, catalog: Catalog) -> Offer:
    """
    Read the offer out of a query; `tools=functions`, `apps=a,b`, `types=query,mutation`, `connected=true`.

    What can't be read is refused, and so is what is not known, such as `type=query`: an agent that was meant to be
    restricted must not get everything.
    """
    given = read_query(query, _PARAMETERS)
    for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name not in _PARAMETERS:
            known = ", ".join(_PARAMETERS)
            raise refused(
                Code.UNKNOWN_PARAMETER, f"There is no query parameter {shortened(name)} here, only these: {known}."
            )
    tools = given.get("tools", "find")
    if tools not in ("find", "functions"):
        raise _invalid("tools", "must be find or functions")
    apps = frozenset(given["apps"].split(",")) if "apps" in given else None
    for name in sorted(apps or ()):
        if name not in catalog.connectors:
            raise unknown_app(name, "apps")
    types = frozenset(given["types"].split(",")) if "types" in given else frozenset(KINDS)
    if not types <= frozenset(KINDS):
        unknown = min(types - frozenset(KINDS))
        raise _invalid("types", f"has {shortened(unknown)}, which is none of {', '.join(KINDS)}")
    connected = _TRUTH.get(given.get("connected", "false").lower())
    if connected is None:
        raise _invalid("connected", "must be true or false")
    return Offer(
        tools="functions" if tools == "functions" else "find",
        apps=apps,
        types=frozenset(kind for kind in KINDS if kind in types),
        connected=connected,
    )


def _invalid(name: str, what: str) -> Exception:
    return refused(Code.ENUM, f"The query parameter {name} {what}.", field=name, action=Action.FIX_FIELD)
