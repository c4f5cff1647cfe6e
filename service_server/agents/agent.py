"""Who asks over the Model Context Protocol, and for what."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from service_server.agents.offer import Offer
from service_server.rest.caller import Caller
from service_server.rest.calls_at_once import CallsAtOnce
from service_server.service import Service
from service_server.store import Account
from service_server.vault import Unsealable

ABILITIES_HEADER = b"mcp-session-id"
_PURPOSE = "what an agent's client can do"


@frozen(kw_only=True)
class Agent:
    """
    One request's side of the service: the caller, and what is offered.

    `abilities` are the capabilities that a client declared when it introduced itself, in versions of the protocol where
    that happens only once. It is None where each request declares them, or none were. `message_bytes` is the message's
    size.
    """

    service: Service
    caller: Caller
    calls_at_once: CallsAtOnce
    offer: Offer
    request_id: str
    abilities: Mapping[str, Any] | None = None
    message_bytes: int = 0

    @property
    def is_unlimited(self) -> bool:
        """Whether all functions are offered."""
        return self.caller.scope is None and self.offer.is_everything

    async def accounts(self, app_name: str | None = None) -> list[Account]:
        """The user's accounts that the caller's credentials cover."""
        return await self.caller.accounts(self.service.accounts, app_name)

    async def names(self) -> list[str]:
        """The names of the offered functions."""
        connected = {each.app_name for each in await self.accounts()} if self.offer.connected else frozenset()
        return self.offer.names(self.service.catalog, self.caller, connected)


def sealed_abilities(service: Service, caller: Caller, abilities: Mapping[str, Any]) -> str:
    """
    What a client can do, sealed as a session id, so that no process has to keep it.

    Requests of one session may reach any process, so the client carries it. It counts for the same user only.
    """
    return service.vault.seal(dict(abilities), _PURPOSE, caller.application.id, caller.user_id)


def opened_abilities(service: Service, caller: Caller, sealed: str) -> dict[str, Any] | None:
    """What a client can do; None if it was not sealed here for this user."""
    try:
        abilities: dict[str, Any] = service.vault.open(sealed, _PURPOSE, caller.application.id, caller.user_id)
    except Unsealable:
        return None
    return abilities
