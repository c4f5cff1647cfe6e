"""Where operators are signed in, and how that is ended."""

from attrs import frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import no_operator
from service_server.administration.permissions import Permission
from service_server.store import Operators, OperatorSession, OperatorSessions
from service_server.store.clock import now

SESSION_SECONDS = 12 * 3600
"""How long a session lasts at most."""
IDLE_SECONDS = 2 * 3600
"""How long a session lasts that nobody uses."""


@frozen
class SessionAdministration:
    """
    Operators see and end their own sessions, owners all of them; a session that is ended ends in every process.

    Those of nobody raise NotThere: a name that is misspelt must not look as if somebody were signed out.
    """

    sessions: OperatorSessions
    operators: Operators

    async def living(self, actor: Actor, operator: str | None = None) -> list[OperatorSession]:
        """The sessions of an operator, or of all, last seen first."""
        if operator is None or operator != actor.name or actor.via != "console":
            actor.check(Permission.MANAGE_OPERATORS)
        if operator is not None:
            await self._check_there(operator)
        moment = now()
        return [each for each in await self.sessions.everyone(operator) if is_living(each, moment)]

    async def end(self, actor: Actor, operator: str, session_id: str) -> bool:
        """End one session of an operator; False if it has ended already."""
        act = actor.does_for_themselves("session.ended", operator)
        await self._check_there(operator)
        return await self.sessions.end(operator, session_id, act) > 0

    async def end_all(self, actor: Actor, operator: str, *, but: str | None = None) -> int:
        """End all sessions of an operator, `but` one; returns how many that were."""
        act = actor.does_for_themselves("session.all_ended", operator)
        await self._check_there(operator)
        return await self.sessions.end(operator, None, act, but=but)

    async def _check_there(self, operator: str) -> None:
        if await self.operators.get(operator) is None:
            raise no_operator(operator)


def is_living(session: OperatorSession, moment: float) -> bool:
    """Whether a session has neither run out nor been left alone for too long."""
    return moment < session.expires_at and moment < session.seen_at + IDLE_SECONDS
